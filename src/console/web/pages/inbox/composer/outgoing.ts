import type { KeptFile } from "../../../../../../clients/typescript/src/generated/gateway.ts";

type FileMessage = "image" | "video" | "audio" | "document";

/** The type of message for a file: pictures, videos and sounds are sent as such, any other file as a document. */
export const messageTypeOf = (contentType: string): FileMessage => {
  if (/^image\/(jpeg|png|webp)\b/.test(contentType)) return "image";
  if (/^video\/(mp4|3gpp)\b/.test(contentType)) return "video";
  if (/^audio\/(mpeg|mp4|aac|amr|ogg)\b/.test(contentType)) return "audio";
  return "document";
};

/** The content of a message with an uploaded file. A sound has no caption. */
export const fileContent = (
  { mediaHandle, contentType }: Pick<KeptFile, "mediaHandle" | "contentType">,
  { name, caption }: { name: string; caption: string },
): { type: FileMessage; content: Record<string, unknown> } => {
  const type = messageTypeOf(contentType);
  const file = { mediaHandle, mimeType: contentType };
  const captioned = caption === "" || type === "audio" ? file : { ...file, caption };
  return { type, content: type === "document" ? { ...captioned, filename: name } : captioned };
};
