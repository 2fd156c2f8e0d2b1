import { expect, test } from "bun:test";
import { resolve } from "node:path";
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
  expect<object>(changeOf(draftOf(STORED), STORED, undefined)).toEqual({ components: STORED.components });
});

test("a change of a template changes that part alone, and buttons of other kinds stay", () => {
  const draft = { ...draftOf(STORED), buttons: [{ kind: "QUICK_REPLY" as const, text: "No", value: "", example: "" }] };
  const [header, body, , offer] = STORED.components;
  const buttons = [
    { type: "QUICK_REPLY", text: "No" },
    { type: "COPY_CODE", example: "RECADO10" },
  ];
  expect<object>(changeOf(draft, STORED, undefined)).toEqual({
    components: [header, body, { type: "BUTTONS", buttons }, offer],
  });
});
