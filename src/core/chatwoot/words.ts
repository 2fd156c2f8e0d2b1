import type { InboundContent } from "../../contract/content/inbound-content.ts";
import { type Json, listOf, recordOf } from "../../kernel/texts/json.ts";
import type { MessageRow } from "../../store/tables/messaging/messages.ts";

// How contents read in Chatwoot, whose messages are text with files, and how an agent's text reads on a phone.

/** TABLE: the fields of contents that people read first. */
const TEXTS = ["text", "caption", "body", "question", "title", "name", "code", "phoneNumber"] as const;

type Said = { type: InboundContent["type"] | MessageRow["type"]; content: object };

/** A message as text. Empty for a file without a caption, whose file says everything. */
export const chatwootWords = ({ type, content }: Said): string => {
  const fields = content as Json;
  switch (type) {
    case "location":
      return placeWords(fields);
    case "contact":
      return listOf(fields["contacts"]).map(cardWords).join("\n");
    case "poll":
      return [
        `📊 ${String(fields["question"])}`,
        ...listOf(fields["options"]).map((one) => `• ${optionWords(one)}`),
      ].join("\n");
    case "order":
      return [...orderWords(fields), firstText(fields) ?? ""].filter(Boolean).join("\n");
    case "event":
      return `📅 ${String(fields["name"])}, ${String(fields["startsAt"])}`;
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return [firstText(fields), fields["mediaUrl"]].filter((one) => typeof one === "string").join("\n");
    default:
      return [firstText(fields) ?? `[${type}]`, ...choices(fields)].join("\n");
  }
};

const firstText = (fields: Json): string | undefined =>
  TEXTS.map((name) => textIn(fields[name])).find((text) => text !== undefined);

/** A field is a text, or an object with one, as the body of buttons. */
const textIn = (value: unknown): string | undefined => {
  const text = typeof value === "object" && value !== null && "text" in value ? value.text : value;
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
};

const optionWords = (option: unknown): string => textIn(option) ?? textIn(recordOf(option)["name"]) ?? "";

/** The buttons and rows that a sent message offers, and where it leads. */
const choices = (fields: Json): string[] => {
  const rows = listOf(fields["sections"]).flatMap((section) => listOf(recordOf(section)["rows"]));
  const labels = [...listOf(fields["buttons"]), ...rows].map(recordOf);
  const url = textIn(fields["url"]);
  return [
    ...labels.flatMap((one) => textIn(one["text"]) ?? textIn(one["title"]) ?? []).map((label) => `• ${label}`),
    ...(url === undefined ? [] : [url]),
  ];
};

const placeWords = ({ latitude, longitude, name, address }: Json): string =>
  [
    `📍 ${[name, address].filter((one) => typeof one === "string" && one !== "").join(", ")}`.trim(),
    `https://www.google.com/maps?q=${String(latitude)},${String(longitude)}`,
  ].join("\n");

/** A card, as we send it or as the networks have it. */
const cardWords = (card: unknown): string => {
  const { name, phone, phones } = recordOf(card);
  const title = textIn(name) ?? textIn(recordOf(name)["formatted_name"]) ?? "";
  const numbers = [textIn(phone), ...listOf(phones).map((one) => textIn(recordOf(one)["phone"]))];
  return `👤 ${[title, ...numbers.filter((one) => one !== undefined)].join(", ")}`;
};

const orderWords = ({ items }: Json): string[] =>
  listOf(items)
    .map(recordOf)
    .map(({ productId, quantity }) => `🛒 ${typeof quantity === "number" ? quantity : 1} × ${textIn(productId) ?? ""}`);

/** TABLE: the marks of Markdown, which Chatwoot's editor writes, and those of the networks. */
const MARKS: readonly (readonly [pattern: RegExp, mark: string])[] = [
  [/(?<![*\w])\*(?![*\s])([^*\n]+?)(?<![*\s])\*(?![*\w])/g, "_$1_"],
  [/\*\*(?!\s)([^*\n]+?)(?<!\s)\*\*/g, "*$1*"],
  [/~~(?!\s)([^~\n]+?)(?<!\s)~~/g, "~$1~"],
];

/** The characters before which Chatwoot's editor writes a backslash, so that they are no marks. */
const ESCAPED = "\\`*~[]_:#-+>.";
/** Stand for them until the marks are changed: characters that Unicode keeps for such uses. */
const FIRST_STAND_IN = 0xfdd0;
const STAND_INS = /[\uFDD0-\uFDDC]/g;

/** Lines end with a backslash where the editor broke them without beginning a paragraph. */
const withStandIns = (markdown: string): string =>
  markdown.replaceAll(/\\(\r?\n|[\\`*~[\]_:#\-+>.])/g, (_escape, one: string) =>
    one.endsWith("\n") ? "\n" : String.fromCharCode(FIRST_STAND_IN + ESCAPED.indexOf(one)),
  );
const withoutStandIns = (text: string): string =>
  text.replaceAll(STAND_INS, (one) => ESCAPED.charAt(one.charCodeAt(0) - FIRST_STAND_IN));

/**
 * An agent's text with the marks of the networks: `**bold**` becomes `*bold*`. The backslashes of the editor are left
 * out.
 */
export const networkWords = (markdown: string): string =>
  withoutStandIns(MARKS.reduce((text, [pattern, mark]) => text.replaceAll(pattern, mark), withStandIns(markdown)));
