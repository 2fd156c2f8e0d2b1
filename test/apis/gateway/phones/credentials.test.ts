import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { renewAddresses } from "../../../../src/core/channels/links/webhook-addresses.ts";
import { DAY_MS, iso, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { ChannelId } from "../../../../src/kernel/ids.ts";
import { recordedBy } from "../../../support/apis/audit.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { beeperPlugin, type PagerNetwork, pagerNetwork } from "../../../support/networks/pager.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { customer, made } from "../../../support/tenants/platform.ts";
import {
  startWorld,
  untilConnected,
  untilStatus,
  untilTrue,
  WEBHOOK_SECRET,
  type World,
} from "../../../support/world.ts";

let w: World;
let network: PagerNetwork;
beforeAll(async () => {
  network = pagerNetwork();
  w = await startWorld({ plugins: [network.plugin, beeperPlugin(network)] });
});
afterAll(() => w.stop());

let made4 = 1000;
/** A token of a pager that no other test has. */
const newToken = (): string => {
  const token = `pg-${++made4}01`;
  network.tokens.add(token);
  return token;
};
/** Another token of the same pager. */
const renewed = (token: string): string => {
  const next = `${token.slice(0, -2)}02`;
  network.tokens.add(next);
  return next;
};

const newBeeper = async () => {
  const account = await w.account();
  const hook = w.receiver();
  const token = newToken();
  const { id } = made(
    await w.gateway("/v1/phones", {
      key: account.key,
      body: {
        type: "BEEPER",
        label: "Ward 3",
        credentials: { token, zone: "north" },
        webhook: { url: hook.url, secret: WEBHOOK_SECRET },
      },
    }),
    201,
  );
  await untilConnected(w, id);
  return { ...account, accountId: account.id, hook, token, id: String(id) };
};

const put = (key: string, id: string, body: object, headers: Record<string, string> = {}) =>
  w.gateway(`/v1/phones/${id}/credentials`, { key, method: "PUT", body: { credentials: body }, headers });
const send = (key: string, phoneId: string) =>
  w.gateway("/v1/messages", { key, body: { phoneId, to: "anna.7", type: "text", content: { text: "wake up" } } });
const message = async (key: string, id: string) => (await w.gateway(`/v1/messages/${id}`, { key })).body;
const vaultOf = async (id: string) =>
  (await rowsOf(w, "SELECT field FROM vault WHERE channel_id = ?1 ORDER BY field", [id])).map(({ field }) => field);

describe("PUT /v1/phones/{id}/credentials", () => {
  test("replaces the credentials in place: the phone keeps its id, its webhook and its messages, and connects anew", async () => {
    const { key, id, token } = await newBeeper();
    const { messageId } = made(await send(key, id), 202);
    await w.settle();
    const before = (await w.gateway(`/v1/phones/${id}`, { key })).body;
    network.tokens.delete(token);
    const connects = network.connects.length;
    const next = renewed(token);
    expect(made(await put(key, id, { token: next, zone: "south" }), 200)).toMatchObject({
      id,
      status: "CONNECTED",
      webhookUrl: before.webhookUrl,
    });
    expect(network.connects.slice(connects).map(({ channelId }) => channelId)).toEqual([id]);
    const after = made(await send(key, id), 202);
    await w.settle();
    expect((await message(key, after.messageId)).status).toBe("SENT");
    expect((await message(key, messageId)).status).toBe("SENT");
  });

  test("removes an optional credential that is missing, and keeps nothing of another kind", async () => {
    const { key, id, token } = await newBeeper();
    expect(await vaultOf(id)).toEqual(["token", "zone"]);
    made(await put(key, id, { token, accessToken: "EAAG" }), 200);
    expect(await vaultOf(id)).toEqual(["token"]);
  });

  test("releases at once what waits for a refused token, and the webhook sees the phone return", async () => {
    const { key, id, token, hook } = await newBeeper();
    network.tokens.delete(token);
    await w.gateway(`/v1/phones/${id}/logout`, { key, method: "POST" });
    await w.gateway(`/v1/phones/${id}/reconnect`, { key, method: "POST" });
    await untilStatus(w, id, "FAILED");
    made(await put(key, id, { token: renewed(token) }), 200);
    await untilConnected(w, id);
    await w.settle();
    expect(receivedBy(hook, "channel:disconnected")).toHaveLength(1);
    expect(receivedBy(hook, "channel:connected")).toHaveLength(2);
  });

  test.each([
    ["a missing one", {}, "400 VALIDATION_ERROR", ["credentials"]],
    ["one of another form", { token: "secret-canary" }, "400 VALIDATION_ERROR", ["credentials"]],
    ["those of another number", { token: "pg-999901" }, "409 CREDENTIALS_MISMATCH", undefined],
  ])("refuses %s, and the old ones stay", async (_, body, said, fields) => {
    const { key, id, accountId } = await newBeeper();
    const rows = () => rowsOf(w, "SELECT * FROM vault WHERE channel_id = ?1 ORDER BY field", [id]);
    const [vault, connects] = [await rows(), network.connects.length];
    const entries = await recordedBy(w, async () => {
      const answer = await put(key, id, body);
      expect(gatewaySays(answer)).toBe(said);
      if (fields) expect(fieldsOf(answer)).toEqual(fields);
      expect(answer.text).not.toContain("canary");
    });
    expect([entries, await rows(), network.connects.length]).toEqual([[], vault, connects]);
    expect(accountId).not.toBe(id);
  });

  test("is in the audit log by the names of its fields", async () => {
    const { key, id, token } = await newBeeper();
    const entries = await recordedBy(w, () => put(key, id, { token: renewed(token) }));
    expect(entries.map(({ action, target, details }) => [action, target, details["fields"]])).toEqual([
      ["channel.change-credentials", id, ["token"]],
    ]);
    expect(JSON.stringify(entries)).not.toContain(token.slice(0, 7));
  });

  test("is refused for a kind without credentials, for another account's phone and for one that there is not", async () => {
    const mine = await newBeeper();
    const other = await newBeeper();
    const session = made(
      await w.gateway("/v1/phones", { key: mine.key, body: { type: "SESSION", label: "A" } }),
      201,
    ).id;
    const body = { token: mine.token };
    expect(gatewaySays(await put(mine.key, session, body))).toBe("400 CREDENTIALS_NOT_APPLICABLE");
    expect(gatewaySays(await put(other.key, mine.id, body))).toBe("404 PHONE_NOT_FOUND");
    expect(gatewaySays(await put(mine.key, "00000000-0000-4000-8000-000000000000", body))).toBe("404 PHONE_NOT_FOUND");
  });

  test("leaves a phone disconnected that its owner has disconnected", async () => {
    const { key, id, token } = await newBeeper();
    await w.gateway(`/v1/phones/${id}/logout`, { key, method: "POST" });
    const connects = network.connects.length;
    expect(made(await put(key, id, { token: renewed(token) }), 200).status).toBe("DISCONNECTED");
    expect(network.connects.length).toBe(connects);
  });
});

describe("a token that the network refuses while a message is sent", () => {
  test("ends the connection with its reason, is an event and a trouble; what waits says why, and goes out with a new token at once", async () => {
    const { key, id, token, hook } = await newBeeper();
    network.tokens.delete(token);
    const { messageId } = made(await send(key, id), 202);
    await w.settle();
    expect((await w.gateway(`/v1/phones/${id}`, { key })).body).toMatchObject({
      status: "TOKEN_EXPIRED",
      stateReason: "CREDENTIALS_REFUSED",
    });
    expect(receivedBy(hook, "channel:disconnected")).toMatchObject([{ reason: "CREDENTIALS_REFUSED" }]);
    const { waiting } = (await w.gateway(`/v1/messages/${messageId}/timeline`, { key })).body;
    expect(waiting).toMatchObject({ because: "PHONE_AWAY" });
    made(await put(key, id, { token: renewed(token) }), 200);
    await untilConnected(w, id);
    await w.settle();
    expect((await message(key, messageId)).status).toBe("SENT");
    expect(receivedBy(hook, "channel:connected")).toHaveLength(2);
  });

  test("goes out after a reconnect when the network takes the token again", async () => {
    const { key, id, token } = await newBeeper();
    network.tokens.delete(token);
    const { messageId } = made(await send(key, id), 202);
    await w.settle();
    network.tokens.add(token);
    made(await w.gateway(`/v1/phones/${id}/reconnect`, { key, method: "POST" }), 202);
    await untilConnected(w, id);
    await w.settle();
    expect((await message(key, messageId)).status).toBe("SENT");
  });
});

describe("a token that the network refuses while a file is fetched", () => {
  const receive = async (phoneId: string, name: string) => {
    const person = { uid: "anna.7" };
    await network.notify(phoneId, {
      kind: "received",
      key: `${phoneId}/${name}` as ProviderMessageId,
      at: 0,
      from: person,
      chat: person,
      pushName: null,
      content: { type: "image", content: { mimeType: "image/jpeg" } },
      media: { nativeId: name, contentType: "image/jpeg" },
    });
    await w.settle();
  };

  /** The bytes that a customer gets at an address of the gateway API. */
  const bytesAt = async (key: string, url: string) => (await fetch(url, { headers: { "x-api-key": key } })).text();

  test("GAP-G49 ends the connection once, and the message comes at once; its file follows with a new token, at its own address", async () => {
    const { key, id, token, hook } = await newBeeper();
    network.tokens.delete(token);
    await receive(id, "first");
    await untilStatus(w, id, "TOKEN_EXPIRED");
    expect((await w.gateway(`/v1/phones/${id}`, { key })).body.stateReason).toBe("CREDENTIALS_REFUSED");
    await receive(id, "second");
    expect(receivedBy(hook, "channel:disconnected")).toMatchObject([{ reason: "CREDENTIALS_REFUSED" }]);
    const [first, second] = receivedBy(hook, "message:received");
    expect([first.media, second.media]).toEqual([{ downloadUrl: null }, { downloadUrl: null }]);
    await w.advance(DAY_MS);
    expect([...receivedBy(hook, "media:available"), ...receivedBy(hook, "media:failed")]).toEqual([]);
    made(await put(key, id, { token: renewed(token) }), 200);
    await untilConnected(w, id);
    await w.settle();
    const files = receivedBy(hook, "media:available");
    expect(files.map(({ expiresAt }) => expiresAt)).toEqual(files.map(() => iso(w.clock.now() + 7 * DAY_MS)));
    expect(new Set(files.map(({ messageId }) => messageId))).toEqual(new Set([first.messageId, second.messageId]));
    for (const { messageId, downloadUrl } of files)
      expect(await bytesAt(key, downloadUrl)).toBe(`bytes of ${messageId === first.messageId ? "first" : "second"}`);
    await receive(id, "third");
    expect(receivedBy(hook, "channel:connected")).toHaveLength(2);
    expect(receivedBy(hook, "message:received").at(-1)).toMatchObject({
      media: { sizeBytes: "bytes of third".length },
    });
    expect(receivedBy(hook, "media:failed")).toEqual([]);
  });

  test("GAP-G49 waits for the next token when the network refuses the new one too", async () => {
    const { key, id, token, hook } = await newBeeper();
    network.tokens.delete(token);
    await receive(id, "first");
    await untilStatus(w, id, "TOKEN_EXPIRED");
    const next = renewed(token);
    network.tokens.delete(next);
    made(await put(key, id, { token: next }), 200);
    await untilStatus(w, id, "FAILED");
    await w.advance(DAY_MS);
    network.tokens.add(next);
    made(await w.gateway(`/v1/phones/${id}/reconnect`, { key, method: "POST" }), 202);
    await untilConnected(w, id);
    await w.settle();
    expect(receivedBy(hook, "message:received")).toHaveLength(1);
    expect(receivedBy(hook, "media:available")).toHaveLength(1);
  });

  test("GAP-G49 fails the file once if no good token comes for seven days, and nothing of it is left", async () => {
    const { key, id, token, hook } = await newBeeper();
    network.tokens.delete(token);
    await receive(id, "first");
    await untilStatus(w, id, "TOKEN_EXPIRED");
    const [{ messageId }] = receivedBy(hook, "message:received");
    await w.advance(MINUTE_MS);
    await w.advance(7 * DAY_MS - MINUTE_MS - 1);
    expect(receivedBy(hook, "media:failed")).toEqual([]);
    await w.advance(1);
    expect(receivedBy(hook, "media:failed")).toMatchObject([{ messageId, error: "REFUSED" }]);
    made(await put(key, id, { token: renewed(token) }), 200);
    await untilConnected(w, id);
    await w.advance(DAY_MS);
    expect(receivedBy(hook, "media:failed")).toHaveLength(1);
    expect(receivedBy(hook, "media:available")).toEqual([]);
    expect(await rowsOf(w, "SELECT id FROM media WHERE channel_id = ?1", [id])).toEqual([]);
  });

  test("forgets the file of a phone that is deleted meanwhile", async () => {
    const { key, id, token, hook } = await newBeeper();
    network.tokens.delete(token);
    await receive(id, "first");
    await untilStatus(w, id, "TOKEN_EXPIRED");
    expect((await w.gateway(`/v1/phones/${id}`, { key, method: "DELETE" })).status).toBeLessThan(300);
    await w.advance(8 * DAY_MS);
    expect([...receivedBy(hook, "media:available"), ...receivedBy(hook, "media:failed")]).toEqual([]);
    expect(await rowsOf(w, "SELECT id FROM media WHERE channel_id = ?1", [id])).toEqual([]);
    expect(await rowsOf(w, "SELECT key FROM queues WHERE channel_id = ?1 AND kind = 'files'", [id])).toEqual([]);
  });
});

describe("the address that a network has for the webhook of a phone", () => {
  test("is given again by a reconnect of a connected phone", async () => {
    const { key, id } = await newBeeper();
    const connects = network.connects.length;
    made(await w.gateway(`/v1/phones/${id}/reconnect`, { key, method: "POST" }), 202);
    await untilConnected(w, id);
    expect(network.connects.slice(connects).map(({ channelId }) => channelId)).toEqual([id]);
  });

  test("is renewed at a start with another one, and only then", async () => {
    const { id } = await newBeeper();
    const ofId = () => network.connects.filter(({ channelId }) => channelId === id).map(({ webhookUrl }) => webhookUrl);
    await w.restart(); // at another port
    await untilTrue(() => ofId().length === 2);
    await w.app.env.supervisor.recorded(id as ChannelId);
    expect(ofId()[1]).toBe(`${w.app.gatewayUrl}/v1/upstream-webhook/${id}`);
    await renewAddresses(w.app.env);
    await w.settle();
    expect(ofId()).toHaveLength(2);
  });
});

describe("a number or bot that has a phone", () => {
  const body = (token: string) => ({ type: "BEEPER", label: "Second", credentials: { token } });

  test("is refused for a second one, of the same account and of another, without a word about whose it is", async () => {
    const { key, token, id } = await newBeeper();
    const other = await w.account();
    for (const asking of [key, other.key]) {
      const answer = await w.gateway("/v1/phones", { key: asking, body: body(renewed(token)) });
      expect(gatewaySays(answer)).toBe("409 ALREADY_EXISTS");
      expect(answer.text).not.toContain(id);
    }
    expect((await w.gateway("/v1/phones", { key: other.key })).body).toEqual([]);
  });

  test("is one phone's of two that connect at once: the second ends FAILED and says why", async () => {
    const token = newToken();
    const { key } = await w.account();
    const both = await Promise.all([1, 2].map(() => w.gateway("/v1/phones", { key, body: body(token) })));
    const ids = both.filter(({ status }) => status === 201).map(({ body: phone }) => String(phone.id));
    await untilTrue(async () => {
      const { body: phones } = await w.gateway("/v1/phones", { key });
      return phones.every(({ status }: { status: string }) => status !== "CONNECTING");
    });
    const states = (await w.gateway("/v1/phones", { key })).body.map(
      (phone: { status: string; stateReason: string | null }) => [phone.status, phone.stateReason],
    );
    expect(states).toContainEqual(["CONNECTED", null]);
    expect(states.filter(([status]: [string]) => status === "CONNECTED")).toHaveLength(1);
    if (ids.length === 2) expect(states).toContainEqual(["FAILED", "ALREADY_LINKED"]);
  });

  const act = (key: string, id: string, name: string) => w.gateway(`/v1/phones/${id}/${name}`, { key, method: "POST" });
  /** Two phones of two accounts that were both connected with one number. Both are logged out. */
  const twoFormer = async () => {
    const first = await newBeeper();
    made(await act(first.key, first.id, "logout"), 202);
    const { key } = await w.account();
    const second = String(made(await w.gateway("/v1/phones", { key, body: body(renewed(first.token)) }), 201).id);
    await untilConnected(w, second);
    return { first, second: { key, id: second } };
  };

  test("is free for another account when the first phone is logged out, and then refused to the first one", async () => {
    const { first } = await twoFormer();
    expect(gatewaySays(await act(first.key, first.id, "reconnect"))).toBe("409 ALREADY_EXISTS");
    expect(gatewaySays(await put(first.key, first.id, { token: first.token }))).toBe("409 ALREADY_EXISTS");
  });

  test("goes to either former phone once both are logged out, and to one alone of two that return at once", async () => {
    const { first, second } = await twoFormer();
    made(await act(second.key, second.id, "logout"), 202);
    made(await act(first.key, first.id, "reconnect"), 202);
    await untilConnected(w, first.id);
    made(await act(first.key, first.id, "logout"), 202);
    await Promise.all([first, second].map(({ key, id }) => act(key, id, "reconnect")));
    const states = async () =>
      (await rowsOf(w, "SELECT state FROM channels WHERE id IN (?1, ?2)", [first.id, second.id])).map(
        ({ state }) => state,
      );
    await untilTrue(async () => !(await states()).includes("CONNECTING"));
    expect((await states()).filter((state) => state === "CONNECTED")).toHaveLength(1);
  });
});

test("PATCH /v1/phones/{id} names fields that it does not know, where the client asks for it", async () => {
  const { key, id } = await newBeeper();
  const body = { credentials: { token: "pg-1234" }, nonsense: 1 };
  const strict = { headers: { prefer: "handling=strict" } };
  const answer = await w.gateway(`/v1/phones/${id}`, { key, method: "PATCH", body, ...strict });
  expect([gatewaySays(answer), fieldsOf(answer)]).toEqual(["400 VALIDATION_ERROR", ["credentials", "nonsense"]]);
});

test("PUT /v1/channels/{channelId}/credentials of the platform gives a channel its first ones, with which it connects", async () => {
  const { key } = await customer(w);
  const { id } = made(await w.platform("/v1/channels", { key, body: { name: "Ward 4", type: "CHAT_BEEPER" } }), 201);
  const path = `/v1/channels/${id}`;
  const token = newToken();
  expect(
    made(await w.platform(`${path}/credentials`, { key, method: "PUT", body: { credentials: { token } } }), 200),
  ).toMatchObject({
    id,
    status: "DISCONNECTED",
  });
  made(await w.platform(`${path}/connect`, { key, method: "POST" }), 200);
  await untilConnected(w, id);
  const other = await w.platform(`${path}/credentials`, {
    key,
    method: "PUT",
    body: { credentials: { token: newToken() } },
  });
  expect([other.status, other.body.code]).toEqual([409, "CREDENTIALS_MISMATCH"]);
});
