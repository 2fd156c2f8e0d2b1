import { beforeAll, describe, expect, test } from "bun:test";
import { type Customer, customer, made, sendText, wabaChannel, webhookAt } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();
let who: Customer;
let id: string;
/** 25 attempts: every fifth failed. */
beforeAll(async () => {
  who = await customer(w);
  const channel = await wabaChannel(w, who.key);
  const hook = w.receiver();
  hook.reply((_, index) => new Response(null, { status: index % 5 === 4 ? 500 : 200 }));
  id = await webhookAt(w, who.key, hook, { retryPolicy: { maxRetries: 0 } });
  for (let n = 0; n < 25; n++) {
    made(await sendText(w, who.testKey, channel.id), 202);
    await w.advance(0);
    w.clock.advance(1);
  }
});

const logs = (query = "", webhook = id) => w.platform(`/v1/webhooks/${webhook}/logs${query}`, { key: who.key });
type Row = { id: string; status: string; deliveredAt: string | null; failedAt: string | null };

describe("GET /v1/webhooks/{id}/logs", () => {
  test("P-009 P-291 P-296 P-299 P-300 P-301 a row says which event, how the endpoint answered and when", async () => {
    const { status, body } = await logs("?limit=1&status=DELIVERED");
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          webhookId: id,
          event: "message:sent",
          status: "DELIVERED",
          statusCode: 200,
          responseTime: expect.any(Number),
          attempt: 1,
          error: null,
          deliveredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          failedAt: null,
        },
      ],
      meta: { total: 20, limit: 1, offset: 0, hasMore: true },
    });
  });

  test("P-292 P-293 P-297 P-298 twenty a page by default, newest first, each row once", async () => {
    const [first, second, third] = [await logs(), await logs("?page=2"), await logs("?page=3")];
    expect([first, second, third].map(({ body }) => [body.data.length, body.meta])).toEqual([
      [20, { total: 25, limit: 20, offset: 0, hasMore: true }],
      [5, { total: 25, limit: 20, offset: 20, hasMore: false }],
      [0, { total: 25, limit: 20, offset: 40, hasMore: false }],
    ]);
    const rows: Row[] = [...first.body.data, ...second.body.data];
    expect(new Set(rows.map((row) => row.id)).size).toBe(25);
    const times = rows.map(({ deliveredAt, failedAt }) => deliveredAt ?? failedAt ?? "");
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test("P-297 P-298 a page that ends with the last row has no more", async () => {
    expect((await logs("?page=5&limit=5")).body.meta).toEqual({ total: 25, limit: 5, offset: 20, hasMore: false });
    expect((await logs("?page=4&limit=5")).body.meta.hasMore).toBe(true);
    expect((await logs("?limit=25")).body.meta.hasMore).toBe(false);
  });

  test("a time filters, and counts what it filters: `since` is included, `until` is not", async () => {
    const rows: Row[] = (await logs("?limit=100")).body.data;
    const times = rows.map(({ deliveredAt, failedAt }) => deliveredAt ?? failedAt ?? "");
    const [middle = ""] = times.slice(10);
    const later = times.filter((at) => at >= middle).length;
    const ids = async (query: string) => (await logs(`?limit=100&${query}`)).body.data.map((row: Row) => row.id);
    expect(await ids(`since=${middle}`)).toEqual(rows.slice(0, later).map((row) => row.id));
    expect(await ids(`until=${middle}`)).toEqual(rows.slice(later).map((row) => row.id));
    expect((await logs(`?since=${middle}&limit=5`)).body.meta.total).toBe(later);
    expect((await logs(`?until=${middle}&status=DELIVERED`)).body.meta.total).toBe(
      rows.slice(later).filter(({ status }) => status === "DELIVERED").length,
    );
    expect(await ids("since=2100-01-01T00:00:00Z")).toEqual([]);
    expect((await logs("?since=today")).status).toBe(400);
  });

  test("P-295 P-302 status filters, and counts what it filters", async () => {
    for (const [status, total] of [
      ["DELIVERED", 20],
      ["FAILED", 5],
    ] as const) {
      const { body } = await logs(`?status=${status}&limit=100`);
      expect([body.meta.total, body.data.length, new Set(body.data.map((row: Row) => row.status))]).toEqual([
        total,
        total,
        new Set([status]),
      ]);
    }
  });

  test("P-294 limit is 1 to 100, page from 1, status one of two: anything else is a 400 that names it", async () => {
    expect((await logs("?limit=100")).status).toBe(200);
    const wrong = {
      limit: ["101", "0", "-1", "1.5", "abc", "", "1e2"],
      page: ["0", "-1", "abc", "", "1.5"],
      status: ["delivered", "PENDING", ""],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        expect([field, value, await logs(`?${field}=${value}`)]).toMatchObject([
          field,
          value,
          { status: 400, body: { code: "VALIDATION_ERROR", errors: [{ path: field }] } },
        ]);
      }
    }
  });

  test("P-291 the logs of an unknown webhook and of another institution's are WEBHOOK_NOT_FOUND", async () => {
    const stranger = await customer(w);
    const theirs = await webhookAt(w, stranger.key, { url: "https://hooks.example.com/in" });
    for (const one of [theirs, "none"])
      expect(await logs("", one)).toMatchObject({
        status: 404,
        body: { message: expect.any(String), code: "WEBHOOK_NOT_FOUND" },
      });
  });

  test("P-290 they survive a restart", async () => {
    const before = (await logs("?limit=100")).text;
    await w.restart();
    expect((await logs("?limit=100")).text).toBe(before);
  });
});
