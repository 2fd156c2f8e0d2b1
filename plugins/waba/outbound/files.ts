import type { SendOrder } from "../../../src/contract/plugin.ts";
import type { Json } from "../../../src/kernel/texts/json.ts";
import type { SendFailure } from "../../meta/fault.ts";

/**
 * The source of a file for the network: it fetches a link itself; a handle is the id of an earlier upload. It reads the
 * type from the file.
 */
export const sourceOf = ({ mediaUrl, mediaHandle }: { mediaUrl?: string; mediaHandle?: string }): Json =>
  mediaHandle === undefined ? { link: mediaUrl } : { id: mediaHandle };

/** A file at the head of a message. Only a document shows its name. */
export const headerFile = (type: "image" | "video" | "document", link: string, filename: string | undefined): Json => ({
  type,
  [type]: { link, ...(type === "document" && filename ? { filename } : {}) },
});

const VOICE_TYPE = /^audio\/ogg(?:\s*;\s*codecs="?opus"?)?$/i;

/** Why a voice note would fail at the network: the customer declared another format than that of such notes. */
export const voiceRefusal = (order: SendOrder): SendFailure | undefined => {
  if (order.type !== "audio" || !order.content.ptt) return undefined;
  const { mimeType } = order.content;
  if (mimeType === undefined || VOICE_TYPE.test(mimeType)) return undefined;
  return {
    ok: false,
    kind: "refused",
    code: "INVALID_PTT_FORMAT",
    reason: `a voice note must be audio/ogg; codecs=opus, not ${mimeType}`,
  };
};
