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

/** The placeholders of a text, in their order, each once. */
export const placeholdersOf = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name)),
];

/** The text with its values; a placeholder without a value stays visible. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, name: string) => values[name] || whole);

/** The variables of a template's content: by position if all placeholders are numbers, else by name. */
export const variablesOf = (
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): { variables?: string[]; namedVariables?: Record<string, string> } => {
  if (names.length === 0) return {};
  if (names.some((name) => !/^\d+$/.test(name)))
    return { namedVariables: Object.fromEntries(names.map((name) => [name, values[name] ?? ""])) };
  return { variables: names.toSorted((a, b) => Number(a) - Number(b)).map((name) => values[name] ?? "") };
};
