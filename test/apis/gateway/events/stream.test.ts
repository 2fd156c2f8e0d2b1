import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, iso, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { unionFaults } from "../../../support/apis/event-bodies.ts";
import { type Customer, newCustomer, rowsOf, suspend, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld();
});
beforeEach(async () => {
  c = await newCustomer(w);
});
afterAll(() => w.stop());

const receive = async (words: readonly string[], customer = c) => {
  await w.graph.inbound.batch(
    words.map((text) => ({ kind: "text", to: customer.phone.phoneNumberId, from: TO, text })),
  );
  await w.settle();
};
const idsInOrder = async () =>
  (await rowsOf<{ id: string }>(w, "SELECT id FROM events WHERE tenant_id = ?1 ORDER BY seq", [c.accountId])).map(
    ({ id }) => id,
  );

test("G-597 an event arrives as text/event-stream, with its id, its type and the very envelope of the webhook", async () => {
  await using stream = await follow(c.key);
  expect([stream.status, stream.headers.get("content-type"), stream.headers.get("cache-control")]).toEqual([
    200,
    "text/event-stream",
    "no-store",
  ]);
  await receive(["olá"]);
  const [{ raw, body } = { raw: "", body: {} }] = c.hook.arrived;
  expect(await stream.next()).toEqual({ id: body.id, event: "message:received", data: raw });
});

test("G-582 G-597 it has the events of a phone without a webhook too", async () => {
  await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "PATCH", body: { webhook: {} } });
  await using stream = await follow(c.key);
  await receive(["olá"]);
  expect((await stream.next())?.event).toBe("message:received");
});

test("G-598 GAP-G57 webhook:failed is in the stream, of no phone", async () => {
  c.hook.reply(() => new Response("", { status: 410 }));
  await using stream = await follow(c.key);
  await receive(["olá"]);
  expect((await stream.take(2)).map(({ event, data = "" }) => [event, JSON.parse(data).phoneId])).toEqual([
    ["message:received", c.phone.id],
    ["webhook:failed", null],
  ]);
});

test("another account's events are not published", async () => {
  const other = await newCustomer(w);
  await using stream = await follow(c.key);
  await receive(["theirs"], other);
  await receive(["mine"]);
  expect((await stream.next())?.data).toContain('"mine"');
});

describe("filters", () => {
  test("G-597 GAP-G60 by phone", async () => {
    const other = await w.wabaPhone(c.key);
    await using stream = await follow(c.key, `?phoneId=${other.id}&types=message:received`);
    await receive(["not this"]);
    await w.graph.inbound.text({ to: other.phoneNumberId, from: TO, text: "but this" });
    expect((await stream.next())?.data).toContain("but this");
  });

  test("G-597 GAP-G60 by types, in a comma list", async () => {
    await using stream = await follow(c.key, "?types=message:status,channel:connected");
    await receive(["not this"]);
    await c.sent();
    expect((await stream.next())?.event).toBe("message:status");
  });

  test.each(["nothing", "message:received,nothing", "message.received", "", "message:received,"])(
    "GAP-G60 the unknown type %p is refused",
    async (types) => {
      expect(gatewaySays(await w.gateway(`/v1/events/stream?types=${types}`, { key: c.key }))).toBe(
        "400 VALIDATION_ERROR",
      );
    },
  );
});

