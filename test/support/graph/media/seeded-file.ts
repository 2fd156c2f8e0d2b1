import type { Fields } from "../shape.ts";
import type { State } from "../state.ts";
import { putMedia, webhookFields } from "./store.ts";

const MIME_TYPES = {
  image: "image/jpeg",
  video: "video/mp4",
  audio: "audio/ogg; codecs=opus",
  document: "application/pdf",
  sticker: "image/webp",
};

/** The file of a message that a test sets up. A missing field is the file's own, or made up. */
type FileSeed = {
  kind: keyof typeof MIME_TYPES;
  phoneNumberId: string;
  mediaId?: string | undefined;
  mimeType?: string | undefined;
  sha256?: string | undefined;
};

/**
 * The file that a message names, or a made-up one, so that the gateway can download it. An unknown name is reported
 * unchanged.
 */
export const seededFile = (state: State, seed: FileSeed): Fields => ({
  ...fileOf(state, seed),
  ...(seed.mimeType === undefined ? {} : { mime_type: seed.mimeType }),
  ...(seed.sha256 === undefined ? {} : { sha256: seed.sha256 }),
});

const fileOf = (state: State, { kind, phoneNumberId, mediaId, mimeType = MIME_TYPES[kind] }: FileSeed): Fields => {
  const media =
    mediaId === undefined
      ? putMedia(state, { bytes: state.random.bytes(64), mimeType, phoneNumberId }, "inbound")
      : state.media.get(mediaId);
  return media
    ? webhookFields(state, media)
    : { id: mediaId, mime_type: mimeType, sha256: Buffer.from(state.random.bytes(32)).toString("base64") };
};
