import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNearlyFull } from "../../src/core/alerts/finding.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import { hmacSha256 } from "../../src/kernel/crypto.ts";
import { type InvoiceId, newId, type TenantId } from "../../src/kernel/ids.ts";
import { insertInvoice } from "../../src/store/tables/billing/invoices.ts";
import type { Receiver } from "../support/servers/receiver.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { type MailSink, startMailSink } from "../support/servers/smtp.ts";
import { reported, type SessionNetwork, sessionNetwork } from "../support/session/scripted-sends.ts";
import { startTelegram, type Telegram } from "../support/telegram/index.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../support/world.ts";

const SECRET = "the-secret-of-the-operators-webhook";
const BOT = { id: 123_456, secret: "AAE-the-secret-of-the-alert-bot-of-tests", username: "alert_bot" };
const OWNER = 4711;
let w: World;
let hook: Receiver;
let sink: MailSink;
let telegram: Telegram;
let network: SessionNetwork;
let key: string;

const start = async (env: Record<string, string> = {}) => {
  network = sessionNetwork();
  w = await startWorld({
    plugins: [network.plugin],
    logLevel: "debug",
    env: {
      RECADO_SMTP_URL: sink.url,
      RECADO_MAIL_FROM: "Recado <recado@example.com>",
      RECADO_ALERT_MAIL: "owner@example.com",
      RECADO_ALERT_URL: hook.url,
      RECADO_ALERT_SECRET: SECRET,
      RECADO_ALERT_TELEGRAM: `${BOT.id}:${BOT.secret}@${OWNER}`,
      RECADO_ALERT_TELEGRAM_URL: telegram.url,
      ...env,
    },
  });
  ({ key } = await w.account("Ana"));
};
beforeEach(async () => {
  hook = startReceiver();
  sink = await startMailSink();
  telegram = await startTelegram();
  telegram.addPerson({ id: OWNER, first_name: "Olga" });
  telegram.addBot(BOT).people.say({ text: "/start" }, { from: OWNER });
  await start();
});
afterEach(async () => {
  await w.stop();
  await Promise.all([hook.stop(), sink.stop(), telegram.stop()]);
});

const session = async (label: string): Promise<string> => {
  const { body } = await w.gateway("/v1/phones", { key, body: { type: "SESSION", label } });
  await untilStatus(w, body.id, "CONNECTED");
  return body.id;
};
/** So many minutes pass, one by one. */
const minutes = async (count: number) => {
  for (let left = count; left > 0; left--) await w.advance(MINUTE_MS);
};
const posted = () => hook.arrived.map(({ body }) => [body.type, body.data?.kind].join(" "));
const lost = (id: string) => reported(w, network, id, { state: "DISCONNECTED", reason: "BANNED" });
const back = (id: string) => reported(w, network, id, { state: "CONNECTED", phoneNumber: "5511988887777" });

