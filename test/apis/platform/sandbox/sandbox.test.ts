import { beforeEach, describe, expect, test } from "bun:test";
import { createChannel } from "../../../../src/core/channels/channel.ts";
import { callerIn, LOCAL } from "../../../../src/core/tenancy/audit/audit.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import {
  type Customer,
  connect,
  connectedChannel,
  customer,
  gatewayKeyOf,
  made,
  RECIPIENT,
  rowsOf,
  sendText,
  untilState,
  wabaChannel,
  webhookAt,
} from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET } from "../../../support/world.ts";

const NUMBER = "5511977776666";
const CHANNEL_EVENTS = ["channel.connected", "channel.disconnected"];

const w = useWorld();
let who: Customer;
let hook: Receiver;
beforeEach(async () => {
  who = await customer(w);
  hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: [...CHANNEL_EVENTS, "message.received"] });
});

const newSession = async (): Promise<string> =>
  made(await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_SESSION" } }), 201).id;
const sandbox = (path: string, body?: object, key = who.testKey): Promise<Answer> =>
  w.platform(`/v1/sandbox/${path}`, { key, method: "POST", ...(body ? { body } : {}) });
const connectSandbox = (id: string, body?: object) => sandbox(`channels/${id}/connect`, body);
const disconnectSandbox = (id: string) => sandbox(`channels/${id}/disconnect`);
const seenBy = async (key: string, id: string) => {
  const one = made(await w.platform(`/v1/channels/${id}`, { key }), 200);
  expect(made(await w.platform("/v1/channels", { key }), 200).data).toContainEqual(one);
  return one;
};
const received = async () => {
  await w.settle();
  return hook.arrived.map(({ body }) => body);
};
const now = () => new Date(w.clock.now()).toISOString();

describe("POST /v1/sandbox/channels/{channelId}/connect", () => {
  test.each(["CHAT_WABA", "CHAT_SESSION"] as const)(
    "P-157 P-365 P-326 a %s is simulated to be connected, which is published, marked test",
    async (type) => {
      const id = type === "CHAT_WABA" ? (await wabaChannel(w, who.key)).id : await newSession();
      const before = w.graph.journal.length;
      const { status, body } = await connectSandbox(id, { phoneNumber: NUMBER });
      expect([status, body]).toEqual([200, { status: "CONNECTED", phoneNumber: NUMBER }]);
      expect(await received()).toEqual([
        {
          id: expect.any(String),
          event: "channel:connected",
          type: "channel.connected",
          timestamp: now(),
          institutionId: who.id,
          channelId: id,
          environment: "test",
          status: "CONNECTED",
          phoneNumber: NUMBER,
          reason: null,
        },
      ]);
      expect([w.graph.journal.length, w.sessions.of(id).calls]).toEqual([before, []]);
    },
  );

  test("P-365 test keys alone see it; for everybody else the channel is what it really is", async () => {
    const id = await newSession();
    const before = await seenBy(who.key, id);
    made(await connectSandbox(id, { phoneNumber: NUMBER }), 200);
    expect(await seenBy(who.testKey, id)).toEqual({
      ...before,
      status: "CONNECTED",
      phoneNumber: NUMBER,
      connectedAt: now(),
    });
    expect(await seenBy(who.key, id)).toEqual(before);
    expect((await w.platform(`/v1/channels/${id}`, { token: who.token })).body).toEqual(before);
    expect((await w.gateway(`/v1/phones/${id}`, { key: await gatewayKeyOf(w, who) })).body).toMatchObject({
      status: "DISCONNECTED",
    });
  });

  test("P-365 what a live key sends meanwhile waits for the real connection", async () => {
    const { id, phoneNumberId } = await wabaChannel(w, who.key);
    made(await connectSandbox(id), 200);
    made(await sendText(w, who.key, id), 202);
    await w.advance(3_600_000);
    expect([...w.graph.sent.values()].filter((sent) => sent.phoneNumberId === phoneNumberId)).toEqual([]);
  });

  test("P-365 without a number in the body it has a fixed one that belongs to nobody", async () => {
    const id = await newSession();
    const first = made(await connectSandbox(id), 200).phoneNumber;
    expect(first).toMatch(/^999\d{9}$/);
    expect(made(await connectSandbox(id, {}), 200).phoneNumber).toBe(first);
    made(await disconnectSandbox(id), 200);
    expect(made(await connectSandbox(id), 200).phoneNumber).toBe(first);
    expect(made(await connectSandbox(await newSession()), 200).phoneNumber).not.toBe(first);
  });

  test("P-365 once more publishes nothing and changes nothing, but for a number that is given", async () => {
    const id = await newSession();
    made(await connectSandbox(id, { phoneNumber: NUMBER }), 200);
    const first = await seenBy(who.testKey, id);
    await w.advance(1000);
    expect(made(await connectSandbox(id), 200)).toEqual({ status: "CONNECTED", phoneNumber: NUMBER });
    expect(await seenBy(who.testKey, id)).toEqual(first);
    expect(made(await connectSandbox(id, { phoneNumber: RECIPIENT }), 200)).toEqual({
      status: "CONNECTED",
      phoneNumber: RECIPIENT,
    });
    expect(await seenBy(who.testKey, id)).toEqual({ ...first, phoneNumber: RECIPIENT });
    expect(await received()).toHaveLength(1);
  });

  test("P-365 a channel that is connected, connecting or paired is CHANNEL_ALREADY_CONNECTED, without effect", async () => {
    const [waba, off, session] = [await connectedChannel(w, who), await connectedChannel(w, who), await newSession()];
    made(await w.platform(`/v1/channels/${off.id}/disconnect`, { key: who.key, method: "POST" }), 200);
    made(await w.platform(`/v1/channels/${session}/connect`, { key: who.key, method: "POST" }), 200);
    const before = [await rowsOf(w, who.id), (await received()).length];
    for (const id of [waba.id, off.id, session]) {
      const seen = await seenBy(who.testKey, id);
      expect(await connectSandbox(id)).toMatchObject({
        status: 409,
        body: { message: expect.any(String), code: "CHANNEL_ALREADY_CONNECTED" },
      });
      expect(await seenBy(who.testKey, id)).toEqual(seen);
    }
    expect([await rowsOf(w, who.id), (await received()).length]).toEqual(before);
  });

  test("P-365 a session that has lost its pairing may be simulated until it is paired again by any API", async () => {
    const id = await newSession();
    const device = w.sessions.of(id);
    made(await w.platform(`/v1/channels/${id}/connect`, { key: who.key, method: "POST" }), 200);
    await device.scan();
    device.open();
    await untilState(w, who.id, id, "CONNECTED");
    await device.logOut();
    await untilState(w, who.id, id, "PENDING_QR");
    made(await connectSandbox(id, { phoneNumber: NUMBER }), 200);
    expect([(await seenBy(who.testKey, id)).phoneNumber, (await seenBy(who.key, id)).status]).toEqual([
      NUMBER,
      "DISCONNECTED",
    ]);
    made(await w.gateway(`/v1/phones/${id}/qrcode`, { key: await gatewayKeyOf(w, who) }), 200);
    await device.scan(RECIPIENT);
    await untilState(w, who.id, id, "CONNECTING");
    expect((await seenBy(who.testKey, id)).status).toBe("CONNECTING");
  });

  test("P-365 connecting the channel really ends it, for good", async () => {
    const { id, number } = await wabaChannel(w, who.key);
    made(await connectSandbox(id, { phoneNumber: NUMBER }), 200);
    await connect(w, who, id);
    expect(await seenBy(who.testKey, id)).toMatchObject({ status: "CONNECTED", phoneNumber: number });
    made(await w.platform(`/v1/channels/${id}/disconnect`, { key: who.key, method: "POST" }), 200);
    expect(await seenBy(who.testKey, id)).toMatchObject({ status: "DISCONNECTED" });
    expect((await received()).map(({ type, environment }) => [type, environment])).toEqual([
      ["channel.connected", "test"],
      ["channel.connected", "live"],
      ["channel.disconnected", "live"],
    ]);
  });

  test("P-365 a connecting channel ends it too, and it does not come back when nobody scans", async () => {
    const id = await newSession();
    made(await connectSandbox(id), 200);
    made(await w.platform(`/v1/channels/${id}/connect`, { key: who.key, method: "POST" }), 200);
    expect(await seenBy(who.testKey, id)).toMatchObject({ status: "CONNECTING" });
    await w.advance(3 * 60_000);
    expect(await seenBy(who.testKey, id)).toMatchObject({ status: "DISCONNECTED" });
  });

  test.each([
    [{ phoneNumber: "abc" }],
    [{ phoneNumber: "+5511999990001" }],
    [{ phoneNumber: "1234567" }],
    [{ phoneNumber: 5511999990001 }],
    [{ phoneNumber: null }],
  ])("P-365 %j is refused, and nothing happens", async (body) => {
    const id = await newSession();
    const before = await seenBy(who.testKey, id);
    expect(await connectSandbox(id, body)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", errors: [{ path: "phoneNumber" }] },
    });
    expect([await seenBy(who.testKey, id), await received()]).toEqual([before, []]);
  });
});

