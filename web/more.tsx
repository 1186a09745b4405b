// Pages that are loaded when somebody first goes there: the first picture does not wait for them.
export { Closely } from "./closely";
export { makeBreed } from "./breed";
export { makeGallery } from "./gallery";
export { makeRun } from "./run";
export { makeStudies } from "./studies";
