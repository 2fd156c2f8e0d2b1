import { badRequest } from "./errors.ts";
import { listOf, recordOf, structured, textOf } from "./payload.ts";
import type { Fields } from "./state.ts";

/** Of https://core.telegram.org/bots/api#rich-message-limits. */
const RICH_LENGTH = 32_768;
const ROW = /<tg-button-row(?: align="(?:left|center|right)")?>(.*?)<\/tg-button-row>/gs;
const BUTTON = /<tg-button((?: [a-z_]+="[^"]*")*)>([^<]*)<\/tg-button>/g;
const TAG = /<\/?tg-[a-z-]+(?: [a-z_]+="[^"]*")*>/g;
const MOST_IN_ROW = 8;

/** TABLE: the types of buttons within a rich message, and the attribute that each needs. */
const ACTIONS: Readonly<Record<string, string>> = { callback_data: "data", url: "url", copy_text: "text" };

const decoded = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/**
 * Checks a rich message and shows it as clients get it, as far as its buttons go. Exactly one of `markdown`, `html` and
 * `blocks` (https://core.telegram.org/bots/api#inputrichmessage).
 */
export const shownRich = (value: unknown, checkButtons: (buttons: readonly Fields[]) => void): Fields => {
  const message = recordOf(structured(value ?? {}));
  const given = ["markdown", "html", "blocks"].filter((name) => message[name] !== undefined);
  if (given.length !== 1) throw badRequest("exactly one of the rich message contents must be specified");
  if (given[0] === "blocks") return { blocks: listOf(message["blocks"]) };
  const text = textOf(message["markdown"]) || textOf(message["html"]);
  if (text.trim() === "") throw badRequest("rich message is empty");
  if ([...decoded(text.replace(TAG, ""))].length > RICH_LENGTH) throw badRequest("rich message is too long");
  const rows = [...text.matchAll(ROW)].map(([, row = ""]) => [...row.matchAll(BUTTON)].map(buttonOf));
  const isRead = text.replace(ROW, "").match(TAG) === null;
  if (!isRead || rows.some((row) => row.length < 1 || row.length > MOST_IN_ROW))
    throw badRequest("can't parse rich message: wrong tag");
  checkButtons(rows.flat());
  return { blocks: [{ type: "paragraph", text }, ...rows.map((buttons) => ({ type: "buttons", buttons }))] };
};

const buttonOf = ([, attributes = "", label = ""]: RegExpMatchArray): Fields => {
  const named = new Map(
    [...attributes.matchAll(/ ([a-z_]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, decoded(value)]),
  );
  const type = named.get("type") ?? "";
  const action = named.get(ACTIONS[type] ?? "");
  if (action === undefined) throw badRequest("can't parse rich message: wrong type of a button");
  const style = named.get("style");
  return {
    text: decoded(label),
    [type]: type === "copy_text" ? { text: action } : action,
    ...(style === undefined ? {} : { style }),
  };
};