describe("a trouble", () => {
  test("is announced once when it has lasted, and once when it is over, by mail, webhook and Telegram", async () => {
    const id = await session("Reception");
    await lost(id);
    await minutes(1);
    expect(hook.arrived).toEqual([]);
    await minutes(20);
    expect(posted()).toEqual(["trouble.opened phone-lost"]);
    await back(id);
    await minutes(9);
    expect(posted()).toEqual(["trouble.opened phone-lost"]);
    await minutes(5);
    expect(posted()).toEqual(["trouble.opened phone-lost", "trouble.closed phone-lost"]);
    const [opened] = hook.arrived;
    expect(opened?.body.data.details).toContain(`Reception (SESSION ${id}`);
    expect(opened?.body.data.details).toContain("DISCONNECTED, BANNED");
    expect(opened?.body.text).toStartWith("A phone is not connected\nReception");
    expect(opened?.headers["x-gateway-signature"]).toBe(`sha256=${hmacSha256(SECRET, opened?.raw ?? "", "hex")}`);
    expect(opened?.headers["webhook-signature"]).toStartWith("v1,");
    expect(sink.received.map(({ to, subject }) => [to[0], subject])).toEqual([
      ["owner@example.com", "Recado: A phone is not connected"],
      ["owner@example.com", "Recado: A phone is connected again"],
    ]);
    const sent = telegram.journal.filter(({ method }) => method === "sendMessage").map(({ fields }) => fields["text"]);
    expect(sent).toEqual([
      expect.stringContaining("Recado: A phone is not connected\nReception"),
      expect.stringContaining("Recado: A phone is connected again\nReception"),
    ]);
    for (const secret of [SECRET, BOT.secret]) expect(w.logs.join("")).not.toContain(secret);
  });

  test("that comes and goes within minutes is one trouble; a short one is none", async () => {
    const id = await session("A phone");
    await lost(id);
    await minutes(1);
    await back(id);
    await minutes(15);
    expect(posted()).toEqual([]);
    for (let round = 0; round < 4; round++) {
      await lost(id);
      await minutes(4);
      await back(id);
      await minutes(4);
    }
    expect(posted()).toEqual(["trouble.opened phone-lost"]);
    await minutes(12);
    expect(posted()).toEqual(["trouble.opened phone-lost", "trouble.closed phone-lost"]);
  });

  test("that becomes another one of the same phone is not over: only the phone that works again is announced", async () => {
    const id = await session("A phone");
    await lost(id);
    await minutes(5);
    await reported(w, network, id, { state: "PENDING_QR", reason: "LOGGED_OUT" });
    await minutes(20);
    expect(posted()).toEqual(["trouble.opened phone-lost", "trouble.opened phone-unlinked"]);
    await back(id);
    await minutes(15);
    expect(posted().slice(2)).toEqual(["trouble.closed phone-unlinked"]);
  });

  test("of many phones at once is one message, which names ten", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 12; number++) ids.push(await session(`Phone ${number}`));
    for (const id of ids) await lost(id);
    await minutes(6);
    expect(posted()).toEqual(["trouble.opened phone-lost"]);
    const { title, details, troubles } = hook.arrived[0]?.body.data ?? {};
    expect([title, troubles, details.split("\n").length]).toEqual(["12 phones are not connected", 12, 11]);
    expect(details).toEndWith("And 2 more.");
  });

  test("survives a restart: nothing is announced twice, and what could not be sent is sent later", async () => {
    hook.reply(() => new Response("no", { status: 500 }));
    const id = await session("A phone");
    await reported(w, network, id, { state: "PENDING_QR", reason: "LOGGED_OUT" });
    await minutes(1);
    expect(posted()).toEqual(["trouble.opened phone-unlinked"]);
    await w.restart();
    hook.reply(() => new Response("ok"));
    await minutes(30);
    expect(posted()).toEqual(["trouble.opened phone-unlinked", "trouble.opened phone-unlinked"]);
    expect(hook.arrived[1]?.body.id).toBe(hook.arrived[0]?.body.id);
    expect(sink.received.length).toBe(1);
  });

  test("is not what the owner does: a logout, a disconnection, a deleted phone", async () => {
    const [one, two] = [await session("One"), await session("Two")];
    await w.gateway(`/v1/phones/${one}/logout`, { key, method: "POST" });
    await w.gateway(`/v1/phones/${two}`, { key, method: "DELETE" });
    await minutes(20);
    expect(posted()).toEqual([]);
  });
});

