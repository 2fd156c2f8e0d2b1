import { describe, expect, test } from "bun:test";
import { documentedRoutes, nameOf, type Route } from "../../../support/apis/open-api.ts";
import { ANA, newDesk } from "../../../support/customers/conversations.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { type Attempt, isolatedRoute, ownAttempts } from "../../../support/tenants/isolation.ts";
import {
  type Customer,
  connect,
  connectedChannel,
  customer,
  made,
  sendText,
  wabaChannel,
  webhookAt,
} from "../../../support/tenants/platform.ts";
import { isPermission, ROUTES } from "../../../support/tenants/platform-routes.ts";
import { callRoute, everything, thingsOf } from "../../../support/tenants/platform-things.ts";
import { everyRow, newTenant, type Tenant, wordsIn } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const w = useWorld();

/** `file`: the message that came with a file. */
const attemptsAt = (route: Route, { ids }: Tenant, file: string): Attempt[] => {
  const attempts = ownAttempts(isolatedRoute(route), ids);
  return route.path.includes("{messageId}") ? [...attempts, { ...attempts[0], params: { messageId: file } }] : attempts;
};

const call = (
  { method, path }: Route,
  { params = {}, query, body, headers = {} }: Attempt,
  key: string,
): Promise<Answer> =>
  w.platform(
    `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "missing")}${query ? `?${new URLSearchParams(query).toString()}` : ""}`,
    {
      key,
      method,
      headers,
      ...(body && method !== "GET" ? { body } : {}),
    },
  );

/** What a test key must never be shown: live texts, people, files and batches, and what they are known by. */
const sentinelsOf = ({ ids }: Tenant, name: string): string[] => [
  ...["contact", "tag", "data", "inbound", "note", "batch", "to many", "text"].map((word) => `${name} ${word}`),
  `${name}.contact@`,
  `${name}.png`,
  ids.contactId,
  ids.conversationId,
  ids.receivedId,
  ids.messageId,
  ids.batchId,
];

/**
 * What else a test key may leave behind: that a channel which is not connected is simulated to be, which test keys
 * alone see.
 */
const withoutSandbox = (row: string): string => {
  if (!row.startsWith("channels ")) return row;
  const {
    updated_at: _,
    profile,
    ...channel
  } = JSON.parse(row.slice("channels ".length)) as { updated_at: number; profile: string };
  const { sandbox: __, ...rest } = JSON.parse(profile) as Record<string, unknown>;
  return `channels ${JSON.stringify({ ...channel, profile: rest })}`;
};

const LIVE = (row: string): boolean => !row.includes('"environment":"test"');
/** The number of contacts and the index of their words are of both worlds. */
const isOfBoth = (row: string): boolean => /^(tenant_counts|contacts_search\w*) /.test(row);
const liveRows = async (): Promise<string[]> =>
  (await everyRow(w)).filter((row) => LIVE(row) && !isOfBoth(row)).map(withoutSandbox);
/** Tables whose rows say to which environment they belong. */
const APART = [
  "api_keys",
  "batches",
  "channels",
  "contacts",
  "conversations",
  "inbox",
  "messages",
  "received_messages",
  "subscriptions",
];