describe("POST /v1/sandbox/channels/{channelId}/disconnect", () => {
  test("P-157 P-365 P-327 ends it, which is published, marked test", async () => {
    const id = await newSession();
    const before = await seenBy(who.testKey, id);
    made(await connectSandbox(id, { phoneNumber: NUMBER }), 200);
    const { status, body } = await disconnectSandbox(id);
    expect([status, body]).toEqual([200, { status: "DISCONNECTED" }]);
    expect(await seenBy(who.testKey, id)).toEqual(before);
    const common = { environment: "test", channelId: id, institutionId: who.id, phoneNumber: NUMBER };
    expect((await received()).slice(1)).toMatchObject([
      {
        ...common,
        event: "channel:disconnected",
        type: "channel.disconnected",
        status: "DISCONNECTED",
        reason: "LOGOUT",
      },
    ]);
  });

  test("P-365 where there is none it is a 200, publishes nothing, and leaves a real connection alone", async () => {
    const [{ id: real }, never] = [await connectedChannel(w, who), await newSession()];
    const before = [await seenBy(who.key, real), await received()];
    for (const id of [real, never, never])
      expect(await disconnectSandbox(id)).toMatchObject({ status: 200, body: { status: "DISCONNECTED" } });
    expect([await seenBy(who.key, real), await received()]).toEqual(before);
  });
});

