import { beforeEach, describe, expect, test } from "bun:test";
import { choiceOf, hasOptions, menuRow, menuText } from "../../../../plugins/session/outbound/content/choices.ts";
import { createHttp } from "../../../../src/adapters/http/http.ts";
import { recordingHost } from "../../../../src/conformance/recording-host.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import type { KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";

type Menu = Extract<SendOrder, { type: "button" | "list" }>;
const ORDER = { messageId: "m1", to: "pn:5511911110001" };
const BUTTONS: Menu = {
  ...ORDER,
  type: "button",
  content: {
    text: "Confirma?",
    footer: "Loja",
    buttons: [
      { id: "yes", text: "Sim" },
      { id: "no", text: "Não" },
    ],
  },
};
const LIST: Menu = {
  ...ORDER,
  type: "list",
  content: {
    text: "O que deseja?",
    buttonText: "Abrir",
    sections: [
      { title: "Vendas", rows: [{ id: "a", title: "Preços", description: "de tudo" }] },
      {
        title: "Outros",
        rows: [
          { id: "b", title: "2" },
          { id: "c", title: "Falar com gente" },
        ],
      },
    ],
  },
};

const CHAT = "pn:5511911110001";
const key = (text: string) => text as ProviderMessageId;
let now = 1_000_000;
let keyStore: KeyStore;
beforeEach(async () => {
  now = 1_000_000;
  keyStore = await recordingHost({
    http: createHttp({ allow: [], extraCa: undefined }),
    vault: {},
  }).vault.openKeyStore();
});
const sent = async (order: Menu, id: string, chat = CHAT) =>
  keyStore.write({ rows: [await menuRow(keyStore, { chat, key: key(id), order, now })] });
const said = (text: string, quotedProviderMessageId?: string, chats: readonly string[] = [CHAT]) =>
  choiceOf(keyStore, chats, { text, quotedProviderMessageId, now });

describe("buttons and lists as text", () => {
  test("buttons are numbered", () => {
    expect(menuText(BUTTONS)).toBe("Confirma?\n\n1. Sim\n2. Não\n\n_Loja_");
  });

  test("a header stands above the text: a text in bold, a file as its address", () => {
    const below = (header: object) => menuText({ ...BUTTONS, content: { ...BUTTONS.content, header } } as Menu);
    expect(below({ type: "text", text: "Padaria" })).toStartWith("*Padaria*\n\nConfirma?");
    expect(below({ type: "image", mediaUrl: "https://a.example/b.jpg" })).toStartWith(
      "https://a.example/b.jpg\n\nConfirma?",
    );
  });

  test("the rows of a list are numbered through, under the titles of their sections", () => {
    expect(menuText(LIST)).toBe("O que deseja?\n\n*Vendas*\n1. Preços – de tudo\n\n*Outros*\n2. 2\n3. Falar com gente");
  });
});

describe("what is said to a menu", () => {
  test.each([
    ["1", "yes", "Sim"],
    ["2", "no", "Não"],
    ["2.", "no", "Não"],
    [" 1) ", "yes", "Sim"],
    ["Sim", "yes", "Sim"],
    ["Não ", "no", "Não"],
  ])("'%s' chooses", async (text, selectedId, title) => {
    await sent(BUTTONS, "A");
    expect(await said(text)).toEqual({ selectedId, text: title });
  });

  test.each(["0", "3", "sim", "Sim!", "12", "1 2", "", "-1", "uma"])("'%s' chooses nothing", async (text) => {
    await sent(BUTTONS, "A");
    expect(await said(text)).toBeUndefined();
  });

  test("a title counts before a number", async () => {
    await sent(LIST, "A");
    expect(await said("2")).toEqual({ selectedId: "b", text: "2" });
    expect(await said("3")).toEqual({ selectedId: "c", text: "Falar com gente" });
  });

  test("what replies to a menu is measured by that one alone, everything else by the last", async () => {
    await sent(BUTTONS, "A");
    now += 1000;
    await sent(LIST, "B");
    expect(await said("1")).toEqual({ selectedId: "a", text: "Preços" });
    expect(await said("1", "A")).toEqual({ selectedId: "yes", text: "Sim" });
    expect(await said("Sim")).toBeUndefined();
    expect(await said("1", "C")).toBeUndefined();
  });

  test("the same in the chat's other address, and in no other chat", async () => {
    await sent(BUTTONS, "A");
    expect(await said("1", undefined, ["lid:98765", CHAT])).toEqual({ selectedId: "yes", text: "Sim" });
    expect(await said("1", undefined, ["lid:98765"])).toBeUndefined();
  });

  test("a menu that is sent again under its id is there once", async () => {
    await sent(BUTTONS, "A");
    await sent(BUTTONS, "A");
    const row = (await keyStore.read("choices", [CHAT])).get(CHAT);
    expect(JSON.parse(row ?? "")).toHaveLength(1);
  });

  test("a chat keeps three menus, for three days", async () => {
    for (const id of ["A", "B", "C", "D"]) await sent(BUTTONS, id);
    expect(await said("1", "A")).toBeUndefined();
    expect(await said("1", "B")).toBeDefined();
    now += 3 * DAY_MS;
    expect(await said("1")).toBeUndefined();
    await sent(LIST, "E");
    expect(JSON.parse((await keyStore.read("choices", [CHAT])).get(CHAT) ?? "")).toHaveLength(1);
  });

  test("a link or a code alone is no menu: answers are still those of the menu before it", () => {
    const content = { text: "x", buttonText: "y" };
    expect(hasOptions({ ...ORDER, type: "cta_url", content: { ...content, url: "https://a.example" } })).toBe(false);
    expect(hasOptions({ ...ORDER, type: "copy_code", content: { ...content, code: "z" } })).toBe(false);
    expect([BUTTONS, LIST].map(hasOptions)).toEqual([true, true]);
  });
});
