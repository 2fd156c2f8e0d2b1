import type {
  MadeStandard,
  MadeSticker,
  MadeThumbnail,
  ShrinkPicture,
  Unpictured,
} from "../../contract/ports/pictures.ts";
import { createFairSemaphore } from "../../kernel/async.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import { type ChildLimits, runLimited } from "../machine/limited-child.ts";

/** More than a picture of 40 million pixels takes. */
const LIMITS: ChildLimits = { cpuSeconds: 20, seconds: 30, memoryKib: 768 * 1024, outputBytes: 4 * 1024 * 1024 };
/** A picture that moves is written several times until it is small enough. */
const STICKER_LIMITS: ChildLimits = { ...LIMITS, cpuSeconds: 60, seconds: 90 };

/** In another process, because a hostile picture can take minutes or gigabytes, or end the process that reads it. */
export const shrinkPicture: ShrinkPicture = async (bytes) => {
  const output = await runLimited(["shrink-picture"], bytes, LIMITS).catch(() => undefined);
  const picture = Buffer.from(output ?? "", "base64");
  return picture.length === 0 ? undefined : new Uint8Array(picture);
};

/** The maximum number at a time; the others wait with their bytes in memory. */
const PLACES = { limit: 2, perSource: 16, inAll: 64, refusal: "Too many pictures wait." };
const turns = createFairSemaphore(PLACES);

type Encoded<Made, Bytes extends string> = Omit<Made, Bytes> & Record<Bytes, string>;
const BROKEN: Unpictured = { ok: false, reason: "BROKEN" };

/** What a child made of a picture, as JSON with the bytes in base64. */
const made = async <Output>(
  account: string,
  { command, bytes, limits }: { command: string; bytes: Uint8Array; limits: ChildLimits },
): Promise<Output | Unpictured> => {
  try {
    const output = await turns.run(account, () => runLimited([command], bytes, limits));
    return output === undefined ? { ok: false, reason: "UNREADABLE" } : (parsedJson(output) as Output); // our child wrote it
  } catch {
    return BROKEN;
  }
};

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));

/** Makes a sticker as `MakeSticker` promises, in another process. Accounts take turns. */
export const makeSticker = async (account: string, bytes: Uint8Array): Promise<MadeSticker> => {
  const sticker = await made<Encoded<Extract<MadeSticker, { ok: true }>, "webp">>(account, {
    command: "make-sticker",
    bytes,
    limits: STICKER_LIMITS,
  });
  return sticker.ok ? { ...sticker, webp: bytesOf(sticker.webp) } : sticker;
};

/** Makes a thumbnail as `MakeThumbnail` promises, in another process. Accounts take turns. */
export const makeThumbnail = async (account: string, bytes: Uint8Array): Promise<MadeThumbnail> => {
  const thumbnail = await made<Encoded<Extract<MadeThumbnail, { ok: true }>, "jpeg">>(account, {
    command: "make-thumbnail",
    bytes,
    limits: LIMITS,
  });
  return thumbnail.ok ? { ...thumbnail, jpeg: bytesOf(thumbnail.jpeg) } : thumbnail;
};

/** Makes a picture in standard quality as `MakeStandard` promises, in another process. Accounts take turns. */
export const makeStandard = async (account: string, bytes: Uint8Array): Promise<MadeStandard> => {
  const standard = await made<Encoded<Extract<MadeStandard, { ok: true }>, "jpeg">>(account, {
    command: "make-standard",
    bytes,
    limits: LIMITS,
  });
  return standard.ok ? { ...standard, jpeg: bytesOf(standard.jpeg) } : standard;
};
