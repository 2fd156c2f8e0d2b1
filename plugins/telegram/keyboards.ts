import type { Content } from "../../src/contract/content/content.ts";
import type { Json } from "../../src/kernel/texts/json.ts";

type ContentOf<Type extends Content["type"]> = Extract<Content, { type: Type }>["content"];

/** The longest `callback_data`, in UTF-8 bytes: https://core.telegram.org/bots/api#inlinekeyboardbutton. */
const MAX_DATA_BYTES = 64;
/** The longest text of a message: https://core.telegram.org/bots/api#sendmessage. */
const MAX_TEXT_LENGTH = 4096;

type Button = { id: string; text: string };

/** A message with buttons below it, or why the network cannot take it. */
export type Keyboard = { text: string; reply_markup: Json } | { refusal: string };

export const isTooLong = (id: string): boolean => Buffer.byteLength(id) > MAX_DATA_BYTES;
export const TOO_LONG = { refusal: `an id of a button or row has at most ${MAX_DATA_BYTES} bytes on this network` };

const keyboardOf = (text: string, buttons: readonly Button[]): Keyboard => {
  if (buttons.some(({ id }) => isTooLong(id))) return TOO_LONG;
  return {
    text,
    reply_markup: { inline_keyboard: buttons.map((button) => [{ text: button.text, callback_data: button.id }]) },
  };
};

type Header = NonNullable<ContentOf<"button">["header"]>;

/** The text between its header and its footer; a header with a file becomes the file's address. */
const framed = (text: string, { header, footer }: { header?: Header; footer?: string }): string =>
  [header && (header.type === "text" ? header.text : header.mediaUrl), text, footer].filter(Boolean).join("\n\n");

/** Each button is a row of its own. */
export const buttonsOf = ({ text, buttons, ...frame }: ContentOf<"button">): Keyboard =>
  keyboardOf(framed(text, frame), buttons);

/** The network has no lists: each row is a button, and the rest of a row goes into the text, if it fits. */
export const listOfRows = ({ text, sections, ...frame }: ContentOf<"list">): Keyboard => {
  const rows = sections.flatMap((section) => section.rows);
  const isPlain = sections.length === 1 && rows.every(({ description }) => !description);
  const described = sections.map(({ title, rows: some }) => [title, ...some.map(lineOf)].join("\n")).join("\n\n");
  const long = framed(`${text}\n\n${described}`, frame);
  const shown = isPlain || [...long].length > MAX_TEXT_LENGTH ? framed(text, frame) : long;
  return keyboardOf(
    shown,
    rows.map(({ id, title }) => ({ id, text: title })),
  );
};

const lineOf = ({ title, description }: { title: string; description?: string }): string =>
  description ? `• ${title}: ${description}` : `• ${title}`;

/** A button that opens a page. */
export const linkButton = ({ buttonText, url }: Pick<ContentOf<"cta_url">, "buttonText" | "url">): Json => ({
  inline_keyboard: [[{ text: buttonText, url }]],
});

/**
 * A button with which a person sends their location; only private chats have it:
 * https://core.telegram.org/bots/api#keyboardbutton.
 */
export const LOCATION_BUTTON: Json = {
  keyboard: [[{ text: "📍", request_location: true }]],
  resize_keyboard: true,
  one_time_keyboard: true,
};
