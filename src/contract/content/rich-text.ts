import { type Static, Type } from "@sinclair/typebox";
import { described, type Issue, issue, OneOf, Text, Url } from "../../kernel/schema.ts";
import { BUTTONS_PLACE, countPlaces } from "./button-places.ts";

/** What a button is for, as the network colours it. */
const BUTTON_STYLES = ["primary", "success", "danger"] as const;

const Button = Type.Object(
  {
    text: described(Text(1, 64), "The text of the button; 1 to 64 characters", "Ver cardápio"),
    id: Type.Optional(described(Text(1, 200), "The value that comes back when it is pressed", "sim")),
    url: Type.Optional(described(Url(), "The page that it opens", "https://padaria-estrela.example/cardapio")),
    copyText: Type.Optional(described(Text(1, 256), "The text that it copies, such as a code", "BOLO10")),
    style: Type.Optional(OneOf(BUTTON_STYLES, { description: "What it is for; the network's own colour by default" })),
  },
  { title: "RichTextButton" },
);

export const RichTextContent = Type.Object(
  {
    text: described(
      Text(1, 32_768),
      "The text in Markdown, with headings, lists, tables and quotations; at most 32,768 characters",
      "# Cardápio\n\n| Bolo | R$ |\n|:--|--:|\n| Cenoura | 25 |",
    ),
    buttons: Type.Optional(
      Type.Array(
        Type.Array(Button, {
          minItems: 1,
          maxItems: 8,
          description: "The buttons of one row; each has one of `id`, `url` and `copyText`",
        }),
        {
          minItems: 1,
          maxItems: 12,
          description: `Rows of buttons. A line ${BUTTONS_PLACE} of the text is the place of a row; the others stand below`,
        },
      ),
    ),
  },
  { title: "RichTextContent" },
);

const ACTIONS = ["id", "url", "copyText"] as const;

/** A button does one thing, and an answer names it by its id alone. */
export const richTextIssues = ({ text, buttons = [] }: Static<typeof RichTextContent>): Issue[] => {
  const seen = new Set<string>();
  const places =
    countPlaces(text) > buttons.length
      ? [issue("content.text", "forbidden", `has more lines ${BUTTONS_PLACE} than there are rows of buttons`)]
      : [];
  const faults = buttons.flatMap((row, at) =>
    row.flatMap((button, place) => {
      const path = `content.buttons.${at}.${place}`;
      const actions = ACTIONS.filter((action) => button[action] !== undefined);
      if (actions.length !== 1) return [issue(path, "required", "must have exactly one of id, url and copyText")];
      if (button.id === undefined || seen.size !== seen.add(button.id).size) return [];
      return [issue(`${path}.id`, "forbidden", "is the id of another one already")];
    }),
  );
  return [...places, ...faults];
};
