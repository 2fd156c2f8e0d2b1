import type { ShrinkPicture } from "../../contract/ports/pictures.ts";
import { type ChildLimits, runLimited } from "../machine/limited-child.ts";

/** More than a picture of 40 million pixels takes. */
const LIMITS: ChildLimits = { cpuSeconds: 20, seconds: 30, memoryKib: 768 * 1024, outputBytes: 4 * 1024 * 1024 };

/** In another process, because a hostile picture can take minutes or gigabytes, or end the process that reads it. */
export const shrinkPicture: ShrinkPicture = async (bytes) => {
  const output = await runLimited(["shrink-picture"], bytes, LIMITS).catch(() => undefined);
  const picture = Buffer.from(output ?? "", "base64");
  return picture.length === 0 ? undefined : new Uint8Array(picture);
};
