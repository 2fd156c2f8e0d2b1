import { describe, expect, test } from "bun:test";
import { Recado, RecadoConnectionError, RecadoError, type StreamOptions } from "../../clients/typescript/src/index.ts";
import { DAY_MS, iso } from "../../src/kernel/clock.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { rowsOf, suspend, TO } from "../support/customers/customer.ts";
import { cuttingProxy } from "../support/servers/cutting-proxy.ts";
import { useCustomer } from "../support/use-world.ts";
import { untilTrue } from "../support/waiting.ts";

const { w, c } = useCustomer();

const receive = async (words: readonly string[]) => {
  await w.graph.inbound.batch(words.map((text) => ({ kind: "text", to: c.phone.phoneNumberId, from: TO, text })));
  await w.settle();
};
const newestId = async () =>
  (
    await rowsOf<{ id: string }>(w, "SELECT id FROM events WHERE tenant_id = ?1 ORDER BY seq DESC LIMIT 1", [
      c.accountId,
    ])
  )[0]?.id;
const textOf = (event: unknown): string =>
  (event as { data: { content?: { text?: string } } }).data.content?.text ?? "";

type Item = { type: string; id?: string };

/** Reads a stream in the background; ends with the scope. */
const follow = (options: StreamOptions = {}, { url = w.app.gatewayUrl, key = c.key } = {}) => {
  const controller = new AbortController();
  const items: Item[] = [];
  const ends: unknown[] = [];
  const recado = new Recado({ url, apiKey: key });
  const reading = (async () => {
    const stream = recado.events.stream({
      maxWaitMs: 5,
      onReconnect: (cause) => void ends.push(cause),
      ...options,
      signal: controller.signal,
    });
    for await (const item of stream) items.push(item);
  })().then(
    () => undefined,
    (error: unknown) => error,
  );
  return {
    items,
    /** Why it was opened again, each time. */
    ends,
    /** What it ended with. */
    ended: reading,
    stop: () => controller.abort(),
    /** Resolves when so many items have come. */
    count: (count: number) => untilTrue(() => items.length >= count),
    /** Resolves when the server has the stream. */
    opened: () => untilTrue(() => w.app.env.stream.count(c.accountId as TenantId) > 0),
    async [Symbol.asyncDispose]() {
      controller.abort();
      await reading;
    },
  };
};

test("an event comes as the webhook has it, and the signal ends the stream without an error", async () => {
  const stream = follow();
  await stream.opened();
  await receive(["olá"]);
  await stream.count(1);
  expect(stream.items).toEqual([c.hook.arrived[0]?.body]);
  stream.stop();
  expect(await stream.ended).toBeUndefined();
  await untilTrue(() => w.app.env.stream.count(c.accountId as TenantId) === 0);
});

test("onOpen is called once for each connection, when the server has begun: what happens then comes", async () => {
  const opened: number[] = [];
  await using stream = follow({ onOpen: () => void opened.push(stream.items.length) });
  await untilTrue(() => opened.length > 0);
  await receive(["one", "two"]);
  await stream.count(2);
  expect(opened).toEqual([0]);
});

test("leaving the loop closes the connection", async () => {
  const recado = new Recado({ url: w.app.gatewayUrl, apiKey: c.key });
  await receive(["one", "two"]);
  for await (const _ of recado.events.stream({ lastEventId: "nothing" })) break;
  await untilTrue(() => w.app.env.stream.count(c.accountId as TenantId) === 0);
});

test("it goes on after an id, and is filtered by phone and types", async () => {
  await receive(["before"]);
  const lastEventId = await newestId();
  await receive(["after"]);
  await c.sent();
  await using stream = follow({
    ...(lastEventId ? { lastEventId } : {}),
    types: ["message:status"] as never,
    phoneId: c.phone.id,
  });
  await stream.count(1);
  expect(stream.items[0]?.type).toBe("message:status");
});

test("a gap is an item of its own", async () => {
  const leftAt = w.clock.now();
  const lastEventId = await newestId();
  await receive(["too old"]);
  await w.advance(DAY_MS);
  await receive(["in time"]);
  await using stream = follow(lastEventId ? { lastEventId } : {});
  await stream.count(2);
  expect(stream.items[0]).toEqual({ type: "gap", from: iso(leftAt), to: iso(w.clock.now() - DAY_MS) } as Item);
  expect(textOf(stream.items[1])).toBe("in time");
});

describe("a connection that breaks off", () => {
  test("in the middle of events, again and again, loses none and brings none twice", async () => {
    const proxy = await cuttingProxy({
      toPort: Number(new URL(w.app.url).port),
      marker: ": connected",
      afterBytes: 3000,
    });
    try {
      await using stream = follow({}, { url: `${proxy.url}/gateway` });
      await stream.opened();
      const words = Array.from({ length: 30 }, (_, index) => `word ${index}`);
      for (const word of words) await receive([word]);
      await stream.count(words.length);
      expect(stream.items.map(textOf)).toEqual(words);
      expect(stream.ends.length).toBeGreaterThan(1);
      expect(stream.ends[0]).toBeInstanceOf(RecadoConnectionError);
    } finally {
      await proxy.close();
    }
  });

  test("before the first event still brings what happens meanwhile", async () => {
    await using stream = follow({ maxWaitMs: 50 });
    await stream.opened();
    w.app.env.stream.end();
    await untilTrue(() => stream.ends.length === 1);
    await receive(["meanwhile"]);
    await stream.count(1);
    expect(stream.items.map(textOf)).toEqual(["meanwhile"]);
  });

  test("without a word counts as lost after a time", async () => {
    await using stream = follow({ silenceMs: 500 });
    await untilTrue(() => stream.ends.length > 0);
    expect(stream.ends[0]).toMatchObject({ name: "RecadoConnectionError", isTimeout: true });
    await receive(["then"]);
    await stream.count(1);
    expect(stream.items.map(textOf)).toEqual(["then"]);
  });
});

describe("a stream that is refused", () => {
  test("the first time, or that cannot be opened, ends with the error", async () => {
    expect(await follow({}, { key: "ak_live_wrong" }).ended).toMatchObject({ status: 401 });
    expect(await follow({ types: ["nothing"] as never }).ended).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await follow({}, { url: "http://127.0.0.1:1" }).ended).toBeInstanceOf(RecadoConnectionError);
  });

  test("later is not asked for again", async () => {
    const stream = follow();
    await stream.opened();
    await suspend(w, c.accountId);
    w.app.env.stream.end();
    expect(await stream.ended).toMatchObject({ status: 402 });
    expect(await stream.ended).toBeInstanceOf(RecadoError);
  });
});
