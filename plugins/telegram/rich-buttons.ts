import { countPlaces, fillPlaces } from "../../src/contract/content/button-places.ts";
import type { Content } from "../../src/contract/content/content.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import { isTooLong, TOO_LONG } from "./keyboards.ts";

type RichText = Extract<Content, { type: "rich_text" }>["content"];
type Row = NonNullable<RichText["buttons"]>[number];
type Button = Row[number];

/**
 * A rich message in Markdown (Bot API 10.1), its buttons in their places within it (10.3) and below it; or why the
 * network cannot take it.
 */
export const richFields = ({ text, buttons = [] }: RichText): Json | { refusal: string } => {
  if (buttons.flat().some(({ id = "" }) => isTooLong(id))) return TOO_LONG;
  const below = buttons.slice(countPlaces(text));
  return {
    rich_message: { markdown: fillPlaces(text, (place) => rowWithin(buttons[place] ?? [])) },
    ...(below.length > 0 ? { reply_markup: { inline_keyboard: below.map((row) => row.map(buttonBelow)) } } : {}),
  };
};

/** https://core.telegram.org/bots/api#inlinekeyboardbutton */
const buttonBelow = ({ text, id, url, copyText, style }: Button): Json => ({
  text,
  ...(id === undefined ? {} : { callback_data: id }),
  ...(url === undefined ? {} : { url }),
  ...(copyText === undefined ? {} : { copy_text: { text: copyText } }),
  ...(style === undefined ? {} : { style }),
});

/** Rich Markdown takes the tags of rich HTML: https://core.telegram.org/bots/api#inputrichblockbuttons. */
const rowWithin = (row: Row): string => `<tg-button-row>${row.map(buttonWithin).join("")}</tg-button-row>`;

const buttonWithin = ({ text, style, ...action }: Button): string => {
  const styled = style === undefined ? "" : ` style="${style}"`;
  return `<tg-button ${actionOf(action)}${styled}>${escaped(text)}</tg-button>`;
};

/** The schema of the content has seen to it that a button does one thing. */
const actionOf = ({ id, url, copyText = "" }: Pick<Button, "id" | "url" | "copyText">): string => {
  if (id !== undefined) return `type="callback_data" data="${escaped(id)}"`;
  return url === undefined ? `type="copy_text" text="${escaped(copyText)}"` : `type="url" url="${escaped(url)}"`;
};

/** Every sign of ASCII that HTML or Markdown may read, as its number. */
const escaped = (text: string): string =>
  text.replace(/[^A-Za-z0-9 \u0080-\u{10ffff}]/gu, (sign) => `&#${sign.codePointAt(0)};`);
