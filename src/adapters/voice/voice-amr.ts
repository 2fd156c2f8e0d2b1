import type { Sound } from "./voice-wav.ts";

const FED_BYTES = 16 * 1024;
const NARROW = "#!AMR\n";
const WIDE = "#!AMR-WB\n";

/** AMR as telephones record it: https://www.rfc-editor.org/rfc/rfc4867#section-5 */
export const isAmr = (bytes: Uint8Array): boolean => /^#!AMR(-WB)?\n/.test(beginningOf(bytes));

/** The form of several channels, which nothing decodes. */
export const isAmrOfChannels = (bytes: Uint8Array): boolean => beginningOf(bytes).startsWith("#!AMR");

const beginningOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, WIDE.length)).toString("latin1");

/** A file of the frames that a container of telephones has (https://www.etsi.org/deliver/etsi_ts/126200_126299/126244). */
export const amrOf = (frames: readonly Uint8Array[], isWide: boolean): Uint8Array =>
  Buffer.concat([Buffer.from(isWide ? WIDE : NARROW, "latin1"), ...frames]);

/** Decodes AMR by opencore-amr. Undefined for a file without a frame. */
export const readAmr = async (bytes: Uint8Array): Promise<Sound | undefined> => {
  const { decoder: openDecoder } = await import("@audio/decode-amr");
  const decoder = await openDecoder();
  const pieces = function* () {
    try {
      for (let at = 0; at < bytes.length; at += FED_BYTES) {
        const [piece] = decoder.decode(bytes.subarray(at, at + FED_BYTES)).channelData;
        if (piece) yield piece;
      }
    } finally {
      decoder.free();
    }
  };
  return { rate: beginningOf(bytes) === WIDE ? 16_000 : 8000, pieces: pieces() };
};