describe("POST /v1/sandbox/channels/{channelId}/messages", () => {
  const receive = (id: string, body: object = {}) =>
    sandbox(`channels/${id}/messages`, { from: RECIPIENT, text: "Bom dia 😀", ...body });

  const channels = {
    "one that was never connected": newSession,
    "one that is really connected": async () => (await connectedChannel(w, who)).id,
    "one whose connection is simulated": async () => {
      const id = await newSession();
      made(await connectSandbox(id, { phoneNumber: NUMBER }), 200);
      return id;
    },
  };
  test.each(Object.entries(channels))(
    "P-157 P-365 P-320 is received by %s, published, and stored like a real one",
    async (_, make) => {
      const id = await make();
      const { phoneNumber = null } = await seenBy(who.testKey, id);
      const { status, body } = await receive(id);
      expect([status, body]).toEqual([202, { success: true, messageId: expect.any(String) }]);
      const message = {
        messageId: body.messageId,
        channelId: id,
        institutionId: who.id,
        from: RECIPIENT,
        to: phoneNumber,
        text: "Bom dia 😀",
        status: "received",
        environment: "test",
      };
      expect((await received()).filter(({ type }) => type === "message.received")).toMatchObject([
        { ...message, event: "message:received" },
      ]);
      const kept = made(await w.platform(`/v1/messages/${body.messageId}`, { key: who.key }), 200);
      expect(kept).toMatchObject({
        id: body.messageId,
        direction: "INBOUND",
        type: "text",
        from: RECIPIENT,
        to: phoneNumber,
        text: "Bom dia 😀",
        status: "RECEIVED",
        environment: "test",
      });
      expect(made(await w.platform(`/v1/conversations/${kept.conversationId}`, { key: who.key }), 200)).toMatchObject({
        channelId: id,
        status: "OPEN",
      });
    },
  );

  test("P-365 the same twice is two messages, of one conversation", async () => {
    const id = await newSession();
    const ids = [made(await receive(id), 202).messageId, made(await receive(id), 202).messageId];
    expect(new Set(ids).size).toBe(2);
    const { data } = made(await w.platform("/v1/conversations", { key: who.key }), 200);
    expect(data).toHaveLength(1);
    expect(made(await w.platform(`/v1/conversations/${data[0].id}/messages`, { key: who.key }), 200).meta.total).toBe(
      2,
    );
  });

  test("P-119 the gateway gets nothing of it", async () => {
    const gatewayKey = await gatewayKeyOf(w, who);
    const gatewayHook = w.receiver();
    const phone = await w.wabaPhone(gatewayKey, { webhook: { url: gatewayHook.url, secret: WEBHOOK_SECRET } });
    const before = gatewayHook.arrived.length;
    made(await receive(phone.id), 202);
    expect((await received()).filter(({ type }) => type === "message.received")).toHaveLength(1);
    expect(gatewayHook.arrived).toHaveLength(before);
    expect((await w.gateway("/v1/events?type=message:received", { key: gatewayKey })).body.items).toEqual([]);
  });

  test.each(["from", "text"])("P-365 a wrong %s is refused by its name, and nothing is stored", async (field) => {
    const id = await newSession();
    const before = await rowsOf(w, who.id);
    const wrong = [
      undefined,
      null,
      7,
      "",
      {},
      ...(field === "from" ? ["abc", "+5511999990001", "1234567", "1".repeat(16)] : ["x".repeat(4097)]),
    ];
    for (const value of wrong)
      expect(await receive(id, { [field]: value })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", errors: [{ path: field }] },
      });
    expect([await rowsOf(w, who.id), await received()]).toEqual([before, []]);
    expect((await receive(id, { text: "😀".repeat(4096) })).status).toBe(202);
  });
});

