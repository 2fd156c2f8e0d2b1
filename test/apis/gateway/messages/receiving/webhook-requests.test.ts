import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MINUTE_MS, SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { holdBack, receivedBy, release, rowsOf } from "../../../../support/customers/customer.ts";
import { PAGER_TOKEN, pagerNetwork } from "../../../../support/networks/pager.ts";
import { made } from "../../../../support/tenants/platform.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { startWorld, untilConnected, WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

const SECRET = "the-secret-of-the-courier";
const FROM = "5511999990001";
const FORM = "application/x-www-form-urlencoded";

let w: World;
let key: string;
const dir = mkdtempSync(join(tmpdir(), "recado-courier-"));
beforeAll(async () => {
  cpSync(resolve(import.meta.dir, "../../../../support/adapters/courier"), join(dir, "courier"), { recursive: true });
  w = await startWorld({ env: { RECADO_PLUGIN_DIR: dir } });
  key = (await w.account()).key;
});
afterAll(async () => {
  await w.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A connected channel whose network calls in this way. */
const newChannel = async (way: string) => {
  const hook = w.receiver();
  const body = {
    type: "COURIER",
    label: "Courier",
    credentials: { way, secret: SECRET },
    webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  };
  const { id } = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, id);
  return { id: id as string, hook };
};

const pathOf = (id: string) => `/v1/upstream-webhook/${id}`;
/** The address of a channel as its network knows it. */
const publicUrl = (id: string) => `${w.app.gatewayUrl}${pathOf(id)}`;
const post = (id: string, { query = "", ...init }: RequestInit & { query?: string }) =>
  fetch(`${w.app.url}/gateway${pathOf(id)}${query}`, { method: "POST", ...init });

const textsAt = async (hook: Parameters<typeof receivedBy>[0]): Promise<string[]> => {
  await w.settle();
  return receivedBy(hook, "message:received").map(({ content }) => content.text);
};

let ids = 0;
const newId = () => `in-${++ids}`;

/** A message as a form, signed over the URL and the sorted parameters. */
const signedForm = (url: string, fields: Record<string, string>) => {
  const signed =
    url +
    Object.keys(fields)
      .sort()
      .map((name) => name + fields[name])
      .join("");
  const signature = createHmac("sha1", SECRET).update(signed).digest("base64");
  const headers = { "content-type": FORM, "x-courier-signature": signature };
  return { headers, body: new URLSearchParams(fields).toString() };
};

describe("a form whose signature covers the URL, the query and the sorted parameters", () => {
  test("is taken, and answered in the words of the adapter", async () => {
    const { id, hook } = await newChannel("form");
    const query = "?part=2&phoneId=A1B2C3D4-0000-4000-8000-ABCDEF123456&empty=";
    const answer = await post(id, {
      query,
      ...signedForm(publicUrl(id) + query, { id: newId(), from: FROM, text: "Olá & até já" }),
    });
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      201,
      "text/xml",
      "<Response/>",
    ]);
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(await textsAt(hook)).toEqual(["Olá & até já POST ?part=2 2 content-type"]);
  });

  test.each<[string, (url: string) => string]>([
    ["without its query", (url) => url],
    ["with another query", (url) => `${url}?part=3`],
    ["of another scheme", (url) => `${url.replace("http:", "https:")}?part=2`],
  ])("is refused where the signed URL is the one %s, and nothing is stored", async (_, urlOf) => {
    const { id, hook } = await newChannel("form");
    const answer = await post(id, {
      query: "?part=2",
      ...signedForm(urlOf(publicUrl(id)), { id: newId(), from: FROM, text: "x" }),
    });
    expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([403, "SIGNATURE_INVALID"]);
    expect(await textsAt(hook)).toEqual([]);
  });
});

