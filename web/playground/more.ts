// Those of ../more.tsx that there are here.
export { Closely } from "../closely";
export { makeBreed } from "../breed";
export { makeGallery } from "../gallery";
export { makeRun } from "../run";
