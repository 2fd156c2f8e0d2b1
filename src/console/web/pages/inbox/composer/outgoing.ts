import type { KeptFile } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { type FileWay, hasCaption, wayField } from "./file-ways.ts";

export type FileMessage = "image" | "video" | "audio" | "document";

/** The type of message for a file: pictures, videos and sounds are sent as such, any other file as a document. */
export const messageTypeOf = (contentType: string): FileMessage => {
  if (/^image\/(jpeg|png|webp)\b/.test(contentType)) return "image";
  if (/^video\/(mp4|3gpp)\b/.test(contentType)) return "video";
  if (/^audio\/(mpeg|mp4|aac|amr|ogg)\b/.test(contentType)) return "audio";
  return "document";
};

/** The content of a message with an uploaded file. A sound has no caption, and neither has a video note. */
export const fileContent = (
  { mediaHandle, contentType }: Pick<KeptFile, "mediaHandle" | "contentType">,
  { name, caption, way = "" }: { name: string; caption: string; way?: FileWay },
): { type: FileMessage; content: Record<string, unknown> } => {
  const type = messageTypeOf(contentType);
  const file = { mediaHandle, mimeType: contentType, ...wayField(type, way) };
  const captioned = caption === "" || !hasCaption(type, way) ? file : { ...file, caption };
  return { type, content: type === "document" ? { ...captioned, filename: name } : captioned };
};
