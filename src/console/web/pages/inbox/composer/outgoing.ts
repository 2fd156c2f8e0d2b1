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

/** A placeholder of a template's text, such as {{1}} or {{name}}. */
const PLACEHOLDER = /\{\{\s*([a-z0-9_]+)\s*\}\}/gi;

/** The text with its values; a placeholder without a value stays visible. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, name: string) => values[name] || whole);
