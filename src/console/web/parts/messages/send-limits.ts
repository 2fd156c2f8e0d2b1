import type { ContentLimit, PhoneCapabilities } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { isTypeTaken } from "../../../../kernel/texts/media-types.ts";

/** TABLE: the characters that a text of a message may have on any network. */
const MOST_CHARACTERS = { text: 4096, caption: 1024 } as const;
type TextField = keyof typeof MOST_CHARACTERS;

/** The limits of a phone's network; undefined until they are known. */
export type Limits = Pick<PhoneCapabilities, "contentTypes" | "contentLimits"> | undefined;

const limitOf = (limits: Limits, type: string): ContentLimit | undefined =>
  limits?.contentLimits.find((limit) => limit.type === type);

/** The length of a text, in the unit of the limit that is nearest. `isOver`: the network does not take the text. */
export type TextUse = { unit: "characters" | "bytes"; has: number; most: number; isOver: boolean };

/** The length of a text that goes out as this field of this type of message. Characters are code points. */
export const textUse = (limits: Limits, type: string, field: TextField, text: string): TextUse => {
  const limit = limitOf(limits, type);
  const [chars, bytes] =
    field === "text" ? [limit?.textMaxChars, limit?.textMaxBytes] : [limit?.captionMaxChars, limit?.captionMaxBytes];
  const most = Math.min(chars ?? Number.POSITIVE_INFINITY, MOST_CHARACTERS[field]);
  const inCharacters = { unit: "characters" as const, has: [...text].length, most };
  const inBytes = { unit: "bytes" as const, has: new TextEncoder().encode(text).length, most: bytes ?? Infinity };
  const nearest = inBytes.has / inBytes.most > inCharacters.has / inCharacters.most ? inBytes : inCharacters;
  return { ...nearest, isOver: nearest.has > nearest.most };
};

/** Why a network does not take a file: it has no such messages, the file is too large, or of another type. */
export type FileFault = { is: "unsent" } | { is: "size"; most: number } | { is: "type"; taken: readonly string[] };

/** The fault of a file that goes out as this type of message, by its type in the browser; undefined without a fault. */
export const fileFault = (limits: Limits, type: string, file: Pick<File, "type" | "size">): FileFault | undefined => {
  if (file.type === "") return undefined; // the server reads it from the bytes
  if (limits && !limits.contentTypes.includes(type)) return { is: "unsent" };
  const { maxFileBytes = null, mimeTypes = null } = limitOf(limits, type) ?? {};
  if (maxFileBytes !== null && file.size > maxFileBytes) return { is: "size", most: maxFileBytes };
  if (mimeTypes !== null && !isTypeTaken(file.type, mimeTypes)) return { is: "type", taken: mimeTypes };
  return undefined;
};
