import { beforeAll, describe, expect, test } from "bun:test";
import { isUuid } from "../../../src/kernel/ids.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { useWorld } from "../../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET, type World } from "../../support/world.ts";

const w = useWorld();

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

test("G-002 G-013 bodies are JSON in UTF-8 in both directions", async () => {
  const { key } = await w.account();
  const label = "São João 🎉 日本";
  for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON"]) {
    const made = await w.gateway("/v1/phones", {
      key,
      body: { type: "SESSION", label },
      headers: { "content-type": type },
    });
    expect([type, made.status, made.body?.label]).toEqual([type, 201, label]);
    const read = await w.gateway(`/v1/phones/${made.body.id}`, { key });
    expect(read.headers.get("content-type")).toStartWith("application/json");
    expect(read.body.label).toBe(label);
  }
});

describe("over a tour of every kind of answer and event", () => {
  let tour: {
    answers: Answer[];
    events: { headers: Record<string, string>; body: any; raw: string }[];
    native: string[];
    ids: Record<string, string>;
    key: string;
  };
  beforeAll(async () => {
    tour = await travel();
  });
  const bodies = () => [...tour.answers.map(({ body }) => body), ...tour.events.map(({ body }) => body)];

  test("G-003 names are camelCase", () => {
    const names = new Set(bodies().flatMap((body) => namesIn(body)));
    expect(names.size).toBeGreaterThan(40);
    expect([...names].filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  test("G-004 ids of local resources are UUIDs of version 4", () => {
    expect(Object.keys(tour.ids)).toEqual(["account", "key", "phone", "webhook", "message", "event", "delivery"]);
    for (const [what, id] of Object.entries(tour.ids))
      expect([what, id]).toEqual([what, expect.stringMatching(UUID_V4)]);
    expect(isUuid(tour.ids["phone"] ?? "")).toBe(true);
  });

  test("G-005 datetimes are ISO 8601 with a timezone", () => {
    const times = bodies()
      .flatMap((body) => valuesNamed(body, /(At|^timestamp|^now)$/))
      .filter((value) => value !== null);
    expect(times.length).toBeGreaterThan(20);
    expect(
      times.filter((value) => typeof value !== "string" || !INSTANT.test(value) || Number.isNaN(Date.parse(value))),
    ).toEqual([]);
  });

  test("G-008 what goes on after the answer says so with 202 and a status, and webhooks report how it ended", () => {
    const accepted = tour.answers.filter(({ status }) => status === 202).map(({ body }) => body.status);
    expect(accepted).toEqual(["QUEUED", "enqueued"]);
    expect(tour.events.map(({ body }) => [body.type, body.data.status, body.data.messageId])).toContainEqual([
      "message:status",
      "sent",
      tour.ids["message"],
    ]);
  });

  test("G-011 the network's own message ids are in no answer and no event", () => {
    expect(tour.native.length).toBe(2);
    const said = [...tour.answers.map(({ text }) => text), ...tour.events.map(({ raw }) => raw)].join("\n");
    expect(said).toContain(tour.ids["message"] ?? "-");
    for (const native of tour.native) expect(said.includes(native)).toBe(false);
  });

  test("G-043 every answer carries a request id of its own", () => {
    const ids = tour.answers.map(({ headers }) => headers.get("x-request-id"));
    expect(ids.every(Boolean)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("lists are read page by page", () => {
  let key: string;
  let phoneId: string;
  const EVENTS = 7;
  beforeAll(async () => {
    ({ key } = await w.account());
    const phone = await w.wabaPhone(key);
    phoneId = phone.id;
    for (let n = 1; n < EVENTS; n++)
      await w.graph.inbound.text({ to: phone.phoneNumberId, from: `551199999000${n}`, text: `olá ${n}` });
    await w.settle();
  });

  const LISTS: Record<string, () => [path: string, call: { key?: string; admin?: boolean }]> = {
    "/v1/events": () => ["/v1/events", { key }],
    "/v1/admin/accounts": () => ["/v1/admin/accounts", { admin: true }],
    "/v1/admin/dead-letters": () => ["/v1/admin/dead-letters", { admin: true }],
  };

  test("G-006 following nextCursor gives every item once, in the order of the whole list", async () => {
    for (let n = 0; n < 5; n++) await w.account();
    for (const list of [LISTS["/v1/events"], LISTS["/v1/admin/accounts"]]) {
      const [path, call] = list?.() ?? ["", {}];
      const whole = (await w.gateway(`${path}?limit=200`, call)).body;
      expect(whole.nextCursor).toBeNull();
      expect(whole.items.length).toBeGreaterThan(5);
      const paged: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const { body } = await w.gateway(`${path}?limit=2${cursor && `&cursor=${cursor}`}`, call);
        expect(body.items.length).toBeLessThanOrEqual(2);
        paged.push(...body.items.map((item: { id: string }) => item.id));
        cursor = body.nextCursor;
      }
      expect(paged).toEqual(whole.items.map((item: { id: string }) => item.id));
    }
    expect((await w.gateway("/v1/events", { key })).body.items.length).toBe(EVENTS);
    expect((await w.gateway(`/v1/events?phoneId=${phoneId}`, { key })).body.items.length).toBe(EVENTS);
  });

  for (const [name, list] of Object.entries(LISTS)) {
    test(`G-006 G-007 ${name} takes a limit of 1 to 200 and refuses any other, and a cursor that is none`, async () => {
      const [path, call] = list();
      for (const limit of ["1", "200"])
        expect([limit, gatewaySays(await w.gateway(`${path}?limit=${limit}`, call))]).toEqual([limit, "200"]);
      for (const limit of ["0", "201", "-1", "1.5", "1e2", "ten", "", " 5", "99999999999999999999"]) {
        expect([limit, gatewaySays(await w.gateway(`${path}?limit=${encodeURIComponent(limit)}`, call))]).toEqual([
          limit,
          "400 VALIDATION_ERROR",
        ]);
      }
      for (const cursor of ["nonsense", "00000000-0000-4000-8000-000000000000", ""]) {
        expect([cursor, gatewaySays(await w.gateway(`${path}?cursor=${cursor}`, call))]).toEqual([
          cursor,
          "400 VALIDATION_ERROR",
        ]);
      }
    });
  }
});

test("G-010 an account named in a body is ignored: what is made belongs to the key's account", async () => {
  const [mine, other] = [await w.account(), await w.account()];
  const made = await w.gateway("/v1/phones", {
    key: mine.key,
    body: { type: "SESSION", label: "A phone", accountId: other.id, tenantId: other.id, id: other.id },
  });
  expect(made.status).toBe(201);
  expect((await w.gateway(`/v1/phones/${made.body.id}`, { key: mine.key })).body.accountId).toBe(mine.id);
  const hook = await w.gateway("/v1/webhooks", {
    key: mine.key,
    body: { label: "Hook", url: "https://hooks.example.com/a", secret: WEBHOOK_SECRET, accountId: other.id },
  });
  expect(hook.status).toBe(201);
  expect((await w.gateway("/v1/phones", { key: other.key })).body).toEqual([]);
  expect((await w.gateway("/v1/webhooks", { key: other.key })).body).toEqual([]);
});

test("G-014 a static segment wins over an id: /v1/events/stream is the stream", async () => {
  const { key } = await w.account();
  const ending = new AbortController();
  const response = await fetch(`${w.app.url}/gateway/v1/events/stream`, {
    headers: { "x-api-key": key },
    signal: ending.signal,
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(response.headers.get("x-request-id")).toMatch(UUID_V4);
  ending.abort();
});

/** Every object name in a value, however deep. What a customer sent or a network said is not ours to name. */
const namesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
};

const valuesNamed = (value: unknown, pattern: RegExp): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((one) => valuesNamed(one, pattern));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (pattern.test(name) ? [inner] : valuesNamed(inner, pattern)));
};

/** Makes and reads one of everything, with a message out and one in. */
const travel = async () => {
  const { id, key } = await w.account();
  const answers: Answer[] = [];
  const go = async (path: string, call: Parameters<World["gateway"]>[1] = { key }) => {
    const answer = await w.gateway(path, call);
    answers.push(answer);
    return answer.body;
  };
  const hook = w.receiver();
  const issued = await go(`/v1/admin/accounts/${id}/api-keys`, { admin: true, body: { name: "key" } });
  const phone = await w.wabaPhone(key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
  const dead = w.receiver();
  dead.reply(() => new Response("gone", { status: 410 }));
  const webhook = await go("/v1/webhooks", { key, body: { label: "Shared", url: dead.url, secret: WEBHOOK_SECRET } });
  await go(`/v1/phones/${phone.id}`, { key, method: "PATCH", body: { sharedWebhookId: webhook.id } });
  const message = await go("/v1/messages", {
    key,
    body: { phoneId: phone.id, to: "5511999990001", type: "text", content: { text: "olá" } },
  });
  await w.settle();
  const [wamid = ""] = [...w.graph.sent.keys()];
  await w.graph.deliverStatuses(wamid, ["sent"]);
  const inbound = await w.graph.inbound.text({ to: phone.phoneNumberId, from: "5511999990001", text: "oi" });
  await w.settle();
  for (const path of [
    "/v1/phones",
    `/v1/phones/${phone.id}`,
    "/v1/webhooks",
    `/v1/webhooks/${webhook.id}`,
    `/v1/messages/${message.messageId}`,
    "/v1/nothing",
    "/v1/phones?x=1",
  ])
    await go(path);
  await go("/v1/events");
  const [failed] = (await go("/v1/events?status=DEAD")).items;
  const event = await go(`/v1/events/${failed.id}`);
  await go(`/v1/events/${event.id}/replay`, { key, method: "POST" });
  for (const path of [
    "/v1/admin/accounts",
    `/v1/admin/accounts/${id}`,
    `/v1/admin/accounts/${id}/api-keys`,
    "/v1/admin/dead-letters",
  ])
    await go(path, { admin: true });
  await go("/v1/admin/clock", { admin: true, body: { advanceMs: 0 } });
  await go(`/v1/webhooks/${webhook.id}`, { key, method: "DELETE" });
  await w.settle();
  return {
    answers,
    events: [...hook.arrived],
    native: [wamid, inbound.wamid],
    ids: {
      account: id,
      key: issued.id,
      phone: phone.id,
      webhook: webhook.id,
      message: message.messageId,
      event: event.id,
      delivery: event.deliveries[0].id,
    },
    key,
  };
};
