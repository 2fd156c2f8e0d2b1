import { newNumericId } from "../ids.ts";
import type { Fields } from "../shape.ts";
import type { PhoneNumber, State } from "../state.ts";
import type { HistoryContent } from "./seeds.ts";

/** The number as messages name it: without plus, spaces and dashes. */
export const digitsOf = ({ seed }: PhoneNumber): string => seed.displayPhoneNumber.replace(/\D/g, "");

const MIME_TYPES = { image: "image/jpeg", video: "video/mp4", audio: "audio/ogg; codecs=opus", document: "application/pdf", sticker: "image/webp" };

/** `type` of a message of the business app, and its object; what is undefined is left out on the wire. */
export const contentOf = (state: State, content: HistoryContent): Fields => {
  if (content.kind === "text") return { type: "text", text: { body: content.text } };
  if (content.kind === "other") return { type: content.type, [content.type]: content.content };
  const { type, caption, filename, mimeType = MIME_TYPES[type] } = content;
  const sha256 = content.sha256 ?? Buffer.from(state.random.bytes(32)).toString("base64");
  return { type, [type]: { caption, filename, mime_type: mimeType, sha256, id: content.mediaId ?? newNumericId(state.random) } };
};
