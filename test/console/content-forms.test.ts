import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import type { ContentLimit } from "../../clients/typescript/src/generated/gateway.ts";
import { fileWays, hasCaption, wayField } from "../../src/console/web/pages/inbox/composer/file-ways.ts";
import { fileContent } from "../../src/console/web/pages/inbox/composer/outgoing.ts";
import { optionsOf } from "../../src/console/web/pages/inbox/history/fields.ts";
import { pollResult } from "../../src/console/web/pages/inbox/history/poll.ts";
import { faultsAtFields } from "../../src/console/web/parts/forms/field-faults.ts";
import { contentIn } from "../../src/console/web/parts/messages/content/content-in.ts";
import { FORM_KINDS, type FormKind, formKindsOf } from "../../src/console/web/parts/messages/content/kinds.ts";
import { CONTENT, contentIssues } from "../../src/contract/content/content.ts";

const formOf = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

/** The content of a form that has these fields below `content.`, beside others of the dialog. */
const filled = (
  kind: FormKind,
  fields: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) => contentIn(kind, formOf({ ...prefixed(fields), ...more, "sendOptions.sender": "Padaria", to: "5511988887777" }));
const prefixed = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`content.${name}`, value]));

/** TABLE: what a person types for each type, and what the API gets. */
const CASES: Record<FormKind, readonly [fields: Record<string, string>, content: object]> = {
  poll: [
    { question: " Qual sabor? ", "options.0": "Cenoura", "options.1": "Chocolate" },
    { question: "Qual sabor?", options: ["Cenoura", "Chocolate"] },
  ],
  contact: [
    {
      "contacts.0.name": "Maria Souza",
      "contacts.0.phone": "+5511988887777",
      "contacts.0.email": "",
      "contacts.1.name": "João Lima",
      "contacts.1.phone": "5511988880001",
      "contacts.1.email": "joao@example.com",
    },
    {
      contacts: [
        { name: "Maria Souza", phone: "5511988887777" },
        { name: "João Lima", phone: "5511988880001", email: "joao@example.com" },
      ],
    },
  ],
  location: [
    { latitude: "-23.55", longitude: "0", name: "Padaria Estrela", address: "" },
    { latitude: -23.55, longitude: 0, name: "Padaria Estrela" },
  ],
  event: [
    {
      name: "Degustação",
      description: "",
      startsAt: "2026-12-05T18:00",
      endsAt: "2026-12-05T20:00",
      "location.name": "Padaria Estrela",
      "location.address": "",
      callLink: "",
    },
    {
      name: "Degustação",
      startsAt: new Date("2026-12-05T18:00").toISOString(),
      endsAt: new Date("2026-12-05T20:00").toISOString(),
      location: { name: "Padaria Estrela" },
      extraGuestsAllowed: false,
    },
  ],
  button: [
    { text: "Confirma?", "buttons.0.text": "Sim", "buttons.1.text": "Não", footer: "" },
    {
      text: "Confirma?",
      buttons: [
        { id: "1", text: "Sim" },
        { id: "2", text: "Não" },
      ],
    },
  ],
  list: [
    {
      text: "Escolha",
      buttonText: "Ver",
      "sections.0.title": "Bolos",
      "sections.0.rows.0.title": "Cenoura",
      "sections.0.rows.0.description": "Com chocolate",
      "sections.1.title": "Pães",
      "sections.1.rows.0.title": "Francês",
      "sections.1.rows.0.description": "",
    },
    {
      text: "Escolha",
      buttonText: "Ver",
      sections: [
        { title: "Bolos", rows: [{ id: "1.1", title: "Cenoura", description: "Com chocolate" }] },
        { title: "Pães", rows: [{ id: "2.1", title: "Francês" }] },
      ],
    },
  ],
  carousel: [
    {
      text: "Os bolos de hoje",
      "cards.0.header.type": "image",
      "cards.0.header.mediaUrl": "https://padaria-estrela.example/a.jpg",
      "cards.0.text": "Cenoura",
      "cards.0.buttons.0.type": "reply",
      "cards.0.buttons.0.text": "Quero",
      "cards.1.header.type": "video",
      "cards.1.header.mediaUrl": "https://padaria-estrela.example/b.mp4",
      "cards.1.text": "Chocolate",
      "cards.1.buttons.0.type": "url",
      "cards.1.buttons.0.text": "Ver",
      "cards.1.buttons.0.url": "https://padaria-estrela.example/b",
      "cards.1.buttons.1.type": "copy",
      "cards.1.buttons.1.text": "Cupom",
      "cards.1.buttons.1.code": "BOLO10",
    },
    {
      text: "Os bolos de hoje",
      cards: [
        {
          header: { type: "image", mediaUrl: "https://padaria-estrela.example/a.jpg" },
          text: "Cenoura",
          buttons: [{ id: "1.1", type: "reply", text: "Quero" }],
        },
        {
          header: { type: "video", mediaUrl: "https://padaria-estrela.example/b.mp4" },
          text: "Chocolate",
          buttons: [
            { type: "url", text: "Ver", url: "https://padaria-estrela.example/b" },
            { type: "copy", text: "Cupom", code: "BOLO10" },
          ],
        },
      ],
    },
  ],
  cta_url: [
    { text: "Veja", buttonText: "Abrir", url: "https://padaria-estrela.example/eventos", footer: "Até amanhã" },
    { text: "Veja", buttonText: "Abrir", url: "https://padaria-estrela.example/eventos", footer: "Até amanhã" },
  ],
  copy_code: [
    { text: "Seu cupom", buttonText: "Copiar", code: "BOLO10", footer: "" },
    { text: "Seu cupom", buttonText: "Copiar", code: "BOLO10" },
  ],
};