describe("Last-Event-ID", () => {
  test("G-597 GAP-G60 resumes without gap or repeat, in order, while events keep coming", async () => {
    await receive(Array.from({ length: 450 }, (_, index) => `before ${index}`));
    const ids = await idsInOrder();
    const from = 20;
    const coming = Promise.all(
      Array.from({ length: 10 }, (_, batch) =>
        w.graph.inbound.batch(
          Array.from({ length: 10 }, (_, index) => ({
            kind: "text",
            to: c.phone.phoneNumberId,
            from: TO,
            text: `during ${batch}.${index}`,
          })),
        ),
      ),
    );
    await using stream = await follow(c.key, "", ids[from]);
    const received = await stream.take(ids.length - 1 - from + 100);
    await coming;
    await receive(["the last"]);
    expect([...received, ...(await stream.take(1))].map(({ id }) => id)).toEqual((await idsInOrder()).slice(from + 1));
  });

  test("GAP-G60 keeps to the filter", async () => {
    const [connected = ""] = await idsInOrder();
    await receive(["not this"]);
    await c.sent();
    await using stream = await follow(c.key, "?types=message:status", connected);
    expect((await stream.next())?.event).toBe("message:status");
  });

  test("GAP-G60 brings nothing that is older than a day, says so with an event gap, and goes on", async () => {
    const [connected = ""] = await idsInOrder();
    const leftAt = w.clock.now();
    await receive(["too old"]);
    await w.advance(DAY_MS);
    await receive(["in time"]);
    const reachAt = w.clock.now() - DAY_MS;
    const [gap, next] = await firstOf(connected, 2);
    expect([gap?.event, JSON.parse(gap?.data ?? "")]).toEqual(["gap", { from: iso(leftAt), to: iso(reachAt) }]);
    expect(next?.data).toContain("in time");
    // a client that resumes after the gap does not receive it again
    expect((await firstOf(gap?.id, 1))[0]?.data).toContain("in time");
  });

  test("an id that is no event's and says no time: the gap has no beginning, and the last day is brought", async () => {
    await receive(["in time"]);
    const [gap, ...received] = await firstOf("nothing", 3);
    expect([gap?.event, JSON.parse(gap?.data ?? "").from]).toEqual(["gap", null]);
    expect(received.at(-1)?.data).toContain("in time");
  });

  test("of an event older than a day, since which nothing happened that is lost: there is no gap", async () => {
    const last = (await idsInOrder()).at(-1);
    await w.advance(2 * DAY_MS);
    await receive(["in time"]);
    expect((await firstOf(last, 1))[0]?.data).toContain("in time");
  });

  test("a new reader is given an id before any event: resumed after it, nothing is lost that happened in between", async () => {
    const reader = await follow(c.key);
    await reader[Symbol.asyncDispose]();
    expect(reader.id).toBe((await idsInOrder()).at(-1));
    await receive(["while away"]);
    expect((await firstOf(reader.id, 1))[0]?.data).toContain("while away");
  });

  test("a new reader of an account in which nothing has happened yet is given one too", async () => {
    const { key } = await w.account();
    const reader = await follow(key);
    await reader[Symbol.asyncDispose]();
    const { id } = await w.wabaPhone(key);
    await w.settle();
    await using again = await follow(key, "", reader.id);
    expect(JSON.parse((await again.next())?.data ?? "")).toMatchObject({ phoneId: id });
  });

  test("of another account brings nothing of it", async () => {
    const other = await newCustomer(w);
    await receive(["theirs"], other);
    const [theirs = ""] = (
      await rowsOf<{ id: string }>(w, "SELECT id FROM events WHERE tenant_id = ?1 ORDER BY seq", [other.accountId])
    ).map(({ id }) => id);
    await using stream = await follow(c.key, "?types=message:received", theirs);
    await receive(["mine"]);
    expect((await stream.next())?.data).toContain('"mine"');
  });
});

describe("a ping", () => {
  test("GAP-G60 comes every 15 seconds", async () => {
    await using stream = await follow(c.key);
    await receive(["olá"]);
    await stream.next();
    for (let turn = 0; turn < 3; turn++) {
      await w.advance(15 * SECOND_MS);
      expect(await stream.next()).toEqual({ comment: "ping" });
    }
  });

  test("GAP-G60 comes also where all that happens is filtered out", async () => {
    await using stream = await follow(c.key, "?types=message:status");
    await c.sent();
    await stream.next();
    await w.advance(10 * SECOND_MS);
    await receive(["not this"]);
    await w.advance(5 * SECOND_MS);
    expect(await stream.next()).toEqual({ comment: "ping" });
  });
});