describe("in a language", () => {
  const LOST = { pt: "11 telefones não estão conectados", es: "11 teléfonos no están conectados" };
  const BACK = { pt: "Um telefone está conectado de novo", es: "Un teléfono está conectado de nuevo" };
  const OF_ACCOUNT = { pt: "da conta", es: "de la cuenta" };
  const MORE = { pt: "E mais 1.", es: "Y 1 más." };
  const TEST = { pt: "Isto é um teste", es: "Esto es una prueba" };

  test.each(["pt", "es"] as const)(
    "mail and Telegram are in %s; the webhook and the API stay English",
    async (language) => {
      await w.stop();
      await start({ RECADO_LANGUAGE: language });
      const ids: string[] = [];
      for (let number = 0; number < 11; number++) ids.push(await session(`Phone ${number}`));
      for (const id of ids) await lost(id);
      await minutes(6);
      const { items } = (await w.gateway("/v1/admin/troubles", { admin: true })).body;
      expect(items[0]).toMatchObject({
        title: "A phone is not connected",
        text: expect.stringContaining("of account"),
      });
      expect(Object.keys(items[0])).not.toContain("localText");
      for (const id of ids.slice(1)) await w.gateway(`/v1/phones/${id}`, { key, method: "DELETE" });
      await minutes(15);
      await back(ids[0] as string);
      await minutes(15);
      await w.gateway("/v1/admin/alerts/test", { admin: true, body: {} });

      const bodies = hook.arrived.map(({ body }) => body);
      expect(bodies.map(({ data }) => data.title)).toEqual([
        "11 phones are not connected",
        "A phone is connected again (10)",
        "A phone is connected again",
        "This is a test",
      ]);
      for (const { data } of bodies.slice(0, 3)) expect(data.details).toContain("of account");
      expect(bodies[0]?.data.details).toEndWith("And 1 more.");

      const mails = sink.received.map(({ subject }) => subject);
      expect(mails).toEqual([
        `Recado: ${LOST[language]}`,
        `Recado: ${BACK[language]} (10)`,
        `Recado: ${BACK[language]}`,
        `Recado: ${TEST[language]}`,
      ]);
      expect(sink.received[0]?.text).toContain(MORE[language]);
      const sent = telegram.journal
        .filter(({ method }) => method === "sendMessage")
        .map(({ fields }) => fields["text"]);
      expect(sent.map((text) => String(text).split("\n")[0])).toEqual(mails);
      for (const { text } of sink.received.slice(0, 3)) {
        expect(text).toContain(OF_ACCOUNT[language]);
        expect(text).not.toContain("of account");
      }
    },
  );
});

