import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { cardsFault, withMoreCards } from "../../src/console/web/pages/templates/cards.ts";
import { changeOf, draftOf } from "../../src/console/web/pages/templates/draft.ts";
import { FORMS } from "../system/console/support/edit-forms.ts";

const WEB = resolve(import.meta.dir, "../../src/console/web");

/** Every file that draws forms, with how many. */
const drawn = async (): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const path of new Bun.Glob("**/*.tsx").scanSync(WEB)) {
    const forms = (await Bun.file(`${WEB}/${path}`).text()).match(/<Form\b/g)?.length ?? 0;
    if (forms > 0) found[path] = forms;
  }
  return found;
};

test("every form is in the table of forms, so that each that shows a record is saved untouched in a browser", async () => {
  const known = Object.entries(FORMS).map(([path, forms]) => {
    const { edits = [], asks = 0 }: { edits?: readonly string[]; asks?: number } = forms;
    return [path, edits.length + asks];
  });
  expect(await drawn()).toEqual(Object.fromEntries(known));
});

test("a choice of a form marks its option: the library writes `defaultValue` as an attribute that shows nothing", async () => {
  const wrong: string[] = [];
  for (const path of new Bun.Glob("**/*.tsx").scanSync(WEB)) {
    const source = await Bun.file(`${WEB}/${path}`).text();
    const [selects, marks] = [source.match(/<select\b/g) ?? [], source.match(/\bselected=\{/g) ?? []];
    if (selects.length > marks.length) wrong.push(path);
  }
  expect(wrong).toEqual([]);
});

const STORED = {
  id: "1",
  name: "offer",
  language: "pt_BR",
  category: "MARKETING",
  components: [
    { type: "HEADER", format: "TEXT", text: "Hi {{1}}", example: { header_text: ["Ana"] } },
    { type: "BODY", text: " Olá {{1}}, tudo bem? ", example: { body_text: [["Ana"]] } },
    {
      type: "BUTTONS",
      buttons: [
        { type: "QUICK_REPLY", text: "Yes" },
        { type: "COPY_CODE", example: "RECADO10" },
      ],
    },
    { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Today", has_expiration: true } },
  ],
} as unknown as Parameters<typeof changeOf>[1];

test("a template that nobody changed is sent as it is stored, with what the form does not know", () => {
  expect<object>(changeOf(draftOf(STORED), STORED, {})).toEqual({ components: STORED.components });
});

test("a change of a template changes that part alone, and buttons of other kinds stay", () => {
  const draft = { ...draftOf(STORED), buttons: [{ kind: "QUICK_REPLY" as const, text: "No", value: "", example: "" }] };
  const [header, body, , offer] = STORED.components;
  const buttons = [
    { type: "QUICK_REPLY", text: "No" },
    { type: "COPY_CODE", example: "RECADO10" },
  ];
  expect<object>(changeOf(draft, STORED, {})).toEqual({
    components: [header, body, { type: "BUTTONS", buttons }, offer],
  });
});

const cardOf = (format: string, text: string, button: object) => ({
  components: [
    { type: "HEADER", format, example: { header_handle: ["4::stored"] } },
    { type: "BODY", text, example: { body_text: [["milho"]] } },
    { type: "BUTTONS", buttons: [button] },
  ],
});
const withNamedCards = (): typeof STORED => {
  const named = { body_text_named_params: [{ param_name: "sabor", example: "milho" }] };
  const body = { type: "BODY", text: "Bolo de {{sabor}}, quente.", example: named };
  const cards = [1, 2].map(() => ({ components: [{ type: "HEADER", format: "IMAGE" }, body] }));
  return { ...STORED, components: [...STORED.components, { type: "CAROUSEL", cards }] };
};
const withCards = (format: string, button: object): typeof STORED => {
  const cards = ["Bolo de {{1}}, quente.", "Pão de {{1}}, quente."].map((text) => cardOf(format, text, button));
  return { ...STORED, components: [...STORED.components, { type: "CAROUSEL", cards }] };
};
const carouselIn = (components: readonly { type: string }[] = []) => components.find(({ type }) => type === "CAROUSEL");
const OFFER = { type: "QUICK_REPLY", text: "Quero" };

test.each([
  ["that the form knows", withCards("IMAGE", OFFER), 2],
  ["of products", withCards("PRODUCT", OFFER), 0],
  ["with a button of another kind", withCards("VIDEO", { type: "COPY_CODE", example: "BOLO10" }), 0],
  ["with variables that have names", withNamedCards(), 0],
])("cards %s stay as they are stored when a template is changed", (_, stored, shown) => {
  const draft = draftOf(stored);
  expect([draft.cards.length, draft.hasOtherCards]).toEqual([shown, shown === 0]);
  const { components } = changeOf({ ...draft, footer: "Padaria" }, stored, {});
  expect<unknown>(carouselIn(components)).toEqual(stored.components.at(-1));
});

test("a changed card is submitted with the new example files of all cards", () => {
  const stored = withCards("IMAGE", OFFER);
  const draft = draftOf(stored);
  const [first, second] = draft.cards;
  if (!first || !second) throw new Error("the cards were not read");
  const cards = [{ ...first, body: "Torta de {{1}}, fria." }, second];
  const { components } = changeOf({ ...draft, cards }, stored, { cards: ["4::a", "4::b"] });
  const { components: of } = cardOf("IMAGE", "Torta de {{1}}, fria.", OFFER);
  const headerOf = (handle: string) => ({ type: "HEADER", format: "IMAGE", example: { header_handle: [handle] } });
  expect<unknown>(carouselIn(components)).toMatchObject({
    type: "CAROUSEL",
    cards: [
      { components: [headerOf("4::a"), ...of.slice(1)] },
      { components: [headerOf("4::b"), { type: "BODY", text: "Pão de {{1}}, quente." }, { type: "BUTTONS" }] },
    ],
  });
});

test("a further card has the buttons of the last one, and cards that differ are told", () => {
  const pair = withMoreCards([]);
  const [first, second] = pair;
  if (!first || !second) throw new Error("the first cards are a pair");
  const linked = {
    ...second,
    buttons: [{ kind: "URL" as const, text: "Ver", value: "https://a.example", example: "" }],
  };
  expect(withMoreCards([first, linked]).at(-1)?.buttons).toEqual([
    { kind: "URL", text: "Ver", value: "", example: "" },
  ]);
  expect([pair, [first], [first, linked], [{ ...first, body: "Bolo" }, second], []].map(cardsFault)).toEqual([
    undefined,
    "cardsTooFew",
    "cardsDiffer",
    "cardsDiffer",
    undefined,
  ]);
});
