import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { runInThisContext, Script } from "node:vm";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { sha256 } from "../../../../src/kernel/crypto.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { made } from "../../../support/tenants/platform.ts";
import { attempts, untilTrue } from "../../../support/waiting.ts";
import {
  type PasskeyBrowser,
  type Phone,
  passkeyBrowser,
  startWhatsApp,
  type WhatsApp,
} from "../../../support/whatsapp/index.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

let net: WhatsApp;
let w: World;
let key: string;
let id: string;
let hook: Receiver;
let owner: Phone;
let owners = 0;

beforeAll(async () => {
  net = await startWhatsApp();
  const network = { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root };
  w = await startWorld({ env: { ...network, RECADO_GATEWAY_RATE: "1000000" }, logLevel: "debug" });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  ({ key } = await w.account());
  hook = w.receiver();
  const body = { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET } };
  id = made(await w.gateway("/v1/phones", { key, body }), 201).id;
  owner = net.phone(`55119000000${30 + owners++}`);
});

const ask = (path: string, call: object = {}) => w.gateway(`/v1/phones/${id}${path}`, { key, ...call });

/** The answer with status 200, once it is that. */
const asked = async (path: string) => {
  for (const checkLimit = attempts(10_000); ; checkLimit()) {
    const answer = await ask(path);
    if (answer.status === 200) return answer.body;
  }
};

const received = (type: string) => hook.arrived.map(({ body }) => body).filter((body) => body.type === type);
const untilReceived = (type: string, count = 1) => untilTrue(() => received(type).length >= count, 10_000);

/** Scans with a phone whose account wants its passkey. */
const scanned = async (): Promise<{ browser: PasskeyBrowser; qr: string }> => {
  const browser = passkeyBrowser();
  owner.account.passkey = browser.credential;
  const { qr } = await asked("/qrcode");
  void owner.scan(qr).catch(() => {});
  await asked("/passkey");
  return { browser, qr };
};

/** The page of the bridge, and what can be posted on it. */
const page = (url: string, init: RequestInit = {}) => fetch(url, init);
const asJson = { accept: "application/json" };
const pasted = (url: string, assertion: unknown) =>
  page(`${url}/assertion`, { method: "POST", body: new URLSearchParams({ assertion: JSON.stringify(assertion) }) });

describe("a QR code that was scanned and has changed", () => {
  test("W26-2 the QR code, the event and the phone say why: in English and Portuguese", async () => {
    const { qr } = await asked("/qrcode");
    await owner.distrust(qr);
    const second = made(await ask("/qrcode"), 200);
    expect(second.qr).not.toBe(qr);
    expect(second.hint).toMatchObject({ code: "SCAN_AGAIN", en: expect.any(String), pt: expect.any(String) });
    await untilReceived("channel:qrcode");
    expect(received("channel:qrcode")[0].data).toMatchObject({ qr: second.qr, hint: { code: "SCAN_AGAIN" } });
    expect((await ask("")).body).toMatchObject({ status: "PENDING_QR", stateReason: "SCAN_AGAIN" });
    await owner.scan(second.qr);
    await untilStatus(w, id, "CONNECTED");
    expect((await ask("")).body.stateReason).toBeNull();
  });
});

describe("a code to type", () => {
  test("W26-3 one that the network refuses is not shown: the answers say why, and when to ask again", async () => {
    const heal = net.faults.refuseHello(429);
    await ask("/pairing-code", { body: { phoneNumber: owner.pn } });
    await untilTrue(async () => (await ask("/pairing-code")).body.error.details.hint !== undefined, 10_000);
    const answer = await ask("/pairing-code");
    expect(gatewaySays(answer)).toBe("425 PAIRING_NOT_READY");
    expect(answer.headers.get("retry-after")).toBe("60");
    expect(answer.body.error.details.hint).toMatchObject({ code: "CODE_REFUSED", retryAt: expect.any(String) });
    const before = net.stat.hellos.length;
    const again = await ask("/pairing-code", { body: { phoneNumber: owner.pn } });
    expect([gatewaySays(again), net.stat.hellos.length]).toEqual(["425 PAIRING_NOT_READY", before]);
    heal();
  });

  test("W26-3 a number for which another phone has a code gets none, and does not learn whose it is", async () => {
    await ask("/pairing-code", { body: { phoneNumber: owner.pn } });
    await asked("/pairing-code");
    const other = await w.account();
    const body = { type: "SESSION", label: "Another", webhook: { url: hook.url, secret: WEBHOOK_SECRET } };
    const { id: second } = made(await w.gateway("/v1/phones", { key: other.key, body }), 201);
    const answer = await w.gateway(`/v1/phones/${second}/pairing-code`, {
      key: other.key,
      body: { phoneNumber: owner.pn },
    });
    expect(gatewaySays(answer)).toBe("425 PAIRING_NOT_READY");
    expect(answer.body.error.details.hint.code).toBe("CODE_WAIT");
    expect(answer.text).not.toContain(id);
  });
});