describe("a body of every media type reaches the adapter with its exact bytes", () => {
  const fields = { from: FROM, text: "oi" };
  const multipart = (): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ id: newId(), ...fields })) form.set(name, value);
    form.set("file", new Blob([new Uint8Array([0, 255, 254])]), "photo.bin");
    return form;
  };
  test.each<[string, () => RequestInit, string]>([
    [
      "JSON",
      () => ({ headers: { "content-type": "application/json" }, body: JSON.stringify({ id: newId(), ...fields }) }),
      "oi",
    ],
    [
      "a form",
      () => ({ headers: { "content-type": FORM }, body: new URLSearchParams({ id: newId(), ...fields }) }),
      "oi",
    ],
    ["multipart with a file", () => ({ body: multipart() }), "oi"],
    [
      "XML",
      () => ({
        headers: { "content-type": "application/xml" },
        body: `<sms><id>${newId()}</id><from>${FROM}</from><text>oi</text></sms>`,
      }),
      "oi",
    ],
    [
      "text in Latin-1",
      () => ({
        headers: { "content-type": "text/plain; charset=iso-8859-1" },
        body: Buffer.from(`${newId()} ${FROM} ol\xe1`, "latin1"),
      }),
      "ol\ufffd",
    ],
    [
      "text with NUL",
      () => ({ headers: { "content-type": "text/plain" }, body: `${newId()} ${FROM} a\0b` }),
      "a[NUL]b",
    ],
    ["no type at all", () => ({ body: Buffer.from(`${newId()} ${FROM} oi`) }), "oi"],
  ])("%s", async (_, init, said) => {
    const { id, hook } = await newChannel("query");
    const answer = await post(id, { query: `?token=${SECRET}`, ...init() });
    expect(Math.floor(answer.status / 100)).toBe(2);
    expect((await textsAt(hook))[0]).toStartWith(said);
  });

  test("and an empty one", async () => {
    const { id, hook } = await newChannel("query");
    expect((await post(id, { query: `?token=${SECRET}&part=${newId()}` })).status).toBe(200);
    expect((await textsAt(hook))[0]).toStartWith("all is in the query");
  });

  test("but a body that says it is JSON and is none is refused, and nothing is stored", async () => {
    const { id, hook } = await newChannel("query");
    const answer = await post(id, {
      query: `?token=${SECRET}`,
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(answer.status).toBe(400);
    expect(await textsAt(hook)).toEqual([]);
  });

  test("of at most 4 MiB", async () => {
    const { id } = await newChannel("query");
    const long = {
      query: `?token=${SECRET}`,
      headers: { "content-type": FORM },
      body: "x".repeat(4 * 1024 * 1024 + 1),
    };
    expect((await post(id, long)).status).toBe(413);
  });
});

test("HTTP basic authentication is possible, and a wrong password is refused", async () => {
  const { id, hook } = await newChannel("basic");
  const send = (password: string) =>
    post(id, {
      headers: { authorization: `Basic ${Buffer.from(`hook:${password}`).toString("base64")}` },
      body: `${newId()} ${FROM} oi`,
    });
  expect([(await send("guess")).status, (await send(SECRET)).status]).toEqual([403, 200]);
  expect(await textsAt(hook)).toHaveLength(1);
});

test("a signed time is compared with the time at which the request came, so a late repeat is refused", async () => {
  const { id, hook } = await newChannel("timed");
  const time = w.clock.now();
  const body = `${newId()} ${FROM} oi`;
  const signature = `${time}.${createHmac("sha256", SECRET).update(`${time}.${body}`).digest("hex")}`;
  const send = () => post(id, { headers: { "x-courier-signature": signature }, body });
  expect((await send()).status).toBe(200);
  await w.advance(6 * MINUTE_MS);
  expect((await send()).status).toBe(403);
  expect(await textsAt(hook)).toHaveLength(1);
});

describe("the handshake of a channel's network", () => {
  test.each(["GET", "HEAD"])("is answered in the adapter's words: %s", async (method) => {
    const { id } = await newChannel("query");
    const answer = await fetch(`${w.app.url}/gateway${pathOf(id)}?token=${SECRET}&challenge=%3Cb%3E`, { method });
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("x-content-type-options")]).toEqual([
      200,
      "text/plain",
      "nosniff",
    ]);
    expect(await answer.text()).toBe(method === "GET" ? "<b>" : "");
  });

  test("with a wrong token is refused, and so is one at no channel's address", async () => {
    const { id } = await newChannel("query");
    for (const path of [`${pathOf(id)}?token=guess&challenge=1`, `${pathOf(crypto.randomUUID())}?token=${SECRET}`])
      expect((await fetch(`${w.app.url}/gateway${path}`)).status).toBe(403);
  });
});