test.each(Object.entries(CASES))("the form of %s makes a content that the API takes", (name, [fields, content]) => {
  const kind = name as FormKind;
  const made = filled(kind, fields);
  expect(made).toEqual(content as Record<string, unknown>);
  expect(contentIssues(kind, made, () => true)).toEqual([]);
  // what a schema does not know would be dropped without a word
  expect(Value.Clean(CONTENT[kind], structuredClone(made))).toEqual(made);
});

test("an empty form makes a content that the API refuses at the fields of the form, and sends nothing of its own", () => {
  for (const kind of FORM_KINDS) expect(contentIssues(kind, filled(kind, {}), () => true)).not.toEqual([]);
});

test("a poll takes several answers where the person says so: as many as there are", () => {
  const fields = { question: "Sabores?", "options.0": "A", "options.1": "B", "options.2": "C" };
  expect(filled("poll", fields, { several: "on" })).toMatchObject({ maxSelections: 3 });
  expect(filled("poll", fields)).not.toHaveProperty("maxSelections");
});

test("a time that is none reaches the API as it was typed, so that it is refused there", () => {
  expect(filled("event", { name: "x", startsAt: "amanhã" })).toMatchObject({ startsAt: "amanhã" });
});

test("a refusal stands at the field that it names, and what no field has stays as it is", () => {
  const fields = ["to", "content.options.1", "content.location.name"];
  const refused = {
    to: ["content.options.1 is no number"],
    content: [
      "options.1 is an option already",
      "options.1 is too long",
      "location.name is too long",
      "is not complete",
    ],
    other: ["options.1 is forbidden"],
  };
  expect(faultsAtFields(refused, (name) => fields.includes(name))).toEqual({
    to: ["content.options.1 is no number"],
    "content.options.1": ["is an option already", "is too long"],
    "content.location.name": ["is too long"],
    content: ["is not complete"],
    other: ["options.1 is forbidden"],
  });
});

const limit = (type: string, furtherFields: ContentLimit["furtherFields"]): ContentLimit => ({
  type,
  textMaxChars: null,
  textMaxBytes: null,
  captionMaxChars: null,
  captionMaxBytes: null,
  maxFileBytes: null,
  mimeTypes: null,
  furtherFields,
});

