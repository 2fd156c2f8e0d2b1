import { describe, expect, test } from "bun:test";
import {
  type Connection,
  Recado,
  RecadoAdmin,
  RecadoConnectionError,
  RecadoError,
  RecadoPlatform,
} from "../../clients/typescript/src/index.ts";
import { ADMIN_TOKEN } from "../support/admin-token.ts";
import { sendsOf, TO } from "../support/customers/customer.ts";
import { FILES, storedFile } from "../support/customers/media.ts";
import { type Fate, startFlakyProxy } from "../support/servers/flaky-proxy.ts";
import { useCustomer } from "../support/use-world.ts";

const { w, c } = useCustomer();

const UNKNOWN = "01a1f8d3-ea00-4000-8000-000000000000";
const url = () => w.app.gatewayUrl;
const recadoOf = (more: Partial<Connection & { apiKey: string }> = {}) =>
  new Recado({ url: url(), apiKey: c.key, ...more });
const textTo = (to = TO, more: object = {}) =>
  ({ phoneId: c.phone.id, to, type: "text", content: { text: "olá" }, ...more }) as const;
/** What a promise is rejected with. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a message is sent, and shown by its id", async () => {
  const recado = recadoOf();
  const { messageId, status } = await recado.messages.send(textTo());
  expect(status).toBe("QUEUED");
  await w.settle();
  expect(await recado.messages.get(messageId)).toMatchObject({ messageId, status: "SENT" });
  expect(sendsOf(w, c)).toHaveLength(1);
});

test("a message that is only tried is not sent", async () => {
  const answer = await recadoOf().messages.send(textTo(), { query: { dryRun: true } });
  expect(answer.dryRun).toBe(true);
  await w.settle();
  expect(sendsOf(w, c)).toEqual([]);
});

test("an address with a slash at its end is the same address", async () => {
  expect(await recadoOf({ url: `${url()}/` }).phones.get(c.phone.id)).toMatchObject({ id: c.phone.id });
});

test("a route without a body to answer with resolves to undefined", async () => {
  const recado = recadoOf();
  const { id } = await recado.flows.create({ phoneId: c.phone.id, name: "Pesquisa", categories: ["SURVEY"] });
  expect(await recado.flows.delete(id)).toBeUndefined();
});

describe("a refusal", () => {
  test("is a RecadoError with its status, code, message and the id of the request", async () => {
    const error = await errorOf(recadoOf().phones.get(UNKNOWN));
    expect(error).toBeInstanceOf(RecadoError);
    expect(error).toMatchObject({
      name: "RecadoError",
      status: 404,
      code: "PHONE_NOT_FOUND",
      message: expect.stringMatching(/\w/),
      requestId: expect.stringMatching(/^[\w-]{8,}$/),
      retryAfterMs: undefined,
    });
  });

  test("of a body that is not valid has the fields in its details", async () => {
    const error = await errorOf(recadoOf().messages.send({ ...textTo(), content: {} } as never));
    expect(error).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
    expect(JSON.stringify((error as RecadoError).details)).toContain("text");
  });

  test("of the platform, in each of its shapes, is one too", async () => {
    const platform = new RecadoPlatform({ url: `${w.app.url}/platform`, token: "pk_live_wrong", maxRetries: 0 });
    const errors = [
      await errorOf(platform.channels.list().page()),
      await errorOf(platform.webhooks.list().page()),
      await errorOf(platform.auth.login({ email: "a@example.com", password: "wrong-password-1" })),
    ];
    expect(errors).toMatchObject([{ status: 401 }, { status: 401 }, { status: 401, code: "UNKNOWN" }]);
    for (const error of errors.slice(0, 2)) expect((error as RecadoError).code).not.toBe("UNKNOWN");
    expect((errors[2] as RecadoError).message).toMatch(/\w/);
  });

  test("of something that is not Recado has the code UNKNOWN", async () => {
    await using proxy = await startFlakyProxy(url());
    proxy.next(new Response("<h1>Not here</h1>", { status: 404 }));
    expect(await errorOf(recadoOf({ url: proxy.url }).phones.get(UNKNOWN))).toMatchObject({
      status: 404,
      code: "UNKNOWN",
      message: "The answer has the status 404.",
    });
  });
});

describe("another try", () => {
  const soon = (status: number) =>
    Response.json(
      { error: { code: "RATE_LIMITED", message: "Not now." } },
      { status, headers: { "retry-after": "0" } },
    );
  const through = async (fates: Fate[], ask: (recado: Recado) => Promise<unknown>, more: Partial<Connection> = {}) => {
    await using proxy = await startFlakyProxy(url());
    proxy.next(...fates);
    const error = await errorOf(ask(recadoOf({ url: proxy.url, ...more })));
    return { error, seen: proxy.seen };
  };

  test.each([408, 429, 502, 503, 504])("follows an answer of %p", async (status) => {
    const { error, seen } = await through([soon(status), soon(status)], (recado) => recado.phones.get(c.phone.id));
    expect([error, seen.length]).toEqual([undefined, 3]);
  });

  test("follows a lost connection", async () => {
    const { error, seen } = await through(["refused"], (recado) => recado.phones.get(c.phone.id));
    expect([error, seen.length]).toEqual([undefined, 2]);
  });

  test.each([400, 401, 404, 409, 500, 501])("does not follow an answer of %p", async (status) => {
    const fate = Response.json({}, { status });
    const { error, seen } = await through([fate], (recado) => recado.phones.get(c.phone.id));
    expect([error, seen.length]).toEqual([expect.any(RecadoError), 1]);
  });

  test("follows a 409 that says when: the first try with the same key is still under way", async () => {
    const { error, seen } = await through([soon(409)], (recado) => recado.messages.send(textTo()));
    expect([error, seen.length]).toEqual([undefined, 2]);
  });

  test("comes at most twice, or as often as is said", async () => {
    const fates = Array.from({ length: 9 }, () => soon(503));
    const ask = (recado: Recado) => recado.phones.get(c.phone.id);
    expect((await through([...fates], ask)).seen).toHaveLength(3);
    expect((await through([...fates], ask, { maxRetries: 0 })).seen).toHaveLength(1);
    const { error, seen } = await through([...fates], (recado) => recado.phones.get(c.phone.id, { maxRetries: 4 }));
    expect([error, seen.length]).toEqual([expect.any(RecadoError), 5]);
    expect(error).toMatchObject({ status: 503, retryAfterMs: 0 });
  });

  test("of a PATCH never comes: it may have been done", async () => {
    const { error, seen } = await through([soon(503)], (recado) => recado.phones.update(c.phone.id, { label: "Loja" }));
    expect([error, seen.length]).toEqual([expect.any(RecadoError), 1]);
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.label).not.toBe("Loja");
  });

  test("is not waited for when the server asks for more than a minute", async () => {
    const later = Response.json({}, { status: 429, headers: { "retry-after": "61" } });
    const { error, seen } = await through([later], (recado) => recado.phones.get(c.phone.id));
    expect([error, seen.length]).toEqual([expect.objectContaining({ retryAfterMs: 61_000 }), 1]);
  });

  test("of a POST has the same Idempotency-Key; another POST has another", async () => {
    const { seen } = await through([soon(503)], async (recado) => {
      await recado.messages.send(textTo());
      await recado.messages.send(textTo());
    });
    const [first, again, other] = seen.map(({ headers }) => headers.get("idempotency-key"));
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([again === first, other === first]).toEqual([true, false]);
  });

  test("of a message whose answer was lost does not send it twice", async () => {
    const { error, seen } = await through(["lost", "lost"], (recado) => recado.messages.send(textTo()));
    expect([error, seen.length]).toEqual([undefined, 3]);
    await w.settle();
    expect(sendsOf(w, c)).toHaveLength(1);
  });

  test("of anything else that was done, and whose answer was lost, does not do it twice either", async () => {
    const label = "Made once";
    const { error } = await through(["lost"], (recado) => recado.phones.create({ type: "SESSION", label }));
    expect(error).toBeUndefined();
    const labels = (await recadoOf().phones.list().toArray()).map((phone) => phone.label);
    expect(labels.filter((one) => one === label)).toHaveLength(1);
  });

  test("by the caller, under the key of a request that was done, gives its answer again", async () => {
    const [first, again] = [
      await recadoOf().messages.send(textTo(), { idempotencyKey: "order-4711" }),
      await recadoOf().messages.send(textTo(), { idempotencyKey: "order-4711" }),
    ];
    expect(again.messageId).toBe(first.messageId);
  });

  test("of a stream never comes: it can be read only once", async () => {
    const { error, seen } = await through([soon(503)], (recado) =>
      recado.media.keepFile(new Blob([FILES.png]).stream()),
    );
    expect([error, seen.length]).toEqual([expect.any(RecadoError), 1]);
  });
});

describe("no answer", () => {
  test("from a server that is not there is a RecadoConnectionError", async () => {
    const error = await errorOf(recadoOf({ url: "http://127.0.0.1:1", maxRetries: 0 }).phones.list().page());
    expect(error).toBeInstanceOf(RecadoConnectionError);
    expect(error).toMatchObject({ isTimeout: false });
  });

  test("in time is one that says so", async () => {
    await using hanging = hangingServer();
    const recado = recadoOf({ url: hanging.url, timeoutMs: 20, maxRetries: 0 });
    expect(await errorOf(recado.phones.list().page())).toMatchObject({
      name: "RecadoConnectionError",
      isTimeout: true,
    });
  });

  test("to a caller that gave up is the caller's own reason, and nothing is tried again", async () => {
    await using hanging = hangingServer();
    const [controller, reason] = [new AbortController(), new Error("no longer wanted")];
    const asked = recadoOf({ url: hanging.url }).phones.get(c.phone.id, { signal: controller.signal });
    await hanging.asked;
    controller.abort(reason);
    expect(await errorOf(asked)).toBe(reason);
    expect(await errorOf(recadoOf().phones.get(c.phone.id, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test("but a part of one is a lost connection", async () => {
    await using proxy = await startFlakyProxy(url());
    proxy.next(new Response(`{"id": "1`, { headers: { "content-type": "application/json" } }));
    expect(await errorOf(recadoOf({ url: proxy.url, maxRetries: 0 }).phones.get(c.phone.id))).toBeInstanceOf(
      RecadoConnectionError,
    );
  });
});

/** A server that takes requests and never answers. */
const hangingServer = () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      resolve();
      return new Promise<Response>(() => {});
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
};

