import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { connectProxy, socksProxy } from "../../../support/servers/proxies.ts";
import { attempts } from "../../../support/waiting.ts";
import { startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import { startWorld, untilStatus, untilTrue, type World } from "../../../support/world.ts";

const LOGIN = { user: "ana", password: "the-password-of-the-proxy" };
let net: WhatsApp;
let w: World;
let key: string;
let owners = 0;

beforeAll(async () => {
  net = await startWhatsApp();
  const ca = join(tmpdir(), `recado-proxies-${process.pid}.pem`);
  writeFileSync(ca, net.mediaCa);
  w = await startWorld({
    env: {
      RECADO_WHATSAPP_WEB_URL: net.url,
      RECADO_WHATSAPP_WEB_ROOT: net.root,
      RECADO_EXTRA_CA: ca,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1,localhost",
    },
    logLevel: "debug",
  });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  ({ key } = await w.account());
});

const newPhone = (body: object = {}) =>
  w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone", ...body } });
const phone = async (id: string) => (await w.gateway(`/v1/phones/${id}`, { key })).body;
const setProxy = (id: string, url: string | null) =>
  w.gateway(`/v1/phones/${id}/proxy`, { key, method: "PUT", body: { url } });
const check = async (id: string) => (await w.gateway(`/v1/phones/${id}/proxy/check`, { key, method: "POST" })).body;

const pair = async (id: string) => {
  const owner = net.phone(`55119000001${10 + owners++}`);
  for (const checkLimit = attempts(); ; checkLimit()) {
    const { status, body } = await w.gateway(`/v1/phones/${id}/qrcode`, { key });
    if (status !== 200) continue;
    await owner.scan(body.qr);
    break;
  }
  await untilStatus(w, id, "CONNECTED");
  return owner;
};
const wsHost = () => new URL(net.url).host;
const audit = async () => (await w.gateway("/v1/admin/audit?limit=20", { admin: true })).text;

describe("a proxy of a phone", () => {
  test("the addresses in the description's examples are addresses that the routes take", async () => {
    const { components } = (await w.gateway("/openapi.json", {})).body;
    const { id } = (await newPhone()).body;
    const { examples } = components.schemas.SetPhoneProxyRequest;
    expect(examples.length).toBeGreaterThan(0);
    for (const { url } of examples) expect([200, 422]).toContain((await setProxy(id, url)).status);
  });

  test.each([
    ["CONNECT", connectProxy],
    ["SOCKS5", socksProxy],
  ])("by %s carries its connection and its files, and is never shown with its password", async (_name, start) => {
    await using proxy = await start(LOGIN);
    const made = await newPhone({ proxy: proxy.url });
    expect(made.status).toBe(201);
    const { id } = made.body;
    await pair(id);
    expect(new Set(proxy.asked)).toEqual(new Set([wsHost()]));
    expect((await phone(id)).proxy).toBe(proxy.url.replace(/\/\/.*@/, "//"));
    const ana = net.contact({ pn: `55119111100${10 + owners}` });
    await ana.sendMedia("document", Buffer.from("a file"), {
      to: net.phone(`55119000001${10 + owners - 1}`),
      mimetype: "text/plain",
    });
    await untilTrue(async () => {
      await w.settle();
      return proxy.asked.includes(net.mediaHost);
    });
    expect(await check(id)).toMatchObject({ isReached: true, reason: null });
    expect(w.logs.join("")).not.toContain(LOGIN.password);
  });

  test("that does not reach the network is refused, and nothing changes", async () => {
    await using proxy = await connectProxy(LOGIN);
    const { id } = (await newPhone()).body;
    const before = await phone(id);
    const wrong = `http://ana:wrong@127.0.0.1:${proxy.port}`;
    const refused = await setProxy(id, wrong);
    expect([refused.status, refused.body.error.code]).toEqual([422, "PROXY_UNREACHABLE"]);
    expect(refused.text).not.toContain("wrong@");
    expect((await newPhone({ proxy: wrong })).status).toBe(422);
    expect(await phone(id)).toEqual(before);
    expect(await check(id)).toEqual({ isReached: true, proxy: null, durationMs: null, reason: null });
  });

  test.each(["http://10.1.2.3:3128", "socks5://169.254.169.254:1080", "ftp://a:21", "http://proxy"])(
    "may not be %s: a private address that is not allowed, or no proxy",
    async (url) => {
      const { id } = (await newPhone()).body;
      const refused = await setProxy(id, url);
      expect(refused.status).toBe(400);
      expect(await phone(id)).not.toHaveProperty("proxy");
    },
  );

  test("is not for a phone of another type, nor for another account's", async () => {
    await using proxy = await connectProxy();
    const { id } = await w.wabaPhone(key);
    expect((await setProxy(id, proxy.url)).status).toBe(400);
    const session = (await newPhone()).body.id;
    const stranger = await w.account();
    const asked = await w.gateway(`/v1/phones/${session}/proxy`, {
      key: stranger.key,
      method: "PUT",
      body: { url: proxy.url },
    });
    expect(asked.status).toBe(404);
    expect(proxy.asked).toEqual([]);
  });

  test("carries the files of a history too: nothing of it is fetched past the proxy", async () => {
    await using proxy = await connectProxy(LOGIN);
    const { id } = (await newPhone({ proxy: proxy.url, history: "recent" })).body;
    const owner = await pair(id);
    const fetched = spyOn(globalThis, "fetch");
    try {
      const written = { remoteJid: "5511911110099@s.whatsapp.net", fromMe: false, id: "3EB0ABCDEF0123456789" };
      await owner.history({
        inFile: true,
        messages: [{ key: written, message: { conversation: "oi" }, messageTimestamp: 1_700_000_000 }],
      });
      await untilTrue(async () => (await w.gateway(`/v1/phones/${id}/history`, { key })).body.imported === 1);
      expect(proxy.asked).toContain(net.mediaHost);
      const hosts = fetched.mock.calls.map(([asked]) => new URL(asked instanceof Request ? asked.url : asked).host);
      expect(hosts.filter((host) => host.endsWith("whatsapp.net"))).toEqual([]);
    } finally {
      fetched.mockRestore();
    }
  });

  test("is changed on a restricted phone, which comes back through it", async () => {
    await using proxy = await connectProxy();
    const { id } = (await newPhone()).body;
    const owner = await pair(id);
    owner.restrict({ until: 4_000_000_000 });
    await untilStatus(w, id, "RESTRICTED");
    expect((await setProxy(id, proxy.url)).status).toBe(200);
    await untilTrue(() => proxy.asked.length >= 2);
    await untilStatus(w, id, "RESTRICTED");
  });

  test("does not wake a phone whose session was exported: another program uses that", async () => {
    await using proxy = await connectProxy();
    const { id } = (await newPhone()).body;
    await pair(id);
    expect((await w.gateway("/v1/admin/exports", { admin: true, body: { phone: id, stop: true } })).status).toBe(200);
    const logins = net.stat.logins;
    expect((await setProxy(id, proxy.url)).status).toBe(200);
    await w.advance(60 * SECOND_MS);
    expect(net.stat.logins).toBe(logins);
    expect(await phone(id)).toMatchObject({ status: "DISCONNECTED", stateReason: "EXPORTED" });
  });

  test("that fails is the phone's reason; the phone comes back with it, or without it", async () => {
    await using proxy = await socksProxy(LOGIN);
    const { id } = (await newPhone({ proxy: proxy.url })).body;
    await pair(id);
    proxy.refuse();
    await untilTrue(async () => {
      await w.advance(5 * SECOND_MS);
      return (await phone(id)).stateReason === "PROXY_UNREACHABLE";
    });
    expect(await phone(id)).toMatchObject({ status: "DISCONNECTED" });
    expect(await check(id)).toMatchObject({ isReached: false });
    expect((await setProxy(id, null)).body).toEqual({ proxy: null });
    await untilStatus(w, id, "CONNECTED");
    const asked = proxy.asked.length;
    proxy.accept();
    expect((await setProxy(id, proxy.url)).status).toBe(200);
    await untilTrue(() => proxy.asked.length >= asked + 2);
    await untilStatus(w, id, "CONNECTED");
    expect(await audit()).toContain("channel.change-proxy");
  });
});

test("a text that is no proxy's URL is refused by the field of each request", async () => {
  const fieldsOf = ({ body }: { body: any }) => Object.keys(body.error.details.fieldErrors as object);
  expect(fieldsOf(await newPhone({ proxy: "nonsense" }))).toEqual(["proxy"]);
  const { id } = (await newPhone({})).body;
  expect(fieldsOf(await setProxy(id, "nonsense"))).toEqual(["url"]);
});