describe("the sandbox", () => {
  const CALLS = { connect: undefined, disconnect: undefined, messages: { from: RECIPIENT, text: "oi" } };

  test.each(Object.entries(CALLS))(
    "P-157 P-365 …/%s: a live key or a user's token is FORBIDDEN_PERMISSION, before the body, without effect",
    async (call, body) => {
      const id = await newSession();
      const noSandbox = await w.platformKey(who.token, {
        environment: "test",
        permissions: ["channels.write", "messages.send"],
      });
      const before = [await seenBy(who.testKey, id), await rowsOf(w, who.id)];
      for (const as of [{ key: who.key }, { token: who.token }, { key: noSandbox }])
        for (const given of [body, { phoneNumber: 7 }]) {
          const refused = await w.platform(`/v1/sandbox/channels/${id}/${call}`, {
            ...as,
            method: "POST",
            ...(given ? { body: given } : {}),
          });
          expect([refused.status, refused.body]).toEqual([
            403,
            { message: expect.any(String), code: "FORBIDDEN_PERMISSION" },
          ]);
        }
      expect([await seenBy(who.testKey, id), await rowsOf(w, who.id)]).toEqual(before);
      expect(await received()).toEqual([]);
    },
  );

  test.each(Object.entries(CALLS))(
    "P-201 …/%s: an unknown or foreign channel, or one of a kind not in this API, is CHANNEL_NOT_FOUND",
    async (call, body) => {
      const stranger = await customer(w);
      const { id: theirs } = await wabaChannel(w, stranger.key);
      const { channel: social } = await createChannel(w.app.env, callerIn(who.id, LOCAL), {
        kind: "SOCIAL",
        label: "A",
        state: "DISCONNECTED",
      });
      const before = [
        await rowsOf(w, who.id),
        await rowsOf(w, stranger.id),
        (await w.platform(`/v1/channels/${theirs}`, { key: stranger.testKey })).text,
      ];
      for (const id of [theirs, social.id, "none"])
        expect(await sandbox(`channels/${id}/${call}`, body)).toMatchObject({
          status: 404,
          body: { code: "CHANNEL_NOT_FOUND" },
        });
      expect([
        await rowsOf(w, who.id),
        await rowsOf(w, stranger.id),
        (await w.platform(`/v1/channels/${theirs}`, { key: stranger.testKey })).text,
      ]).toEqual(before);
    },
  );
});