describe("GAP-P37 a test key and live data", () => {
  test("no route shows it, changes it or deletes it", async () => {
    const live = await newTenant(w, "victim");
    const [file] = await rowsOf<{ id: string }>(w, "SELECT message_id AS id FROM media WHERE id = ?1", [
      live.ids.mediaId,
    ]);
    const routes = await documentedRoutes(w, "platform");
    const wrong: string[] = [];
    const sentinels = sentinelsOf(live, "victim");
    const seenLive: Answer[] = [];
    const calls = w.graph.journal.length;
    for (const route of routes) {
      // no key opens them, nor is one asked for
      if (route.path.startsWith("/v1/auth/") || route.path === "/v1/institutions") continue;
      const before = await liveRows();
      for (const attempt of attemptsAt(route, live, file?.id ?? "missing")) {
        const answer = await call(route, attempt, live.testKey);
        if (answer.status >= 500) wrong.push(`${nameOf(route)} answers ${answer.status}`);
        for (const word of wordsIn({ words: sentinels }, [{ text: withoutEcho(answer, attempt) }]))
          wrong.push(`${nameOf(route)} shows ${word}`);
        if (route.method === "GET") seenLive.push(await call(route, attempt, live.key));
      }
      const after = await liveRows();
      for (const row of before) if (!after.includes(row)) wrong.push(`${nameOf(route)} changed ${row.slice(0, 200)}`);
      for (const row of after)
        if (APART.some((table) => row.startsWith(`${table} `)) && !before.includes(row))
          wrong.push(`${nameOf(route)} made live ${row.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
    expect(w.graph.journal.length).toBe(calls);
    // all of it is there to be seen, by a live key
    expect(wordsIn({ words: sentinels }, seenLive).toSorted()).toEqual(sentinels.toSorted());
  });

  test("its sandbox message joins no live conversation: it begins its own, with its own contact", async () => {
    const desk = await newDesk(w);
    await desk.receives({ from: ANA, text: "a live text", name: "Ana Live" });
    const live = await desk.conversation();
    made(
      await w.platform(`/v1/sandbox/channels/${desk.channel.id}/messages`, {
        key: desk.testKey,
        body: { from: ANA, text: "a forged text" },
      }),
      202,
    );
    await w.settle();
    expect((await desk.messages(live.id)).map(({ text }) => text)).toEqual(["a live text"]);
    expect(await desk.get(`/v1/conversations/${live.id}`)).toEqual(live);
    const test = (path: string) => w.platform(path, { key: desk.testKey });
    const [own, ...others] = made(await test("/v1/conversations"), 200).data;
    expect(others).toEqual([]);
    expect(own).toMatchObject({ environment: "test" });
    expect(own.contactId).not.toBe(live.contactId);
    expect(
      made(await test(`/v1/conversations/${own.id}/messages`), 200).data.map(({ text }: { text: string }) => text),
    ).toEqual(["a forged text"]);
    expect(made(await test("/v1/contacts"), 200)).toMatchObject({
      data: [{ id: own.contactId, name: ANA }],
      meta: { total: 1 },
    });
    for (const search of ["Ana", "live"])
      expect(made(await test(`/v1/contacts?search=${search}`), 200)).toMatchObject({ data: [], meta: { total: 0 } });
    expect(made(await test(`/v1/contacts?search=${ANA}`), 200).data).toHaveLength(1);
    for (const path of [
      `/v1/conversations/${live.id}`,
      `/v1/conversations/${live.id}/messages`,
      `/v1/contacts/${live.contactId}`,
    ])
      expect((await test(path)).status).toBe(404);
    await desk.receives({ from: ANA, text: "another live text" });
    expect((await desk.messages(live.id)).map(({ text }) => text)).toEqual(["another live text", "a live text"]);
  });

  const post = (path: string, key: string) => w.platform(path, { key, method: "POST" });
  const drop = (path: string, key: string) => w.platform(path, { key, method: "DELETE" });
  const REFUSED = { status: 403, body: { code: "FORBIDDEN_PERMISSION", message: expect.any(String) } };
  const statusOf = async ({ key }: Pick<Customer, "key">, id: string) =>
    made(await w.platform(`/v1/channels/${id}`, { key }), 200).status;

  test("a live channel is neither deleted nor disconnected by it, and one that it made it may delete", async () => {
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    expect(await drop(`/v1/channels/${channel.id}`, who.testKey)).toMatchObject(REFUSED);
    expect(await post(`/v1/channels/${channel.id}/disconnect`, who.testKey)).toMatchObject(REFUSED);
    expect(await statusOf(who, channel.id)).toBe("CONNECTED");
    const own = await wabaChannel(w, who.testKey);
    made(await drop(`/v1/channels/${own.id}`, who.testKey), 204);
  });

  test("a channel that it made is simulated until a live key connects it, and is no longer its own then", async () => {
    const who = await customer(w);
    const own = await wabaChannel(w, who.testKey);
    const before = w.graph.journal.length;
    expect(made(await post(`/v1/channels/${own.id}/connect`, who.testKey), 200)).toMatchObject({
      status: "CONNECTING",
    });
    await w.settle();
    expect([await statusOf({ key: who.testKey }, own.id), await statusOf(who, own.id)]).toEqual([
      "CONNECTED",
      "DISCONNECTED",
    ]);
    expect(w.graph.journal.length).toBe(before);
    await connect(w, who, own.id);
    expect(await statusOf(who, own.id)).toBe("CONNECTED");
    expect(await drop(`/v1/channels/${own.id}`, who.testKey)).toMatchObject(REFUSED);
    made(await drop(`/v1/channels/${own.id}`, who.key), 204);
  });

  test("no QR code of a session is given to it that a phone could scan", async () => {
    const who = await customer(w);
    const { id } = made(
      await w.platform("/v1/channels", { key: who.key, body: { name: "A session", type: "CHAT_SESSION" } }),
      201,
    );
    expect(made(await post(`/v1/channels/${id}/connect`, who.testKey), 200)).toMatchObject({
      qr: `simulated:${id}`,
      qrCode: expect.stringMatching(/^data:image\/png;base64,/),
    });
    expect([w.sessions.of(id).calls, await statusOf(who, id)]).toEqual([[], "DISCONNECTED"]);
  });

  test("a webhook that it made gets test events alone, and one of a live key it cannot change", async () => {
    const desk = await newDesk(w);
    const hook = w.receiver();
    const own = await webhookAt(w, desk.testKey, hook, { events: ["message.received", "message.sent"] });
    await desk.receives({ text: "a live text" });
    made(await sendText(w, desk.key, desk.channel.id), 202);
    made(await sendText(w, desk.testKey, desk.channel.id), 202);
    await w.settle();
    expect(hook.arrived.map(({ body }) => [body.type, body.environment])).toEqual([["message.sent", "test"]]);
    expect(desk.received()).toContain("message.received");
    const [live] = made(await w.platform("/v1/webhooks", { key: desk.testKey }), 200).data.filter(
      ({ id }: { id: string }) => id !== own,
    );
    for (const method of ["PATCH", "PUT", "DELETE"]) {
      const answer = await w.platform(`/v1/webhooks/${live.id}`, {
        key: desk.testKey,
        method,
        ...(method === "DELETE" ? {} : { body: { url: hook.url } }),
      });
      expect(answer.status).toBe(403);
    }
    made(await drop(`/v1/webhooks/${own}`, desk.testKey), 204);
  });
});

/**
 * A test key sends and connects through channels that live keys made: all of it is simulated. Channels, their
 * templates, webhooks and their logs are shared.
 */
const IS_SHARED =
  /^POST \/v1\/(sandbox\/)?channels\/\{channelId\}\/(messages|connect|disconnect)|^GET \/v1\/(channels|webhooks)\//;
const named = Object.entries(ROUTES).filter(
  ([route, { access }]) => isPermission(access) && route.includes("{") && !IS_SHARED.test(route),
);

test.each(named)("GAP-P37 %s is refused to a test key for what live keys made", async (route, spec) => {
  const who = await customer(w);
  const things = await thingsOf(w, who, spec);
  const { messageId } = made(await sendText(w, who.key, things.channelId, { to: "5511999990077" }), 202);
  await w.settle();
  const [{ id: conversationId, contactId }] = made(
    await w.platform(`/v1/conversations?channelId=${things.channelId}`, { key: who.key }),
    200,
  ).data;
  const live = { ...things, conversationId, contactId, messageId: spec.hasFile ? things.messageId : messageId };
  const before = await everything(w, who, live);
  expect([403, 404]).toContain((await callRoute(w, [route, spec], live, { key: who.testKey })).status);
  expect(await everything(w, who, live)).toEqual(before);
});

/** An answer without what the request itself said. */
const withoutEcho = ({ text }: Answer, { params = {}, query = {}, body = {} }: Attempt): string =>
  [
    ...Object.values(params),
    ...Object.values(query),
    ...Object.values(body).filter((value) => typeof value === "string"),
  ].reduce((so, said) => so.replaceAll(said, ""), text);