describe("a key that is revoked", () => {
  test("GAP-G60 its stream ends at the next ping at the latest, and publishes nothing that comes after", async () => {
    await using stream = await follow(c.key);
    const [{ id }] = (await w.gateway(`/v1/admin/accounts/${c.accountId}/api-keys`, { admin: true })).body;
    await w.gateway(`/v1/admin/api-keys/${id}/revoke`, { admin: true, method: "POST" });
    await w.advance(15 * SECOND_MS);
    await receive(["not for you"]);
    expect(JSON.stringify(await stream.rest())).not.toContain("not for you");
  });
});

test("GAP-G60 an account may have 100 streams open; the next is refused, and another account is not", async () => {
  const leaving = new AbortController();
  const open = (key: string) =>
    fetch(`${w.app.url}/gateway/v1/events/stream`, { headers: { "x-api-key": key }, signal: leaving.signal });
  const opened = await Promise.all(Array.from({ length: 100 }, () => open(c.key)));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await open(c.key);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await open((await w.account()).key)).status).toBe(200);
  leaving.abort();
});

describe("an account that loses access", () => {
  test("GAP-G60 is not let in", async () => {
    await suspend(w, c.accountId);
    expect(gatewaySays(await w.gateway("/v1/events/stream", { key: c.key }))).toBe("402 ACCOUNT_SUSPENDED");
  });

  test("GAP-G60 has its stream ended within 15 seconds, also where events keep coming", async () => {
    await using stream = await follow(c.key);
    await receive(["before"]);
    await stream.next();
    await suspend(w, c.accountId);
    await w.advance(14 * SECOND_MS);
    await receive(["in between"]);
    await w.advance(SECOND_MS);
    await receive(["after"]);
    expect((await stream.rest()).map(({ data }) => JSON.parse(data ?? "").data.content.text)).toEqual(["in between"]);
  });
});

test("GAP-G60 the stream ends when the process does", async () => {
  const other = await startWorld();
  const { key } = await other.account();
  const stream = await follow(key, "", undefined, other);
  await other.stop();
  expect(await stream.rest()).toEqual([]);
});

type Frame = { comment?: string; id?: string; event?: string; data?: string };

/** An open stream, read frame by frame; the first one, which says that it is connected, has been read. */
const follow = async (key: string, query = "", lastEventId?: string, world = w) => {
  const leaving = new AbortController();
  const headers = { "x-api-key": key, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
  const response = await fetch(`${world.app.url}/gateway/v1/events/stream${query}`, {
    headers,
    signal: leaving.signal,
  });
  const frames = framesOf(response);
  const next = async (): Promise<Frame | undefined> => (await frames.next()).value ?? undefined;
  const take = async (count: number): Promise<Frame[]> => {
    const taken: Frame[] = [];
    for (let frame = await next(); frame; frame = taken.length < count ? await next() : undefined) taken.push(frame);
    return taken;
  };
  const { comment, id } = (await next()) ?? {};
  expect([comment, id === undefined]).toEqual(["connected", lastEventId !== undefined]);
  return {
    /** The position that a new reader is given. */
    id,
    status: response.status,
    headers: response.headers,
    next,
    take,
    /** Everything until the stream ends by itself. */
    rest: () => take(Number.POSITIVE_INFINITY),
    [Symbol.asyncDispose]: async () => leaving.abort(),
  };
};

async function* framesOf(response: Response): AsyncGenerator<Frame, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const frame of whole.map(frameOf)) {
      if (frame.event !== undefined && frame.event !== "gap")
        expect(unionFaults("gateway", JSON.parse(frame.data ?? ""))).toEqual([]);
      yield frame;
    }
  }
  return undefined;
}

const frameOf = (text: string): Frame =>
  Object.fromEntries(
    text.split("\n").map((line) => [line.slice(0, line.indexOf(":")) || "comment", line.slice(line.indexOf(":") + 2)]),
  );

/** The first frames of a stream that is resumed. */
const firstOf = async (lastEventId: string | undefined, count: number): Promise<Frame[]> => {
  await using stream = await follow(c.key, "", lastEventId ?? "");
  return stream.take(count);
};
