import { describe, expect, test } from "bun:test";
import {
  filled,
  firstNameOf,
  repliesFor,
  shortcutIn,
  unfilled,
  variablesIn,
} from "../../../src/console/web/pages/inbox/composer/canned/variables.ts";
import { draftListIn, draftNames, draftsAfter } from "../../../src/console/web/pages/inbox/composer/draft-list.ts";

describe("the variables of a canned reply", () => {
  const values = new Map([
    ["contact.firstName", "Maria"],
    ["contact.email", ""],
    ["contact.código", "{{agent.name}}"],
  ]);

  test("get their values, and those without one stay and are named once", () => {
    const text = filled("Oi, {{contact.firstName}}! {{ contact.email }} {{x.y}} {{x.y}}", values);
    expect(text).toBe("Oi, Maria! {{ contact.email }} {{x.y}} {{x.y}}");
    expect(unfilled(text)).toEqual(["{{ contact.email }}", "{{x.y}}"]);
  });

  test("are not looked for in a value, and a name of every object is none", () => {
    expect(filled("{{contact.código}} {{constructor}}", values)).toBe("{{agent.name}} {{constructor}}");
  });

  test("are no other braces", () => {
    for (const text of ["{ contact.name }", "{{}}", "{{a b}}", "{{{", ""]) expect(unfilled(text)).toEqual([]);
    expect(variablesIn("{{agent.name}} e {{ phone.name }}")).toEqual(["agent.name", "phone.name"]);
  });

  test("have the first word of a name", () => {
    expect(["Maria Souza", "  Ana ", "", "José"].map(firstNameOf)).toEqual(["Maria", "Ana", "", "José"]);
  });
});

describe("the menu of canned replies", () => {
  test.each([
    ["/", ""],
    ["/pix", "pix"],
    ["/horário_2", "horário_2"],
    ["/pix agora", undefined],
    ["oi /pix", undefined],
    ["//", undefined],
    ["", undefined],
  ])("opens for what begins with a slash alone: %s", (text, word) => {
    expect(shortcutIn(text)).toBe(word);
  });

  test("has first what begins with the word, then what has it anywhere, with or without accents", () => {
    const replies = [
      { shortcut: "entrega", text: "Até o horário combinado." },
      { shortcut: "horário", text: "Das 8h às 18h." },
      { shortcut: "pix", text: "A chave." },
    ];
    expect(repliesFor(replies, "HOR").map(({ shortcut }) => shortcut)).toEqual(["horário", "entrega"]);
    expect(repliesFor(replies, "").map(({ shortcut }) => shortcut)).toEqual(["entrega", "horário", "pix"]);
    expect(repliesFor(replies, "nada")).toEqual([]);
  });
});

describe("the kept drafts", () => {
  test("are of one person in one account", () => {
    const [carla, olga, elsewhere] = [draftNames("carla", "a"), draftNames("olga", "a"), draftNames("carla", "b")];
    expect(new Set([carla, olga, elsewhere].flatMap((names) => [names.list, names.of("chat")])).size).toBe(6);
  });

  test("have the newest first, and those beyond the number go", () => {
    expect(draftsAfter(["a", "b"], { id: "b", isEmpty: false }, 2)).toEqual({ kept: ["b", "a"], dropped: [] });
    expect(draftsAfter(["a", "b"], { id: "c", isEmpty: false }, 2)).toEqual({ kept: ["c", "a"], dropped: ["b"] });
    expect(draftsAfter(["a", "b"], { id: "a", isEmpty: true }, 2)).toEqual({ kept: ["b"], dropped: [] });
  });

  test.each([[null], ["{"], ["{}"], ["3"], ["[1]"]])("are none in a damaged list: %s", (text) => {
    expect(draftListIn(text)).toEqual([]);
  });
});
