const wanted = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex='0']";

function stopIn(child: Element): HTMLElement | undefined {
    const found = [...(child.matches(wanted) ? [child] : []), ...child.querySelectorAll<HTMLElement>(wanted)];
    return (found as HTMLElement[]).find((one) => one.getClientRects().length > 0);
}

/** Somebody who goes by keys is never left without a place: when what has the focus is taken away or can't be used any
    more, what came in its place has it, or the nearest. */
export function keepFocus(root: HTMLElement): void {
    let last: HTMLElement | null = null;
    let way: { parent: Element; index: number }[] = []; // from there to the root
    const isLost = () => last !== null && (!last.isConnected || last.matches(":disabled"));
    root.addEventListener("focusin", (event) => {
        last = event.target as HTMLElement;
        way = [];
        for (let one: Element = last; one !== root; one = one.parentElement!)
            way.push({ parent: one.parentElement!, index: [...one.parentElement!.children].indexOf(one) });
    });
    root.addEventListener("focusout", () => setTimeout(() => {
        if (document.activeElement === document.body && !isLost()) last = null; // somebody clicked elsewhere
    }));
    new MutationObserver(() => {
        const now = document.activeElement;
        if (!isLost() || (now !== document.body && now !== last)) return;
        last = null;
        for (const { parent, index } of way) {
            if (!parent.isConnected) continue;
            const children = [...parent.children];
            const nearest = [...children.slice(index), ...children.slice(0, index).reverse()];
            const stop = nearest.map(stopIn).find((one) => one !== undefined);
            if (stop) return stop.focus({ preventScroll: true });
        }
    }).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
}
