import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Receiver, startReceiver } from "../../../support/servers/receiver.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { beginTask } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();
let hook: Receiver;
beforeAll(() => void (hook = startReceiver()));
afterAll(() => hook.stop());

const SECRET = "um-segredo-bem-comprido";
const HTML = "<!doctype html><script>document.title='ran'</script><h1>Bad gateway</h1>";

const goTo = async (page: Page, path = ""): Promise<void> => {
  page.setDefaultTimeout(30_000);
  await page.goto(`${s.server.consoleUrl}${path}`);
  await page.locator("h1").waitFor();
};
/** Answers 200 to the right signature alone. */
const checking = ({ raw, headers }: { raw: string; headers: Record<string, string> }, secret: string): Response => {
  const mac = new Bun.CryptoHasher("sha256", secret).update(raw).digest("hex");
  return headers["x-gateway-signature"] === `sha256=${mac}`
    ? new Response("obrigado")
    : new Response("assinatura errada", { status: 401 });
};

const WORDS = {
  pt: {
    webhooks: "Webhooks",
    add: "Adicionar webhook",
    url: "Endereço (URL)",
    create: "Criar e testar",
    send: "Enviar eventos de teste",
    verdict: "confere a assinatura",
    deliveries: "Entregas",
    again: "Enviar de novo",
    arrived: "Entregue",
  },
  en: {
    webhooks: "Webhooks",
    add: "Add a webhook",
    url: "Address (URL)",
    create: "Create and test",
    send: "Send test events",
    verdict: "checks the signature",
    deliveries: "Deliveries",
    again: "Send again",
    arrived: "Delivered",
  },
} as const;
const LOOKS = [
  ["wide", "pt"],
  ["narrow", "en"],
] as const;

test.each(LOOKS)(
  "task 8: a webhook is added and tested, and its check of signatures is shown (%s, %s)",
  async (size, language) => {
    const { webhooks, add, url, create, send, verdict } = WORDS[language];
    const { page } = await s.window.open({ person: s.people.owner, size, language });
    await goTo(page);
    const task = beginTask("8 add a webhook and test it", 4, `${size} ${language}`);
    await goByNavigation(page, webhooks, task);
    await task.click(page.getByRole("button", { name: add }).first());
    await axe(page);
    await page.getByLabel(url).fill(hook.url);
    const secret = await page.locator("input[name=secret]").inputValue();
    hook.reply((arrived) => checking(arrived, secret));
    await task.click(page.getByRole("button", { name: create, exact: true }));
    await page.getByText(verdict).waitFor();
    task.done();
    await settles(async () => expect(await page.locator("main").innerText()).toContain("obrigado"));
    await settles(async () => expect(await page.locator("main").innerText()).toContain(secret));
    await overflow(page);
    await axe(page);
    await shoot(page, `webhook-tested-${size}`);
    hook.reply(() => new Response("ok"));
    await page.getByRole("button", { name: send }).click();
    await page.locator(".notice.warning").waitFor();
  },
);

const account = () => gatewayOf(s.server, s.people);
const hookId = async (): Promise<string> => {
  const made = await account()("webhooks", {
    label: "ERP <b>da</b> loja",
    url: hook.url,
    secret: SECRET,
    allPhones: true,
  });
  return made.id;
};
const writeTo = (to: string): Promise<any> =>
  account()("messages", { phoneId: s.seeds.phoneId, to, type: "text", content: { text: "oi" } });

test.each(LOOKS)(
  "task 6: failed deliveries are shown with answer and time, and sent again (%s, %s)",
  async (size, language) => {
    const { deliveries: name, again, arrived } = WORDS[language];
    hook.reply(() => new Response(HTML, { status: 410, headers: { "content-type": "text/html" } }));
    const id = await hookId();
    await writeTo("5511999990041");
    await untilTrue(async () => (await account()(`deliveries?state=DEAD&webhookId=${id}`)).items.length > 0);
    const { page } = await s.window.open({ person: s.people.owner, size, language });
    await goTo(page);
    const task = beginTask("6 our system did not get it", 4, `${size} ${language}`);
    await goByNavigation(page, name, task);
    await page.locator("tbody tr").nth(0).waitFor();
    await overflow(page);
    await axe(page);
    await shoot(page, `deliveries-${size}`);
    await task.click(page.locator("tbody .row-link").first());
    await page.locator(".answer").waitFor();
    await settles(async () => expect(await page.locator(".answer").first().innerText()).toBe(HTML));
    expect(await page.title()).not.toBe("ran");
    await overflow(page);
    await axe(page);
    await shoot(page, `delivery-${size}`);
    hook.reply(() => new Response("ok"));
    await task.click(page.getByRole("button", { name: again, exact: true }));
    await page.locator(".badge.good", { hasText: arrived }).waitFor();
    task.done();
    await account()(`webhooks/${id}`, undefined, "DELETE");
  },
);

test("all that failed is sent again at once, after a question", async () => {
  hook.reply(() => new Response("x".repeat(100_000), { status: 410 }));
  const id = await hookId();
  for (const n of [1, 2, 3]) await writeTo(`551199999005${n}`);
  const dead = async () => (await account()(`deliveries?state=DEAD&webhookId=${id}`)).items.length;
  await untilTrue(async () => (await dead()) >= 9);
  const { page } = await s.window.open({ person: s.people.owner });
  await goTo(page, `/deliveries?webhook=${id}`);
  hook.reply(() => new Response("ok"));
  await page.getByRole("button", { name: "Enviar todas estas de novo" }).click();
  await axe(page);
  await page.getByRole("button", { name: "Enviar de novo", exact: true }).click();
  await page.getByRole("heading", { name: "Nada falhou" }).waitFor();
  await untilTrue(async () => (await dead()) === 0);
  await account()(`webhooks/${id}`, undefined, "DELETE");
});

test("a webhook is changed, paused, resumed and deleted, and binary answers are text", async () => {
  hook.reply(() => new Response(new Uint8Array([0, 1, 2, 255, 254, 60, 98, 62]), { status: 500 }));
  const id = await hookId();
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await goTo(page, `/webhooks/${id}`);
  await page.getByRole("button", { name: "Send test events" }).click();
  await page.locator(".outcome .answer").first().waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await axe(page);
  await page.getByLabel("Name").fill("The shop's own");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "The shop's own" }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await writeTo("5511999990061");
  await untilTrue(async () => (await account()(`deliveries?state=HELD&webhookId=${id}`)).items.length > 0);
  await shoot(page, "webhook-paused");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByText("held").first().waitFor();
  await axe(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.waitForURL(/\/webhooks$/);
  expect((await account()("webhooks")).some((one: { id: string }) => one.id === id)).toBe(false);
});

test("the list shows the health of each webhook", async () => {
  hook.reply((_, index) => new Response("ok", { status: index % 4 === 0 ? 500 : 200 }));
  const id = await hookId();
  for (let n = 0; n < 12; n += 1) await writeTo(`55119999907${String(n).padStart(2, "0")}`);
  await untilTrue(async () => (await account()(`webhooks/health?webhookId=${id}`)).items[0].delivered > 20);
  const { page } = await s.window.open({ person: s.people.owner });
  await goTo(page, "/webhooks");
  await page.locator(".heartbeat").first().waitFor();
  await overflow(page);
  await axe(page);
  await shoot(page, "webhooks");
  await goTo(page, `/webhooks/${id}`);
  await page.locator(".heartbeat").waitFor();
  await shoot(page, "webhook");
});
