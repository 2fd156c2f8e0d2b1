import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { wordsOf } from "../../../plugins/telegram/content.ts";
import { eventsOf } from "../../../plugins/telegram/inbound.ts";
import { withLinks } from "../../../plugins/telegram/links.ts";
import { richButtonsOf, richTextOf } from "../../../plugins/telegram/rich.ts";
import { PERSON } from "../../support/networks/telegram-channel.ts";

const link = (offset: number, length: number, url: string) => ({ type: "text_link", offset, length, url });

describe("a link behind a word", () => {
  test("is visible in the text, where the word is", () => {
    const entities = [
      { type: "bold", offset: 0, length: 4 },
      link(5, 4, "https://loja.example/bolo"),
      link(12, 4, "https://loja.example/pão"),
    ];
    expect(withLinks("Veja isto e isso.", entities)).toBe(
      "Veja isto (https://loja.example/bolo) e isso (https://loja.example/pão).",
    );
  });

  test.each([
    ["the word is the address", "loja.example", [link(0, 12, "https://loja.example/")], "loja.example"],
    ["a place counts UTF-16 units", "😀 aqui", [link(3, 4, "https://a.example")], "😀 aqui (https://a.example)"],
    [
      "two overlap",
      "aqui",
      [link(0, 4, "https://a.example"), link(2, 2, "https://b.example")],
      "aqui (https://a.example)",
    ],
    ["a place is outside", "oi", [link(9, 4, "https://a.example"), link(0, -1, "x"), { type: "text_link" }], "oi"],
    ["it ends behind the text", "oi", [link(0, 2, "https://a.example"), null, 5], "oi (https://a.example)"],
  ])("%s", (_, text, entities, shown) => {
    expect(withLinks(text, entities)).toBe(shown);
  });

  test("also in a caption and in an edit", () => {
    const caption = { caption: "aqui", caption_entities: [link(0, 4, "https://a.example")] };
    expect(wordsOf(caption)).toBe("aqui (https://a.example)");
    const [edited] = eventsOf({
      update_id: 1,
      edited_message: { message_id: 7, date: 1, from: { id: PERSON }, chat: { id: PERSON }, photo: [], ...caption },
    });
    expect(edited).toMatchObject({ kind: "edited", text: "aqui (https://a.example)" });
  });
});

const BUTTONS = [
  { text: "Sim", callback_data: "yes", style: "success" },
  { text: ["Abrir ", { type: "bold", text: "loja" }], url: "https://loja.example" },
  { text: "Esgotado", disabled: {} },
];
const RICH = {
  blocks: [
    { type: "heading", size: 1, text: ["Pedido ", { type: "bold", text: "42" }] },
    { type: "paragraph", text: ["Veja ", { type: "url", text: "o cardápio", url: "https://loja.example/c" }, "."] },
    { type: "divider" },
    {
      type: "list",
      items: [
        { label: "1.", blocks: [{ type: "paragraph", text: "Bolo" }] },
        { label: "•", has_checkbox: true, is_checked: true, blocks: [{ type: "paragraph", text: "Pão" }] },
      ],
    },
    {
      type: "table",
      caption: "Preços",
      is_compact: true,
      cells: [
        [{ text: "Bolo" }, { text: "25" }],
        [{ text: "Pão" }, {}],
      ],
    },
    { type: "expandable_blockquote", text: "Feito hoje", credit: "Padaria" },
    { type: "details", summary: "Mais", blocks: [{ type: "paragraph", text: "Sem glúten" }] },
    { type: "photo", photo: [{ file_id: "x" }], caption: { text: "A vitrine", credit: "Ana" } },
    { type: "document", document: { file_id: "y" } },
    { type: "paragraph", text: { type: "button", button: { text: "Talvez", callback_data: "maybe" } } },
    { type: "buttons", buttons: BUTTONS },
    { type: "mathematical_expression", expression: "x^2" },
    { type: "um bloco que ainda não há", text: "novo", blocks: [{ type: "paragraph", text: "dentro" }] },
  ],
};

describe("a rich message (Bot API 10.1 to 10.3)", () => {
  test("is its words, block by block: lists, tables, quotations, files by their kind, and buttons by their labels", () => {
    expect(richTextOf(RICH)?.split("\n")).toEqual([
      "Pedido 42",
      "Veja o cardápio (https://loja.example/c).",
      "---",
      "1. Bolo",
      "[x] Pão",
      "Preços",
      "Bolo | 25",
      "Pão | ",
      "Feito hoje",
      "Padaria",
      "Mais",
      "Sem glúten",
      "[photo]",
      "A vitrine",
      "Ana",
      "[document]",
      "[Talvez]",
      "[Sim] [Abrir loja (https://loja.example)] [Esgotado]",
      "x^2",
      "novo",
      "dentro",
    ]);
  });

  test("comes as a text, and one without words as what it is", () => {
    const received = (rich_message: object) =>
      eventsOf({
        update_id: 1,
        message: { message_id: 7, date: 1, from: { id: PERSON }, chat: { id: PERSON }, rich_message },
      })[0];
    expect(received(RICH)).toMatchObject({ content: { type: "text" } });
    expect(received({ blocks: [] })).toMatchObject({ content: { type: "unsupported" } });
  });

  test.each([
    ["yes", "Sim"],
    ["maybe", "Talvez"],
    ["other", "other"],
  ])("its button %s that is pressed comes with its label", (data, text) => {
    const message = { message_id: 7, date: 1, chat: { id: PERSON }, rich_message: RICH };
    const [pressed] = eventsOf({ update_id: 1, callback_query: { id: "9", from: { id: PERSON }, message, data } });
    expect(pressed).toMatchObject({ content: { type: "button_reply", content: { selectedId: data, text } } });
  });

  test("of any shape is read without an exception, and ends", () => {
    const nested = Array.from({ length: 200 }).reduce<object>((inner) => ({ type: "details", blocks: [inner] }), {});
    expect(richTextOf({ blocks: [nested] })).toBeUndefined();
    const mark = Array.from({ length: 5000 }).reduce<object>((inner) => ({ type: "bold", text: inner }), {});
    expect(richTextOf({ blocks: [{ type: "paragraph", text: mark }] })).toBeUndefined();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const message of [value, { blocks: value }, { blocks: [value] }]) {
          richTextOf(message);
          richButtonsOf(message);
        }
      }),
    );
  });
});
