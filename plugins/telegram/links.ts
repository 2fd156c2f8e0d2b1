import { listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { numberWithin, textOf } from "./json.ts";

const MAX_URL_LENGTH = 2048;
/** The longest text with its addresses: an event has at most 256 KiB as JSON. */
const MAX_SHOWN_LENGTH = 64 * 1024;

/** A label with the address behind it, unless the label is the address. */
export const withAddress = (label: string, url: string | undefined): string =>
  url === undefined || url.length > MAX_URL_LENGTH || isSame(label, url) ? label : `${label} (${url})`;

const isSame = (label: string, url: string): boolean => bare(label) === bare(url);
const bare = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");

/**
 * A text with the addresses that it hides behind words: a client sees no other part of the message. Offsets count UTF-16
 * units, as those of JavaScript do: https://core.telegram.org/bots/api#messageentity.
 */
export const withLinks = (text: string, entities: unknown): string => {
  const links = listOf(entities).flatMap((entity) => {
    const { type, url, offset, length } = recordOf(entity);
    const [from, size] = [numberWithin(offset, 0, text.length), numberWithin(length, 1, text.length)];
    const address = textOf(url);
    return type !== "text_link" || from === undefined || size === undefined || address === undefined
      ? []
      : [{ from, to: Math.min(from + size, text.length), address }];
  });
  let shown = "";
  let at = 0;
  for (const { from, to, address } of links.toSorted((a, b) => a.from - b.from)) {
    if (from < at || shown.length > MAX_SHOWN_LENGTH) continue;
    shown += text.slice(at, from) + withAddress(text.slice(from, to), address);
    at = to;
  }
  return shown + text.slice(at);
};
