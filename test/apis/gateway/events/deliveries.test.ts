import { describe, expect, test } from "bun:test";
import { DAY_MS, iso, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const UNKNOWN = "0198a000-1111-4222-8333-444455556666";
const answer = (status: number, body = "") => c.hook.reply(() => new Response(body, { status }));
const list = async (query = "", key = c.key): Promise<any[]> =>
  (await w.gateway(`/v1/deliveries${query}`, { key })).body.items;
const one = async (id: string): Promise<any> => (await w.gateway(`/v1/deliveries/${id}`, { key: c.key })).body;
const retry = (id: string, key = c.key) => w.gateway(`/v1/deliveries/${id}/retry`, { key, method: "POST" });
const retryAll = (body: object, key = c.key) => w.gateway("/v1/deliveries/retry", { key, body });

const writes = async (text = "oi"): Promise<void> => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
  await w.settle();
};
/** Has so many messages come in that the webhook refuses for good. */
const deadLetters = async (count: number): Promise<void> => {
  answer(410, "gone");
  for (let n = 0; n < count; n += 1) await writes(`dead ${n}`);
};
const ofMessages = "type=message:received";

describe("GET /v1/deliveries", () => {
  test("lists deliveries with their states, newest first", async () => {
    await writes();
    await deadLetters(1);
    answer(500);
    await writes("later");
    const all = await list(`?${ofMessages}`);
    expect(all.map(({ state }) => state)).toEqual(["WAITING", "DEAD", "DELIVERED"]);
    expect(all[0]).toMatchObject({
      api: "gateway",
      phoneId: c.phone.id,
      messageId: expect.any(String),
      webhookId: expect.any(String),
      url: c.hook.url,
      attempts: 1,
      lastStatusCode: 500,
      nextRetryAt: expect.any(String),
      heldBecause: null,
    });
    for (const [index, state] of ["WAITING", "DEAD", "DELIVERED"].entries())
      expect((await list(`?state=${state}&${ofMessages}`)).map(({ id }) => id)).toEqual([all[index].id]);
  });

  test("shows what a paused webhook holds", async () => {
    const shared = w.receiver();
    const { body: webhook } = await w.gateway("/v1/webhooks", {
      key: c.key,
      body: { label: "All", url: shared.url, secret: WEBHOOK_SECRET, allPhones: true },
    });
    await w.gateway(`/v1/webhooks/${webhook.id}`, { key: c.key, method: "PATCH", body: { active: false } });
    await writes();
    const [held] = await list(`?state=HELD&webhookId=${webhook.id}`);
    expect(held).toMatchObject({ state: "HELD", heldBecause: "WEBHOOK_PAUSED", webhookName: "All", attempts: 0 });
    expect((await retry(held.id)).body).toEqual({ id: held.id, status: "held" });
    expect(shared.arrived).toHaveLength(0);
  });

  test("filters by message, phone, webhook and time", async () => {
    await deadLetters(2);
    const [newest, older] = await list(`?${ofMessages}`);
    const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await idsOf(`?messageId=${newest.messageId}`)).toEqual([newest.id]);
    expect(await idsOf(`?${ofMessages}&phoneId=${c.phone.id}`)).toEqual([newest.id, older.id]);
    expect(await idsOf(`?${ofMessages}&webhookId=${older.webhookId}&state=DEAD`)).toEqual([newest.id, older.id]);
    expect(await idsOf(`?phoneId=${UNKNOWN}`)).toEqual([]);
    expect(await idsOf(`?state=DEAD&since=${iso(w.clock.now() + DAY_MS)}`)).toEqual([]);
    expect(await idsOf(`?state=DEAD&until=${iso(w.clock.now() - DAY_MS)}`)).toEqual([]);
  });

  test.each(["", "&state=DEAD"])("pages by its cursor without a gap or a repeat %s", async (filter) => {
    await deadLetters(5);
    const all = (await list(`?${ofMessages}${filter}`)).map(({ id }) => id);
    expect(all).toHaveLength(5);
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = `?${ofMessages}${filter}&limit=2${cursor ? `&cursor=${cursor}` : ""}`;
      const { body } = await w.gateway(`/v1/deliveries${query}`, { key: c.key });
      paged.push(...body.items.map(({ id }: any) => id));
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(all);
  });

  test("refuses an unknown cursor and an unknown state", async () => {
    for (const query of [`cursor=${UNKNOWN}`, "cursor=x", "state=LOST"])
      expect(gatewaySays(await w.gateway(`/v1/deliveries?${query}`, { key: c.key }))).toStartWith("400 ");
  });
});

