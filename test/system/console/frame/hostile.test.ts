import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { untilTrue } from "../../../support/waiting.ts";
import { overflow } from "../support/looks.ts";
import { gatewayOf, HOSTILE } from "../support/seeds.ts";
import { untilSettled } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();
const gateway = (path: string, body?: unknown, method?: string) => gatewayOf(s.server, s.people)(path, body, method);

/** A name as long as each field takes it. */
const cut = (text: string, most: number): string => Array.from(text).slice(0, most).join("");
const NUMBERS = Object.keys(HOSTILE).map((_, index) => `551197776000${index}`);
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const ids = { chats: [] as string[], contacts: [] as string[], messages: [] as string[] };

/** People, phones, files and messages whose names and texts attack the pages. */
beforeAll(async () => {
  const { phoneId } = s.seeds;
  for (const [index, text] of Object.values(HOSTILE).entries()) {
    const phoneNumber = NUMBERS[index] ?? "";
    const contact = await gateway("contacts", {
      phoneNumber,
      name: cut(text, 120),
      tags: [cut(text, 50)],
      metadata: { [cut(text, 60)]: text },
    });
    ids.contacts.push(contact.id);
    const filename = `${cut(text.replaceAll(/[/\\\p{Cf}]/gu, ""), 100)}.html`;
    const { mediaHandle } = await gateway("media/files/base64", { base64: PNG, filename });
    const base = { phoneId, to: phoneNumber };
    await gateway("messages", {
      ...base,
      type: "document",
      content: { mediaHandle, filename, caption: cut(text, 900) },
    });
    const place = { latitude: 1, longitude: 2, name: cut(text, 120), address: cut(text, 200) };
    await gateway("messages", { ...base, type: "location", content: place });
    const card = { contacts: [{ name: cut(text, 120), phone: "5511999990000" }] };
    await gateway("messages", { ...base, type: "contact", content: card });
    const { messageId } = await gateway("messages", { ...base, type: "text", content: { text } });
    ids.messages.push(messageId);
    await untilTrue(async () => (await gateway(`chats?q=${phoneNumber}`)).items[0]?.unreadCount > 0);
    ids.chats.push((await gateway(`chats?q=${phoneNumber}`)).items[0].id);
  }
  await gateway("phones", { type: "SESSION", label: cut(HOSTILE.html, 120) });
  await gateway("webhooks", {
    label: cut(HOSTILE.html, 100),
    url: `https://hooks.example.com/${"x".repeat(1500)}`,
    secret: "a-secret-of-sixteen",
  }).catch(() => undefined);
});

/** TABLE: every page with lists, and the pages of single things. */
const LISTS =
  "inbox contacts messages batches scheduled templates phones agents groups calls " +
  "webhooks deliveries keys api billing team profile";
const pathsOf = (): string[] => [
  "",
  ...LISTS.split(" "),
  `phones/${s.seeds.phoneId}`,
  ...ids.chats.map((id) => `inbox/${id}`),
  ...ids.contacts.map((id) => `contacts/${id}`),
  ...ids.messages.map((id) => `messages/${id}`),
];

/** Opens a page and waits until it has drawn what it asked for. */
const settle = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${s.server.consoleUrl}/${path}`);
  await untilSettled(page);
};

describe.each(["narrow", "wide"] as const)("in a %s window", (size) => {
  test("nothing that strangers wrote runs, and nothing is wider than the window", async () => {
    const { page } = await s.window.open({ person: s.people.owner, language: "en", size });
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    for (const path of pathsOf()) {
      await settle(page, path);
      expect([path, await page.title()]).toEqual([path, expect.not.stringMatching(/^ran$/)]);
      expect([path, await page.locator("main img[src=x], main script").count()]).toEqual([path, 0]);
      await overflow(page);
    }
    expect(dialogs).toEqual([]);
  }, 240_000);
});

test("a file is never a page: it is saved under its name, whatever its bytes and its name say", async () => {
  const html = Buffer.from("<!doctype html><script>document.title='ran'</script>");
  const upload = await gateway("media/files/base64", {
    base64: html.toString("base64"),
    mimeType: "text/html",
    filename: "seite.html",
  });
  const { key } = s.people;
  const answer = await fetch(`${s.server.gatewayUrl}/v1/media/files/${upload.mediaHandle}/content`, {
    headers: { "x-api-key": key },
  });
  expect([
    answer.headers.get("content-disposition"),
    answer.headers.get("content-security-policy"),
    answer.headers.get("x-content-type-options"),
  ]).toEqual(["attachment", "default-src 'none'; sandbox", "nosniff"]);
  const content = { mediaHandle: upload.mediaHandle, filename: "seite.html" };
  const to = NUMBERS[0] ?? "";
  await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "document", content });
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/inbox/${ids.chats[0]}`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Open seite.html" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("seite.html");
  expect(await page.title()).not.toBe("ran");
});