describe("a form or a switch is there only where the phone's network has it", () => {
  test.each([
    ["nothing before it is known", undefined, []],
    ["nothing on a network of texts", { contentTypes: ["text", "image"], contentLimits: [] }, []],
    [
      "what it takes, in the order of the menu",
      { contentTypes: ["poll", "location", "text", "contact"], contentLimits: [] },
      ["contact", "poll", "location"],
    ],
  ] as const)("%s", (_, given, kinds) => {
    const limits = given && { contentTypes: [...given.contentTypes], contentLimits: [...given.contentLimits] };
    expect<string[]>(formKindsOf(limits)).toEqual([...kinds]);
  });

  test("a file has the ways that its type declares", () => {
    const contentLimits = [limit("image", ["mentions", "quality"]), limit("video", ["viewOnce", "videoNote"])];
    const limits = { contentTypes: ["image", "video", "document"], contentLimits };
    expect(fileWays(limits, "image")).toEqual(["standard", "hd"]);
    expect(fileWays(limits, "video")).toEqual(["viewOnce", "videoNote"]);
    expect(fileWays(limits, "document")).toEqual([]);
    expect(fileWays(undefined, "image")).toEqual([]);
  });
});

describe("the way of a file", () => {
  const kept = (contentType: string) => ({ mediaHandle: "recado:1", contentType });

  test("is one field of its content, and none as it is", () => {
    expect(wayField("image", "hd")).toEqual({ quality: "hd" });
    expect(wayField("image", "viewOnce")).toEqual({ viewOnce: true });
    expect(wayField("video", "gifPlayback")).toEqual({ gifPlayback: true });
    expect(wayField("video", "")).toEqual({});
    expect(wayField("document", "hd")).toEqual({});
  });

  test("is left out where the server sees a file of another type", () => {
    const { type, content } = fileContent(kept("application/pdf"), { name: "a.mp4", caption: "", way: "videoNote" });
    expect([type, Object.keys(content).toSorted()]).toEqual(["document", ["filename", "mediaHandle", "mimeType"]]);
  });

  test("leaves a video note without a caption, and any other video with it", () => {
    expect([hasCaption("video", "videoNote"), hasCaption("video", "gifPlayback"), hasCaption("audio", "")]).toEqual([
      false,
      true,
      false,
    ]);
    const note = fileContent(kept("video/mp4"), { name: "a.mp4", caption: "Oi", way: "videoNote" });
    expect(note.content).toEqual({ mediaHandle: "recado:1", mimeType: "video/mp4", videoNote: true });
    const video = fileContent(kept("video/mp4"), { name: "a.mp4", caption: "Oi", way: "viewOnce" });
    expect(video.content).toMatchObject({ caption: "Oi", viewOnce: true });
  });
});

describe("a bubble", () => {
  const vote = (options: string[]) => ({ options, by: "phone:1", at: "2026-11-23T12:00:00Z" });

  test("shows the votes of a poll in its order, also for an option without one; a withdrawn vote is nobody's", () => {
    const content = { question: "?", options: ["A", "B", 7, "C"] };
    const pollTotals = [
      { option: "C", votes: 2 },
      { option: "A", votes: 1 },
    ];
    expect(pollResult({ content, votes: [vote(["A", "C"]), vote(["C"]), vote([])], pollTotals })).toEqual({
      options: [
        { option: "A", votes: 1 },
        { option: "B", votes: 0 },
        { option: "C", votes: 2 },
      ],
      voters: 2,
    });
  });

  test("of a poll without options or totals shows nothing that is not there", () => {
    expect(pollResult({ content: {}, votes: [], pollTotals: null })).toEqual({ options: [], voters: 0 });
  });

  test("has the label that opens a list before its rows, and those of buttons in both forms of the networks", () => {
    const list = { buttonText: "Ver", sections: [{ rows: [{ title: "A" }, { title: "B" }] }, { rows: "x" }] };
    expect(optionsOf(list)).toEqual(["Ver", "A", "B"]);
    expect(optionsOf({ buttons: [{ text: "Sim" }, { title: "Não" }, null] })).toEqual(["Sim", "Não"]);
  });
});