describe("GET /v1/deliveries/{id}", () => {
  test("shows the request without its secrets, and each attempt with the answer", async () => {
    answer(500, "<h1>no</h1>");
    await writes("olá");
    await w.advance(5 * SECOND_MS);
    const [{ id }] = await list(`?${ofMessages}`);
    const { request, tries, ...rest } = await one(id);
    expect(rest).toMatchObject({ id, state: "WAITING", attempts: 2 });
    expect(tries.map((one: any) => [one.attempt, one.statusCode, one.responseBody])).toEqual([
      [2, 500, "<h1>no</h1>"],
      [1, 500, "<h1>no</h1>"],
    ]);
    expect(JSON.parse(request.body).data.content).toEqual({ text: "olá" });
    const headers = Object.fromEntries(request.headers.map(({ name, value }: any) => [name.toLowerCase(), value]));
    expect(headers).toMatchObject({ "content-type": "application/json", "x-gateway-attempt": "2" });
    expect([headers["webhook-signature"], headers["x-gateway-signature"]]).toEqual([null, null]);
    expect(JSON.stringify(request)).not.toContain(WEBHOOK_SECRET);
  });

  test("shows the attempt that delivered among those that failed", async () => {
    answer(500);
    await writes();
    answer(200, "thanks");
    await w.advance(5 * SECOND_MS);
    const [{ id }] = await list(`?${ofMessages}`);
    expect((await one(id)).tries.map(({ status }: any) => status)).toEqual(["DELIVERED", "FAILED"]);
  });

  test("of an unknown delivery is 404", async () => {
    expect(gatewaySays(await w.gateway(`/v1/deliveries/${UNKNOWN}`, { key: c.key }))).toBe("404 DELIVERY_NOT_FOUND");
  });
});

describe("sending deliveries again", () => {
  test("POST /v1/deliveries/{id}/retry sends a dead letter again", async () => {
    await deadLetters(1);
    answer(200);
    const [{ id }] = await list("?state=DEAD");
    expect(await retry(id)).toMatchObject({ status: 202, body: { id, status: "enqueued" } });
    await w.settle();
    expect(await one(id)).toMatchObject({ state: "DELIVERED", attempts: 1 });
  });

  test("refuses one that has arrived, and posts nothing", async () => {
    await writes();
    const [{ id }] = await list(`?${ofMessages}`);
    const before = c.hook.arrived.length;
    expect(gatewaySays(await retry(id))).toBe("409 ALREADY_DELIVERED");
    await w.settle();
    expect(c.hook.arrived).toHaveLength(before);
  });

  test("POST /v1/deliveries/retry sends those again that match, and says how many", async () => {
    await deadLetters(3);
    answer(200);
    const [newest] = await list("?state=DEAD");
    expect((await retryAll({ state: "DEAD", messageId: newest.messageId })).body).toEqual({
      status: "enqueued",
      count: 1,
    });
    expect((await retryAll({ state: "DEAD" })).body.count).toBe(2);
    await w.settle();
    expect(await list("?state=DEAD")).toEqual([]);
    expect((await retryAll({ state: "DEAD" })).body.count).toBe(0);
  });

  test("takes no other state", async () => {
    await writes();
    expect((await retryAll({ state: "DELIVERED" })).status).toBe(400);
    expect((await retryAll({})).status).toBe(400);
  });
});

describe("GET /v1/webhooks/health", () => {
  const health = async (query = ""): Promise<any[]> =>
    (await w.gateway(`/v1/webhooks/health${query}`, { key: c.key })).body.items;

  test("shows how the webhooks of phones and shared ones stand", async () => {
    const { body: webhook } = await w.gateway("/v1/webhooks", {
      key: c.key,
      body: { label: "All", url: w.receiver().url, secret: WEBHOOK_SECRET, events: ["message:received"] },
    });
    await writes();
    await deadLetters(2);
    const [shared, own] = await health();
    expect(shared).toMatchObject({ webhookId: webhook.id, kind: "shared", name: "All", state: "OK", recent: [] });
    expect(own).toMatchObject({ kind: "phone", phoneId: c.phone.id, state: "FAILING", failed: 2, dead: 2, waiting: 0 });
    expect(own.delivered).toBeGreaterThan(0);
    expect(own.recent[0]).toMatchObject({ delivered: false, statusCode: 410 });
    expect((await health(`?webhookId=${own.webhookId}`)).map(({ kind }) => kind)).toEqual(["phone"]);
    expect(await health(`?webhookId=${UNKNOWN}`)).toEqual([]);
  });

  test("says that a webhook is paused, and forgets attempts of more than a day ago", async () => {
    await deadLetters(1);
    await w.advance(DAY_MS + 600 * SECOND_MS);
    const [own] = await health();
    expect([own.failed, own.dead, own.recent]).toEqual([0, 1, []]);
  });
});

describe("a test event with a wrong signature", () => {
  test("is refused by an endpoint that checks signatures", async () => {
    const signatures: (string | undefined)[] = [];
    const trial = async (body: object) =>
      (await w.gateway(`/v1/phones/${c.phone.id}/webhook/test`, { key: c.key, body })).body;
    await trial({});
    await trial({ forged: true });
    for (const { raw, headers } of c.hook.arrived) {
      const mac = new Bun.CryptoHasher("sha256", WEBHOOK_SECRET).update(raw).digest("hex");
      signatures.push(headers["x-gateway-signature"] === `sha256=${mac}` ? "right" : "wrong");
    }
    expect(signatures).toEqual(["right", "wrong"]);
    expect(c.hook.arrived[1]?.headers["x-gateway-test"]).toBe(c.hook.arrived[0]?.headers["x-gateway-test"] ?? "none");
  });
});