describe("a passkey through the API", () => {
  test("W26-6 options, assertion, connected; the event has the page's address", async () => {
    const { browser } = await scanned();
    const shown = await ask("/passkey");
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.body).toMatchObject({ stage: "ASSERTION_REQUIRED", options: { rpId: "whatsapp.com" } });
    await untilReceived("channel:passkey-required");
    const { bridgeUrl } = shown.body;
    expect(received("channel:passkey-required")[0].data).toEqual({
      bridgeUrl,
      expiresAt: shown.body.expiresAt,
      hint: expect.objectContaining({ code: "PASSKEY_REQUIRED" }),
    });
    expect((await ask("")).body).toMatchObject({ status: "PENDING_QR", stateReason: "PASSKEY_REQUIRED" });
    expect((await ask("/qrcode")).body.hint.code).toBe("PASSKEY_REQUIRED");
    made(await ask("/passkey", { body: browser.sign(shown.body.options) }), 202);
    await untilStatus(w, id, "CONNECTED");
    expect(gatewaySays(await ask("/passkey"))).toBe("409 PASSKEY_NOT_REQUESTED");
    const token = bridgeUrl.split("/").at(-1);
    expect(w.logs.join("")).not.toContain(token);
    const rows = await w.app.env.db.read((r) => r.rows<{ hash: string }>("SELECT * FROM passkey_links", []));
    expect(rows.map(({ hash }) => hash)).toContain(sha256(token));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("W26-6 without a request for one, for another account, or with something else: refused, and nothing is sent", async () => {
    const nobody = (await w.account()).key;
    expect(gatewaySays(await ask("/passkey"))).toBe("409 PASSKEY_NOT_REQUESTED");
    expect(gatewaySays(await ask("/passkey/confirm", { method: "POST" }))).toBe("409 PASSKEY_NOT_REQUESTED");
    const { browser } = await scanned();
    const { options } = (await ask("/passkey")).body;
    const body = browser.sign(options);
    const before = net.stat.stanzas["iq"];
    for (const [path, call] of [
      ["/passkey", {}],
      ["/passkey", { body }],
      ["/passkey/confirm", { method: "POST" }],
    ] as const)
      expect(gatewaySays(await w.gateway(`/v1/phones/${id}${path}`, { key: nobody, ...call }))).toBe(
        "404 PHONE_NOT_FOUND",
      );
    for (const wrong of [{}, { ...body, type: "other" }, { ...body, id: "not base64!" }, { ...body, response: {} }])
      expect(gatewaySays(await ask("/passkey", { body: wrong }))).toBe("400 VALIDATION_ERROR");
    expect(gatewaySays(await ask("/passkey/confirm", { method: "POST" }))).toBe("409 PASSKEY_NOT_REQUESTED");
    expect([net.stat.stanzas["iq"], owner.devices.length]).toEqual([before, 0]);
  });

  test("W26-6 a wrong signature: the network's reason is shown, and the QR code still links", async () => {
    const { browser, qr } = await scanned();
    const { options } = (await ask("/passkey")).body;
    const answer = await ask("/passkey", { body: browser.sign(options, "signature") });
    expect(gatewaySays(answer)).toBe("400 PASSKEY_REFUSED");
    expect(answer.body.error.message).toContain("the signature is wrong");
    await w.app.env.supervisor.recorded(id as never);
    expect((await ask("")).body).toMatchObject({ status: "PENDING_QR", stateReason: "PASSKEY_FAILED" });
    delete owner.account.passkey;
    await owner.scan(qr);
    await untilStatus(w, id, "CONNECTED");
  });
});

describe("the page for a passkey", () => {
  test("W26-6 shows a script to copy and takes what it gives; in Portuguese and English; once", async () => {
    const { browser } = await scanned();
    const { bridgeUrl, options } = (await ask("/passkey")).body;
    expect(bridgeUrl).toMatch(/\/pairing\/passkey\/[0-9a-f]{64}$/);
    const shown = await page(bridgeUrl, { headers: { "accept-language": "pt-BR,en;q=0.5" } });
    const html = await shown.text();
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(shown.headers.get("content-security-policy")).not.toContain("script-src");
    expect([html.includes("chave de acesso"), html.includes("<script"), html.includes('lang="pt-BR"')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(html).toContain(options.challenge);
    expect(await (await page(`${bridgeUrl}?lang=en`)).text()).toContain("WhatsApp asks for your passkey");
    expect(await (await page(bridgeUrl, { headers: asJson })).json()).toMatchObject({ stage: "ASSERTION_REQUIRED" });
    const assertion = browser.sign(options);
    const sent = await pasted(bridgeUrl, assertion);
    expect([sent.status, sent.headers.get("refresh")?.startsWith("3;url=/pairing/passkey/")]).toEqual([200, true]);
    await untilStatus(w, id, "CONNECTED");
    expect(await (await page(bridgeUrl, { headers: asJson })).json()).toEqual({ stage: "LINKED" });
    expect((await pasted(bridgeUrl, assertion)).status).toBe(409);
  });

  test("W26-6 the code is compared there, where it is too late for the proof", async () => {
    const { browser } = await scanned();
    const { bridgeUrl, options } = (await ask("/passkey")).body;
    expect((await page(`${bridgeUrl}/confirm`, { method: "POST" })).status).toBe(409);
    for (let step = 0; step < 6; step += 1) {
      w.clock.advance(MINUTE_MS - 10_000);
      await ask("/qrcode");
    }
    expect((await pasted(bridgeUrl, browser.sign(options))).status).toBe(200);
    await untilReceived("channel:passkey-required", 2);
    const shown = await page(bridgeUrl, { headers: asJson });
    const { stage, code } = (await shown.json()) as { stage: string; code: string };
    expect([stage, code]).toEqual(["CONFIRMATION_REQUIRED", owner.passkeyCode ?? ""]);
    expect(await (await page(bridgeUrl)).text()).toContain(code);
    expect((await page(`${bridgeUrl}/confirm`, { method: "POST" })).status).toBe(200);
    await untilStatus(w, id, "CONNECTED");
  });

  test("W26-6 a token that is unknown or over, another method, and what is no assertion are refused", async () => {
    await scanned();
    const { bridgeUrl } = (await ask("/passkey")).body;
    const unknown = bridgeUrl.replace(/[0-9a-f]{64}$/, "0".repeat(64));
    expect((await page(unknown)).status).toBe(410);
    expect((await pasted(unknown, {})).status).toBe(410);
    expect((await page(bridgeUrl.slice(0, -1))).status).toBe(404);
    expect((await page(bridgeUrl, { method: "DELETE" })).status).toBe(405);
    for (const text of ["", "{", "<script>alert(1)</script>", '{"id":"a"}']) {
      const answer = await page(`${bridgeUrl}/assertion`, {
        method: "POST",
        body: new URLSearchParams({ assertion: text }),
      });
      const html = await answer.text();
      expect([answer.status, html.includes("<script>")]).toEqual([400, false]);
    }
    expect((await ask("/passkey")).body.stage).toBe("ASSERTION_REQUIRED");
    w.clock.advance(10 * MINUTE_MS);
    expect((await page(bridgeUrl)).status).toBe(410);
    expect(gatewaySays(await ask("/passkey"))).toBe("409 PASSKEY_NOT_REQUESTED");
    expect(owner.devices).toHaveLength(0);
  });

  test("W26-6 the script signs the network's options in a browser, and shows what the page takes", async () => {
    const { consoleSnippet } = await import("../../../../src/console/server/passkey-snippet.ts");
    const made: Record<string, any>[] = [];
    const asked: any[] = [];
    const buffer = (...bytes: number[]) => new Uint8Array(bytes).buffer;
    const document = {
      createElement: (tag: string) => {
        const element = { tag, style: {}, append: () => {}, select: () => {} };
        made.push(element);
        return element;
      },
      body: { append: () => {} },
    };
    const navigator = {
      credentials: {
        get: async ({ publicKey }: any) => {
          asked.push(publicKey);
          const response = { clientDataJSON: buffer(255, 254), authenticatorData: buffer(2), signature: buffer(3) };
          return { id: "_-8", rawId: buffer(255, 239), type: "public-key", response };
        },
      },
    };
    const options = {
      challenge: "_-8",
      rpId: "whatsapp.com",
      timeout: 600_000,
      allowCredentials: [{ id: "AQI", type: "public-key" }],
    };
    const words = { button: "Use", result: "Copy" };
    runInThisContext(`(document, navigator) => { ${consoleSnippet(options, words)} }`)(document, navigator);
    await made.find(({ tag }) => tag === "button")?.["onclick"]();
    expect(asked[0]).toEqual({
      ...options,
      challenge: new Uint8Array([255, 239]),
      allowCredentials: [{ id: new Uint8Array([1, 2]), type: "public-key" }],
    });
    expect(JSON.parse(made.find(({ tag }) => tag === "textarea")?.["value"])).toEqual({
      id: "_-8",
      rawId: "_-8",
      type: "public-key",
      response: { clientDataJSON: "__4", authenticatorData: "Ag", signature: "Aw" },
    });
  });

  test("W26-6 what the network says cannot leave the script or the page", async () => {
    const { consoleSnippet } = await import("../../../../src/console/server/passkey-snippet.ts");
    const { ceremonyPage } = await import("../../../../src/console/server/passkey-pages.ts");
    const hostile = '</textarea><script>alert(1)</script>\u2028"`${1}';
    const snippet = consoleSnippet({ challenge: hostile, rpId: "whatsapp.com" }, { button: "b", result: "r" });
    expect(snippet).not.toContain("</textarea>");
    expect(snippet).not.toContain("\u2028");
    expect(() => new Script(snippet)).not.toThrow();
    const { page: shown } = ceremonyPage(
      { path: "/pairing/passkey/x", language: "en" },
      { id: "1", stage: "CONFIRMATION_REQUIRED", options: {}, code: hostile, expiresAt: 0 },
    );
    expect(shown.body).not.toContain("<script>");
  });
});

describe("a channel of the platform API", () => {
  test("W26-6 is not given up while its owner is at work, and its connect says where to use the passkey", async () => {
    const { token } = await w.institution();
    const platformKey = await w.platformKey(token);
    const body = { name: "A channel", type: "CHAT_SESSION" };
    const channel = made(await w.platform("/v1/channels", { key: platformKey, body }), 201).id;
    const connect = () => w.platform(`/v1/channels/${channel}/connect`, { key: platformKey, method: "POST" });
    const get = async () => made(await w.platform(`/v1/channels/${channel}`, { key: platformKey }), 200);
    const browser = passkeyBrowser();
    owner.account.passkey = browser.credential;
    const { qr, message } = made(await connect(), 200);
    expect(message).not.toContain("http");
    void owner.scan(qr).catch(() => {});
    await untilTrue(async () => (await get()).statusReason === "PASSKEY_REQUIRED", 10_000);
    const [bridgeUrl = ""] = /https?:\S+$/.exec(made(await connect(), 200).message) ?? [];
    await w.advance(4 * MINUTE_MS);
    expect(await get()).toMatchObject({ status: "CONNECTING", statusReason: "PASSKEY_REQUIRED" });
    const { options } = (await (await page(bridgeUrl, { headers: asJson })).json()) as { options: object };
    expect((await pasted(bridgeUrl, browser.sign({ ...options }))).status).toBe(200);
    await untilTrue(async () => (await get()).status === "CONNECTED", 10_000);
  });
});
