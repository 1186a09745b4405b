// Stands for d3-transition, of which d3-zoom needs only that nothing is under way: nothing here moves by itself.

import { selection } from "d3-selection";

export function interrupt(): void {
    // there is nothing to be interrupted
}

selection.prototype.interrupt = function () {
    return this;
};