describe("a list", () => {
  const flows = async (recado: Recado, count: number) => {
    const made: string[] = [];
    for (let index = 0; index < count; index++) {
      const flow = { phoneId: c.phone.id, name: `Pesquisa ${index}`, categories: ["SURVEY"] as ["SURVEY"] };
      made.push((await recado.flows.create(flow)).id);
    }
    return made;
  };

  test("of the gateway is read page by page, by its cursors", async () => {
    const recado = recadoOf();
    const made = await flows(recado, 5);
    const list = recado.flows.list({ phoneId: c.phone.id, limit: 2 });
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids.toSorted()).toEqual(made.toSorted());
    const pages = await Array.fromAsync(list.pages());
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    expect((await list.page()).items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await list.toArray({ limit: 3 })).map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(await list.toArray({ limit: 0 })).toEqual([]);
  });

  test("asks for a page when it is read, and for no more", async () => {
    await using proxy = await startFlakyProxy(url());
    await flows(recadoOf(), 3);
    const list = recadoOf({ url: proxy.url }).flows.list({ limit: 1 });
    expect(proxy.seen).toHaveLength(0);
    for await (const _ of list) break;
    expect(proxy.seen).toHaveLength(1);
  });

  test("without pages gives its items too", async () => {
    const phones = await recadoOf().phones.list().toArray();
    expect(phones.map(({ id }) => id)).toEqual([c.phone.id]);
  });

  test("of the platform is read by the number of the page", async () => {
    const { token } = await w.institution("ENTERPRISE");
    const platform = new RecadoPlatform({ url: `${w.app.url}/platform`, token: await w.platformKey(token) });
    for (const digit of [1, 2, 3, 4, 5])
      await platform.contacts.create({ name: `Ana ${digit}`, phoneNumber: `551199999000${digit}` });
    const pages = await Array.fromAsync(platform.contacts.list({ limit: 2 }).pages());
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    const names = (await platform.contacts.list({ limit: 2 }).toArray()).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set([1, 2, 3, 4, 5].map((digit) => `Ana ${digit}`)));
  });

  test("whose cursor does not move ends", async () => {
    const fetch = () => Promise.resolve(Response.json({ items: [1], nextCursor: "same" }));
    expect(await recadoOf({ fetch }).flows.list().toArray()).toHaveLength(2);
  });
});

