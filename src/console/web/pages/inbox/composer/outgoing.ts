import type { KeptFile } from "../../../../../../clients/typescript/src/generated/gateway.ts";

/**
 * The content of a message with an uploaded file: pictures, videos and sounds are sent as such, any other file as a
 * document.
 */
export const fileContent = (
  { mediaHandle, contentType }: Pick<KeptFile, "mediaHandle" | "contentType">,
  { name, caption }: { name: string; caption: string },
): { type: "image" | "video" | "audio" | "document"; content: Record<string, unknown> } => {
  const file = { mediaHandle, mimeType: contentType };
  const captioned = caption === "" ? file : { ...file, caption };
  if (/^image\/(jpeg|png|webp)\b/.test(contentType)) return { type: "image", content: captioned };
  if (/^video\/(mp4|3gpp)\b/.test(contentType)) return { type: "video", content: captioned };
  if (/^audio\/(mpeg|mp4|aac|amr|ogg)\b/.test(contentType)) return { type: "audio", content: file };
  return { type: "document", content: { ...captioned, filename: name } };
};
