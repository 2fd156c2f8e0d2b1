import type { InboundContent } from "../../contract/content/inbound-content.ts";
import type { ChatMessage } from "../../contract/ports/llm.ts";
import { type AppError, invalid } from "../../kernel/errors.ts";
import { codePoints, issue } from "../../kernel/schema.ts";
import type { MessageRow } from "../../store/tables/messaging/messages.ts";

/** The longest text message, in code points. */
export const MAX_POINTS = 4096;

/** Whether a text has only white space. Stops at the first other character. */
export const isBlank = (text: string): boolean => !/\S/.test(text);

/** The refusal of a blank text, before a provider is paid for it. */
export const blank = (path: string): AppError => invalid(issue(path, "minLength", "must not be blank"));

/**
 * The words of a received message: its text, caption or chosen option, or the readable words of a message without a
 * shape. Undefined for a message without words.
 */
export const readableWords = (said: InboundContent): string | undefined => {
  switch (said.type) {
    case "text":
    case "button_reply":
      return said.content.text.trim() || undefined;
    case "image":
    case "video":
    case "audio":
    case "document":
      return said.content.caption?.trim() || undefined;
    case "order":
    case "unsupported":
      return said.content.text?.trim() || undefined;
    default:
      return undefined;
  }
};

/** The words of a sent message; undefined when it has none. */
export const wordsSent = ({ content }: Pick<MessageRow, "content">): string | undefined => {
  if ("text" in content) return content.text.trim() || undefined;
  return ("caption" in content && content.caption?.trim()) || undefined;
};

/** A text in lower case without diacritics, for comparisons. */
const folded = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether a text contains one of the keywords. Case and diacritics do not matter. */
export const hasKeyword = (text: string, keywords: readonly string[]): boolean => {
  const said = folded(text);
  return keywords.map(folded).some((keyword) => keyword !== "" && said.includes(keyword));
};

/** The longest text, in code points and, if a network limits them, in bytes. */
export type Room = { points: number; bytes?: number | undefined };

const SENTENCE_END = /[.!?…。！？]["'”’)\]]*(?=\s)|\n/gu;

/** Cuts a text to a limit: after a sentence that ends in the second half of the room, else after a word. */
export const fitted = (text: string, { points, bytes = Number.POSITIVE_INFINITY }: Room): string => {
  if (codePoints(text) <= points && Buffer.byteLength(text) <= bytes) return text;
  const head = beginning(text, { points, bytes });
  const isLate = (at: number) => at >= head.length / 2;
  const sentence = [...text.slice(0, head.length + 1).matchAll(SENTENCE_END)]
    .map(({ index, 0: end }) => index + end.length)
    .findLast((at) => at <= head.length);
  if (sentence !== undefined && isLate(sentence)) return head.slice(0, sentence).trimEnd();
  const space = head.search(/\s\S*$/u);
  return (isLate(space) ? head.slice(0, space) : head).trimEnd();
};

const ENDS_WITH_SENTENCE = /[.!?…。！？]["'”’)\]]*$/u;

/**
 * A text that breaks off, with an end: after its last sentence if that is in its second half, else after its last whole
 * word, with `…`.
 */
export const ended = (text: string): string => {
  const head = text.trimEnd();
  if (ENDS_WITH_SENTENCE.test(head)) return head;
  const sentence = [...head.matchAll(SENTENCE_END)].at(-1);
  const end = sentence === undefined ? 0 : sentence.index + sentence[0].length;
  if (end >= head.length / 2) return head.slice(0, end).trimEnd();
  const space = head.length < text.length ? head.length : head.search(/\s\S*$/u);
  return `${space > 0 ? head.slice(0, space).trimEnd() : head}…`;
};

const beginning = (text: string, { points, bytes }: Required<Room>): string => {
  let [end, left, room] = [0, points, bytes ?? Number.POSITIVE_INFINITY];
  for (const character of text) {
    room -= Buffer.byteLength(character);
    if (left === 0 || room < 0) break;
    left -= 1;
    end += character.length;
  }
  return text.slice(0, end);
};

/** The texts of a message to a model, without its pictures. */
export const messageText = ({ content }: ChatMessage): string =>
  typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("\n\n");

/** The frames of a JPEG, without its tables: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1.1.3 */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The sides of a JPEG; undefined if its head does not say them. */
const sidesOf = (jpeg: Uint8Array): readonly [width: number, height: number] | undefined => {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  for (let at = 2; at + 9 <= jpeg.length && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2))
    if (isFrame(view.getUint8(at + 1))) return [view.getUint16(at + 7), view.getUint16(at + 5)];
  return undefined;
};

/** The side of the largest picture that models are shown. */
const MOST_SIDE = 1024;

/**
 * The most tokens that a documented provider counts for a picture of these sides:
 * - 85, and 170 for each square of 512 pixels: https://developers.openai.com/api/docs/guides/images-vision
 * - a token for 750 pixels: https://docs.claude.com/en/docs/build-with-claude/vision
 * - 258 for each square of 768 pixels: https://ai.google.dev/gemini-api/docs/tokens
 */
export const pictureTokens = (jpeg: Uint8Array): number => {
  const [width, height] = sidesOf(jpeg) ?? [MOST_SIDE, MOST_SIDE];
  const squares = (side: number): number => Math.ceil(width / side) * Math.ceil(height / side);
  return Math.max(85 + 170 * squares(512), Math.ceil((width * height) / 750), 258 * squares(768));
};

/** The tokens of the pictures of a message, about. */
export const pictureTokensIn = ({ content }: ChatMessage): number =>
  typeof content === "string"
    ? 0
    : content.reduce((sum, part) => sum + (part.type === "image" ? pictureTokens(part.bytes) : 0), 0);

/** About four characters make a token. */
export const estimatedTokens = (text: string): number => Math.ceil(codePoints(text) / 4);