describe("events that come by GET, in the query", () => {
  const get = (id: string, query: string, method = "GET") =>
    fetch(`${w.app.url}/gateway${pathOf(id)}${query}`, { method, headers: { "x-courier-signature": "" } });

  test("are stored and read where the adapter takes them", async () => {
    const { id, hook } = await newChannel("parameter");
    const answer = await get(id, `?key=${SECRET}&part=${newId()}`);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    expect((await textsAt(hook))[0]).toStartWith("all is in the query GET ?part=in-");
    const stored = JSON.stringify(await rowsOf(w, "SELECT * FROM upstream_envelopes WHERE channel_id = ?1", [id]));
    expect(stored).not.toContain(SECRET);
  });

  test("are refused with a wrong secret, and a HEAD stores nothing", async () => {
    const { id, hook } = await newChannel("parameter");
    expect((await get(id, `?key=guess&part=${newId()}`)).status).toBe(403);
    expect((await get(id, `?key=${SECRET}&part=${newId()}`, "HEAD")).status).toBe(403);
    expect(await textsAt(hook)).toEqual([]);
  });
});

test("an address whose network sends no GET takes none, and says what it takes", async () => {
  const network = pagerNetwork();
  const other = await startWorld({ plugins: [network.plugin] });
  const account = await other.account();
  const body = { type: "PAGER", label: "Night shift", credentials: { token: PAGER_TOKEN } };
  const { id } = made(await other.gateway("/v1/phones", { key: account.key, body }), 201);
  const answer = await fetch(`${other.app.url}/gateway${pathOf(id)}?token=x`);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  await other.stop();
});

test("only what the adapter names is stored of the headers and the query, and read again after a crash", async () => {
  const before = await newChannel("query");
  await post(before.id, { query: `?part=1&token=${SECRET}`, body: `${newId()} ${FROM} the first of its queue` });
  expect(await textsAt(before.hook)).toHaveLength(1);
  const { id, hook } = await newChannel("query");
  await holdBack(w, "upstream");
  const answer = await post(id, {
    query: `?part=7&token=${SECRET}&other=secret-of-the-query`,
    headers: { authorization: "secret-of-a-header", "x-courier-event": "sms", "content-type": "text/plain" },
    body: Buffer.from(`${newId()} ${FROM} ol\xe1`, "latin1"),
  });
  expect(answer.status).toBe(200);
  const stored = JSON.stringify(await rowsOf(w, "SELECT * FROM upstream_envelopes WHERE channel_id = ?1", [id]));
  expect([stored.includes(SECRET), stored.includes("secret-of")]).toEqual([false, false]);
  await w.restart();
  await release(w, "upstream");
  expect(await textsAt(hook)).toEqual(["ol\ufffd POST ?part=7 7 content-type,x-courier-event"]);
});

test("requests that differ in what the adapter reads are stored each, and a repeat is stored once", async () => {
  const { id, hook } = await newChannel("query");
  const body = `${newId()} ${FROM} oi`;
  for (const part of [1, 2, 1]) await post(id, { query: `?part=${part}&token=${SECRET}`, body });
  const rows = await rowsOf(w, "SELECT count(*) AS n FROM upstream_envelopes WHERE channel_id = ?1", [id]);
  expect(rows).toEqual([{ n: 2 }]);
  expect(await textsAt(hook)).toHaveLength(1); // the adapter's key is the same
});

test("an adapter that does not answer in time is 503 with Retry-After for its network, and nothing is stored", async () => {
  const { id } = await newChannel("silent");
  const asked = post(id, { query: "?token=x", body: "x" });
  const isHung = async () =>
    (await w.app.env.scrape()).includes('recado_adapter_faults_total{plugin="courier",fault="hung"}');
  await untilTrue(async () => {
    await w.advance(SECOND_MS);
    return isHung();
  });
  const answer = await asked;
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(await rowsOf(w, "SELECT id FROM upstream_envelopes WHERE channel_id = ?1", [id])).toEqual([]);
});

test("an address and a pace that come as promises are awaited: a wrong number is refused, and a send waits", async () => {
  const { id } = await newChannel("query");
  const send = (to: string) =>
    w.gateway("/v1/messages", { key, body: { phoneId: id, to, type: "text", content: { text: "oi" } } });
  expect((await send("12")).status).toBe(400);
  const { messageId } = made(await send(FROM), 202);
  const status = async () => (await w.gateway(`/v1/messages/${messageId}`, { key })).body.status;
  await w.settle();
  expect(await status()).toBe("QUEUED");
  await w.advance(MINUTE_MS);
  expect(await status()).toBe("SENT");
});
