/** The fields of a content, which networks write in several forms. */
export type Fields = Record<string, unknown>;
export const asText = (value: unknown): string => (typeof value === "string" ? value : "");
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** The words above the choices of a message. */
export const bodyText = ({ text, body, question, footer }: Fields): string =>
  [text, typeof body === "object" ? asFields(body)["text"] : body, question, footer]
    .map(asText)
    .filter(Boolean)
    .join("\n");

/** The labels of a message's buttons: its own, the one that opens a list or a page, and the rows of the list. */
export const optionsOf = ({ buttonText, buttons, sections }: Fields): string[] =>
  [
    asText(buttonText),
    ...asList(buttons).map((button) => asText(asFields(button)["title"] ?? asFields(button)["text"])),
    ...asList(sections).flatMap((section) =>
      asList(asFields(section)["rows"]).map((row) => asText(asFields(row)["title"])),
    ),
  ].filter(Boolean);

/** Networks write contact cards in several forms. */
export const cardOf = (card: Fields): { name: string; phones: string[] } => ({
  name: asText(card["name"]) || asText(asFields(card["name"])["formatted_name"]) || asText(card["displayName"]),
  phones: [asText(card["phone"]), ...asList(card["phones"]).map((one) => asText(asFields(one)["phone"] ?? one))].filter(
    Boolean,
  ),
});
