import { late } from "../../kernel/async.ts";

const pictures = () => import("./pictures.ts");

/** What is made of pictures; the code for it is loaded with the first picture. */
export const PICTURE_MAKERS = {
  shrinkPicture: late(async () => (await pictures()).shrinkPicture),
  makeSticker: late(async () => (await pictures()).makeSticker),
  makeThumbnail: late(async () => (await pictures()).makeThumbnail),
};