describe("a file", () => {
  test("is uploaded as bytes, with its type", async () => {
    const kept = await recadoOf().media.keepFile(new Blob([FILES.png], { type: "image/png" }));
    expect(kept).toMatchObject({ mediaHandle: expect.any(String) });
  });

  test("is uploaded in a form, with its name", async () => {
    const form = new FormData();
    form.set("file", new Blob([FILES.png], { type: "image/png" }), "foto.png");
    expect(JSON.stringify(await recadoOf().media.keepFile(form))).toContain("foto.png");
  });

  test("is downloaded behind its link, where the key is not shown", async () => {
    const { id } = await storedFile(w, c, { kind: "document", bytes: FILES.pdf, mimeType: "application/pdf" });
    const shown: (string | null)[] = [];
    const answer = await recadoOf({
      fetch: (address, init) => {
        shown.push(new Headers(init.headers).get("x-api-key"));
        return fetch(address, init);
      },
    }).media.get(id);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(Buffer.from(await answer.arrayBuffer()).equals(FILES.pdf)).toBe(true);
    expect(shown).toEqual([c.key, null]);
  });

  test("that is not there is refused as everything is", async () => {
    expect(await errorOf(recadoOf().media.get(UNKNOWN))).toMatchObject({ status: 404, code: "MEDIA_NOT_FOUND" });
  });
});

test("the operator's client makes accounts and their keys", async () => {
  const admin = new RecadoAdmin({ url: url(), adminToken: ADMIN_TOKEN });
  const { id } = await admin.accounts.create({ name: "Loja" });
  const { key } = await admin.accounts.issueApiKey(id, { name: "site" });
  expect(await recadoOf({ apiKey: key }).phones.list().toArray()).toEqual([]);
  expect((await admin.accounts.list().toArray()).map((one) => one.id)).toContain(id);
});
