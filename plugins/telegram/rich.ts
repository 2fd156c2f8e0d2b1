import { isRecord, type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { numberOf, textOf } from "./json.ts";
import { withAddress } from "./links.ts";

/** Rich messages (Bot API 10.1 to 10.3) as plain text: https://core.telegram.org/bots/api#richmessage. */

/** The network's own limit is 16 levels. */
const MAX_DEPTH = 20;
/** The network's own limit is 32,768 characters. */
const MAX_LENGTH = 32_768;

/** A formatted text: a text, a list of them, or a mark around one. */
const plain = (text: unknown, depth = 0): string => {
  if (typeof text === "string") return text;
  if (depth > MAX_DEPTH) return "";
  if (Array.isArray(text)) return text.map((part) => plain(part, depth + 1)).join("");
  const mark = recordOf(text);
  switch (mark["type"]) {
    case "url":
      return withAddress(plain(mark["text"], depth + 1), textOf(mark["url"]));
    case "custom_emoji":
      return textOf(mark["alternative_text"]) ?? "";
    case "mathematical_expression":
      return textOf(mark["expression"]) ?? "";
    case "button":
      return labelOf(recordOf(mark["button"]), depth + 1);
    default:
      return plain(mark["text"] ?? "", depth + 1);
  }
};

const labelOf = (button: Json, depth: number): string =>
  `[${withAddress(plain(button["text"], depth), textOf(button["url"]))}]`;

/** A file within a rich message is named by its kind; its caption follows. */
const MEDIA = new Set(["animation", "audio", "photo", "video", "voice_note", "document"]);

const captionOf = (caption: unknown, depth: number): string[] => {
  if (!isRecord(caption)) return [plain(caption ?? "", depth)];
  return "type" in caption
    ? [plain(caption, depth)]
    : [plain(caption["text"] ?? "", depth), plain(caption["credit"] ?? "", depth)];
};

const lines = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n");

const cells = (row: unknown, depth: number): string =>
  listOf(row)
    .map((cell) => plain(recordOf(cell)["text"] ?? "", depth))
    .join(" | ");

const item = (one: Json, depth: number): string => {
  const box = one["has_checkbox"] === true ? (one["is_checked"] === true ? "[x]" : "[ ]") : undefined;
  return [box ?? textOf(one["label"]) ?? "•", blocksText(one["blocks"], depth)].join(" ");
};

const blockText = (block: Json, depth: number): string => {
  const type = textOf(block["type"]) ?? "";
  if (MEDIA.has(type)) return lines([`[${type}]`, ...captionOf(block["caption"], depth)]);
  switch (type) {
    case "divider":
      return "---";
    case "mathematical_expression":
      return textOf(block["expression"]) ?? "";
    case "list":
      return lines(listOf(block["items"]).map((one) => item(recordOf(one), depth)));
    case "table":
      return lines([...captionOf(block["caption"], depth), ...listOf(block["cells"]).map((row) => cells(row, depth))]);
    case "buttons":
      return listOf(block["buttons"])
        .map((button) => labelOf(recordOf(button), depth))
        .join(" ");
    case "map": {
      const { latitude, longitude } = recordOf(block["location"]);
      return lines([[numberOf(latitude), numberOf(longitude)].join(", "), ...captionOf(block["caption"], depth)]);
    }
    default:
      return lines([
        plain(block["summary"] ?? "", depth),
        plain(block["text"] ?? "", depth),
        blocksText(block["blocks"], depth),
        ...captionOf(block["caption"], depth),
        plain(block["credit"] ?? "", depth),
      ]);
  }
};

const blocksText = (blocks: unknown, depth: number): string =>
  depth > MAX_DEPTH ? "" : lines(listOf(blocks).map((block) => blockText(recordOf(block), depth + 1)));

/** The words of a rich message, each block on a line of its own; undefined without words. */
export const richTextOf = (message: unknown): string | undefined =>
  textOf([...blocksText(recordOf(message)["blocks"], 0)].slice(0, MAX_LENGTH).join(""));

/** Every button of a rich message, with its label as plain text. */
export const richButtonsOf = (message: unknown): { data: unknown; label: string }[] => {
  const found: { data: unknown; label: string }[] = [];
  const look = (value: unknown, depth: number): void => {
    if (depth > 4 * MAX_DEPTH) return;
    if (Array.isArray(value)) return value.forEach((one) => look(one, depth + 1));
    if (!isRecord(value)) return;
    if (value["callback_data"] !== undefined) found.push({ data: value["callback_data"], label: plain(value["text"]) });
    for (const part of Object.values(value)) look(part, depth + 1);
  };
  look(recordOf(message)["blocks"], 0);
  return found;
};