describe("what is a trouble", () => {
  test("a token that has expired, and a state RESTRICTED", async () => {
    const [one, two] = [await session("One"), await session("Two")];
    await reported(w, network, one, { state: "TOKEN_EXPIRED", reason: "revoked" });
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE channels SET state = 'RESTRICTED', profile = '{\"stateReason\":\"TIMELOCK\"}' WHERE id = ?1", [
        two,
      ]),
    );
    await minutes(1);
    expect(posted().toSorted()).toEqual(["trouble.opened phone-restricted", "trouble.opened token-expired"]);
  });

  test("a webhook that has failed for 15 minutes, and dead letters", async () => {
    const customer = w.receiver();
    customer.reply(() => new Response("no", { status: 500 }));
    const body = { type: "SESSION", label: "A phone", webhook: { url: customer.url, secret: WEBHOOK_SECRET } };
    const { id } = (await w.gateway("/v1/phones", { key, body })).body;
    await untilStatus(w, id, "CONNECTED");
    await minutes(14);
    expect(posted()).toEqual([]);
    await minutes(3);
    expect(posted()).toEqual(["trouble.opened endpoint-failing"]);
    expect(hook.arrived[0]?.body.data.details).toContain("HTTP 500");
    expect(hook.arrived[0]?.body.data.details).not.toContain("/hook");
    for (let tries = 0; tries < 8; tries++) await w.advance(14 * HOUR_MS);
    await minutes(2);
    expect(posted()).toContain("trouble.opened dead-letters");
    customer.reply(() => new Response("ok"));
    await w.gateway("/v1/admin/dead-letters/replay", { admin: true, body: {} });
    await w.settle();
    await minutes(13);
    expect(posted().slice(-2).toSorted()).toEqual(["trouble.closed dead-letters", "trouble.closed endpoint-failing"]);
  });

  test("X-143 an invoice that was paid with another amount, by more than five cents, for seven days", async () => {
    const { id: accountId } = await w.account("Bia");
    const now = w.clock.now();
    const paid = (paidCents: number | null) => ({
      id: newId<InvoiceId>(w.app.env),
      tenantId: accountId as TenantId,
      periodStart: now,
      periodEnd: now,
      isManual: true,
      totalCents: 10_000,
      breakdown: { messages: 0, phoneMonths: 0, wabaPassthrough: 0 },
      status: "PAID" as const,
      dueDate: "2026-11-20",
      paidAt: now,
      paidCents,
      gatewayProvider: null,
      gatewayChargeId: null,
      gatewayInvoiceUrl: null,
      pixQrCode: null,
      pixCopyPaste: null,
      boletoUrl: null,
      boletoBarcode: null,
      createdAt: now,
      updatedAt: now,
    });
    const rows = [100, 9_995, 10_005, 10_000, null].map(paid);
    await w.app.env.db.write(async (tx) => {
      for (const row of rows) await insertInvoice(tx, row);
    });
    await minutes(2);
    expect(posted()).toEqual(["trouble.opened invoice-amount"]);
    expect(JSON.stringify(hook.arrived[0]?.body)).toContain(
      `Invoice ${rows[0]?.id} of account ${accountId}: R$ 1,00 instead of R$ 100,00. It counts as paid.`,
    );
    await w.advance(7 * DAY_MS);
    await minutes(12);
    expect(posted()).toEqual(["trouble.opened invoice-amount", "trouble.closed invoice-amount"]);
  });

  test("W26-1 a client version that ends within 14 days", async () => {
    const id = await session("A phone");
    const at = w.clock.now();
    const version = "2.3000.1047471845";
    await network.notify(id, { kind: "client", at, version, expiresAt: at + 20 * DAY_MS });
    await minutes(2);
    expect(posted()).toEqual([]);
    await w.advance(6 * DAY_MS);
    await minutes(2);
    expect(posted()).toEqual(["trouble.opened client-ending"]);
    await network.notify(id, { kind: "client", at, version: "2.3000.1050000000" });
    await minutes(13);
    expect(posted()).toEqual(["trouble.opened client-ending", "trouble.closed client-ending"]);
  });

  test("an adapter that cannot be used, until it is repaired and the server restarted", async () => {
    const dir = mkdtempSync(join(tmpdir(), "recado-adapters-"));
    await w.stop();
    mkdirSync(join(dir, "telex"));
    writeFileSync(join(dir, "telex/plugin.js"), `export default { contract: "7.0", name: "telex", create() {} };`);
    await start({ RECADO_PLUGIN_DIR: dir });
    await minutes(2);
    expect(posted()).toEqual(["trouble.opened adapter-unusable"]);
    expect(JSON.stringify(hook.arrived[0]?.body)).toContain("telex: it was written for contract 7");
    rmSync(dir, { recursive: true });
    await w.restart();
    await minutes(13);
    expect(posted()).toEqual(["trouble.opened adapter-unusable", "trouble.closed adapter-unusable"]);
  });

  test("a backup that cannot be made", async () => {
    await w.stop();
    await start({ RECADO_BACKUP: "file:/nowhere/to/be/found" });
    await minutes(2);
    expect(posted()).toEqual(["trouble.opened no-backup"]);
    expect(hook.arrived[0]?.body.data.details).toStartWith("None was made yet. The last try failed:");
  });

  test.each([
    [400, 1_000_000, true],
    [600, 1000, false],
    [3000, 100_000, true],
    [3000, 20_000, false],
    [5000, 1_000_000, false],
  ])("a disk with %d MB of %d MB: %p", (free, total, isFull) => {
    const MIB = 1024 * 1024;
    expect(isNearlyFull({ freeBytes: free * MIB, totalBytes: total * MIB })).toBe(isFull);
  });
});

describe("a test of the alerts", () => {
  const sendTest = () => w.gateway("/v1/admin/alerts/test", { admin: true, body: {} });

  test("says by which way a message arrived, and which not", async () => {
    hook.reply(() => new Response("no", { status: 403 }));
    expect((await sendTest()).body.sent).toEqual([
      { way: "mail", isSent: true, reason: null },
      { way: "url", isSent: false, reason: "HTTP 403" },
      { way: "telegram", isSent: true, reason: null },
    ]);
    expect(posted()).toEqual(["test test"]);
    expect(sink.received[0]?.subject).toBe("Recado: This is a test");
  });

  test("needs the administrator, and somewhere to write to", async () => {
    expect((await w.gateway("/v1/admin/alerts/test", { body: {} })).status).toBe(403);
    await w.stop();
    await start({ RECADO_ALERT_MAIL: "", RECADO_ALERT_URL: "", RECADO_ALERT_TELEGRAM: "" });
    const refused = await sendTest();
    expect([refused.status, refused.body.error.code]).toEqual([409, "ALERTS_NOT_CONFIGURED"]);
    const id = await session("A phone");
    await lost(id);
    await w.advance(HOUR_MS);
    expect(posted()).toEqual([]);
  });
});
