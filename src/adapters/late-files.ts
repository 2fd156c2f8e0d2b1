import { late } from "../kernel/async.ts";

const pictures = () => import("./pictures/pictures.ts");

/** What is read and made of files in other processes; the code for it is loaded with the first file. */
export const OF_FILES = {
  readText: late(async () => (await import("./documents/documents.ts")).readText),
  shrinkPicture: late(async () => (await pictures()).shrinkPicture),
  makeSticker: late(async () => (await pictures()).makeSticker),
  makeThumbnail: late(async () => (await pictures()).makeThumbnail),
  makeStandard: late(async () => (await pictures()).makeStandard),
};
