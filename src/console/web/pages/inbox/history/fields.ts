/** The fields of a content, which networks write in several forms. */
export type Fields = Record<string, unknown>;
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** The words above the choices of a message. */
export const bodyText = ({ text, body, question, footer }: Fields): string =>
  [text, typeof body === "object" ? fieldsOf(body)["text"] : body, question, footer]
    .map(textOf)
    .filter(Boolean)
    .join("\n");

/** The labels of a message's buttons: its own, the one that opens a list or a page, and the rows of the list. */
export const optionsOf = ({ buttonText, buttons, sections }: Fields): string[] =>
  [
    textOf(buttonText),
    ...listOf(buttons).map((button) => textOf(fieldsOf(button)["title"] ?? fieldsOf(button)["text"])),
    ...listOf(sections).flatMap((section) =>
      listOf(fieldsOf(section)["rows"]).map((row) => textOf(fieldsOf(row)["title"])),
    ),
  ].filter(Boolean);

/** Networks write contact cards in several forms. */
export const cardOf = (card: Fields): { name: string; phones: string[] } => ({
  name: textOf(card["name"]) || textOf(fieldsOf(card["name"])["formatted_name"]) || textOf(card["displayName"]),
  phones: [textOf(card["phone"]), ...listOf(card["phones"]).map((one) => textOf(fieldsOf(one)["phone"] ?? one))].filter(
    Boolean,
  ),
});
