import type { MediaApi } from "../../src/contract/content/media.ts";
import type { Random } from "../../src/kernel/random.ts";

/** Takes every file without looking at it, and keeps none; no message has a file. */
export const simulatorMedia = (random: Random): MediaApi => {
  const newHandle = () => `SIM${Buffer.from(random.bytes(9)).toString("hex").toUpperCase()}`;
  return {
    open: async () => ({
      ok: false,
      kind: "refused",
      error: { code: null, error_subcode: null, message: "There are no files here." },
    }),
    uploads: {
      upload: async () => ({ ok: true, value: newHandle() }),
      uploadResumable: async () => ({ ok: true, value: { handle: newHandle(), sessionId: newHandle() } }),
      remove: async () => ({ ok: true, value: true }),
    },
  };
};
