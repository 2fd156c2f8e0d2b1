import { describe, expect, test } from "bun:test";
import {
  connect,
  connectedChannel,
  customer,
  made,
  RECIPIENT,
  rowsOf,
  sendText,
  untilState,
  wabaChannel,
  webhookAt,
} from "../../support/tenants/platform.ts";
import { useWorld } from "../../support/use-world.ts";
import { untilTrue } from "../../support/waiting.ts";
import { addWabaNumber } from "../../support/world.ts";

const w = useWorld();

const create = (key: string, fields: object = {}) =>
  w.platform("/v1/channels", { key, body: { name: "A channel", type: "CHAT_WABA", ...fields } });
const get = async (key: string, id: string) => made(await w.platform(`/v1/channels/${id}`, { key }), 200);
const post = (key: string, id: string, action: string) =>
  w.platform(`/v1/channels/${id}/${action}`, { key, method: "POST" });
/** Requests to the upstream about this number. */
const asked = (phoneNumberId: string) => w.graph.journal.filter(({ path }) => path.includes(phoneNumberId)).length;

describe("POST /v1/channels", () => {
  test.each(["CHAT_SESSION", "CHAT_WABA"])(
    "P-009 P-193 P-194 P-195 P-196 makes a %s, DISCONNECTED, without a number",
    async (type) => {
      const { key } = await customer(w);
      const { status, body } = await create(key, { name: "Vendas", type });
      const createdAt = new Date(w.clock.now()).toISOString();
      expect([status, body]).toEqual([
        201,
        { id: expect.any(String), name: "Vendas", type, status: "DISCONNECTED", createdAt },
      ]);
      expect(await get(key, body.id)).toEqual(body);
    },
  );

  test.each(["name", "type"])("P-191 P-192 %s is required and of its kind", async (field) => {
    const { key, id } = await customer(w);
    for (const value of [undefined, null, 7, "", {}, "x".repeat(121)])
      expect(await create(key, { [field]: value })).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
    for (const type of ["SESSION", "WABA", "CHAT_SOCIAL", "chat_waba"])
      expect((await create(key, { type })).status).toBe(400);
    expect((await rowsOf(w, id))["channels"]).toBe(0);
    for (const name of ["x", "😀".repeat(120)]) expect((await create(key, { name })).status).toBe(201);
  });

  test("P-193 credentials are complete and for CHAT_WABA, or absent; no answer has them, no upstream call is made", async () => {
    const { key, id } = await customer(w);
    const { number: _, ...credentials } = addWabaNumber(w.graph);
    expect(await create(key, { type: "CHAT_SESSION", credentials })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "credentials" }] },
    });
    for (const field of Object.keys(credentials)) {
      for (const value of [undefined, "", 7]) {
        expect(await create(key, { credentials: { ...credentials, [field]: value } })).toMatchObject({
          status: 400,
          body: { errors: [{ path: `credentials.${field}` }] },
        });
      }
    }
    for (const wrong of ["text", [], null]) expect((await create(key, { credentials: wrong })).status).toBe(400);
    expect((await rowsOf(w, id))["channels"]).toBe(0);
    const answer = await create(key, { credentials });
    expect(answer.status).toBe(201);
    expect(answer.text + (await w.platform("/v1/channels", { key })).text).not.toContain(credentials.accessToken);
    expect(asked(credentials.phoneNumberId)).toBe(0);
  });
});

describe("connecting", () => {
  test("P-137 P-197 P-199 P-202 P-203 P-204 P-205 a CHAT_WABA validates its credentials; CONNECTED, it has its number", async () => {
    const who = await customer(w);
    const { id, number } = await wabaChannel(w, who.key);
    const { status, body } = await post(who.key, id, "connect");
    expect([status, body]).toEqual([200, { status: "CONNECTING", qrCode: "", message: expect.any(String) }]);
    expect(["CONNECTING", "CONNECTED"]).toContain((await get(who.key, id)).status);
    await untilState(w, who.id, id, "CONNECTED");
    const connectedAt = new Date(w.clock.now()).toISOString();
    expect(await get(who.key, id)).toEqual({
      id,
      name: "A channel",
      type: "CHAT_WABA",
      status: "CONNECTED",
      phoneNumber: number,
      connectedAt,
      createdAt: connectedAt,
    });
  });

  test("P-199 while the upstream does not answer the channel is CONNECTING, and shows no number", async () => {
    const who = await customer(w);
    const { id, phoneNumberId } = await wabaChannel(w, who.key);
    w.graph.fail({ failure: { kind: "http", status: 503 }, operation: "number.get", phoneNumberId, isLasting: true });
    made(await post(who.key, id, "connect"), 200);
    await untilTrue(() => asked(phoneNumberId) !== 0);
    expect(await get(who.key, id)).toMatchObject({ status: "CONNECTING" });
    expect(await get(who.key, id)).not.toHaveProperty("phoneNumber");
    w.graph.clearFailures();
    await w.advance(60_000);
    await untilState(w, who.id, id, "CONNECTED");
  });

  test("P-198 a CHAT_WABA without credentials is a 400, and stays as it is", async () => {
    const { key } = await customer(w);
    const { id } = made(await create(key), 201);
    expect(await post(key, id, "connect")).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", errors: [{ path: "credentials", validation: "required" }] },
    });
    expect((await get(key, id)).status).toBe("DISCONNECTED");
  });

  test("P-198 a CONNECTED channel is CHANNEL_ALREADY_CONNECTED, without an upstream call", async () => {
    const who = await customer(w);
    const { id, phoneNumberId } = await connectedChannel(w, who);
    const before = [asked(phoneNumberId), await get(who.key, id)];
    expect(await post(who.key, id, "connect")).toMatchObject({
      status: 409,
      body: { message: expect.any(String), code: "CHANNEL_ALREADY_CONNECTED" },
    });
    expect([asked(phoneNumberId), await get(who.key, id)]).toEqual(before);
  });

  test("P-196 credentials that the upstream refuses leave the channel DISCONNECTED, without a number", async () => {
    const who = await customer(w);
    const { id, accessToken } = await wabaChannel(w, who.key);
    w.graph.invalidateToken(accessToken);
    made(await post(who.key, id, "connect"), 200);
    await untilState(w, who.id, id, "TOKEN_EXPIRED");
    expect(await get(who.key, id)).toMatchObject({ status: "DISCONNECTED" });
    expect(await get(who.key, id)).not.toHaveProperty("phoneNumber");
  });
});

describe("listing and leaving", () => {
  test("P-207 P-208 the list holds the institution's channels alone, newest first, each as GET shows it", async () => {
    const [who, stranger] = [await customer(w), await customer(w)];
    made(await create(stranger.key), 201);
    const connected = await connectedChannel(w, who);
    w.clock.advance(1);
    const newer = made(await create(who.key, { type: "CHAT_SESSION" }), 201);
    const { status, body } = await w.platform("/v1/channels", { key: who.key });
    expect([status, body]).toEqual([200, { data: [await get(who.key, newer.id), await get(who.key, connected.id)] }]);
    expect(body.data[1]).toHaveProperty("phoneNumber");
    expect(body.data[0]).not.toHaveProperty("phoneNumber");
  });

  test("P-209 P-327 disconnecting ends the connection once and can be repeated; the number is hidden", async () => {
    const who = await customer(w);
    const hook = w.receiver();
    const { id, number } = await connectedChannel(w, who);
    await webhookAt(w, who.key, hook, { events: ["channel.connected", "channel.disconnected"] });
    for (let n = 0; n < 2; n++)
      expect(await post(who.key, id, "disconnect")).toMatchObject({
        status: 200,
        body: { status: "DISCONNECTED", message: expect.any(String) },
      });
    await w.settle();
    expect(hook.arrived.map(({ body }) => body)).toMatchObject([
      { event: "channel:disconnected", channelId: id, status: "DISCONNECTED", phoneNumber: number, reason: "LOGOUT" },
    ]);
    const channel = await get(who.key, id);
    expect([channel.status, channel.phoneNumber, channel.connectedAt]).toEqual(["DISCONNECTED", undefined, undefined]);
    await connect(w, who, id);
    expect((await get(who.key, id)).phoneNumber).toBe(number);
    await hook.received(2);
    expect(hook.arrived[1]?.body).toMatchObject({
      event: "channel:connected",
      channelId: id,
      status: "CONNECTED",
      phoneNumber: number,
    });
  });

  test("P-326 channel.connected is published once when a channel becomes CONNECTED", async () => {
    const who = await customer(w);
    const hook = w.receiver();
    await webhookAt(w, who.key, hook, { events: ["channel.connected"] });
    const { id, number } = await connectedChannel(w, who);
    await hook.received(1);
    await w.settle();
    expect(hook.arrived).toHaveLength(1);
    expect(hook.arrived[0]?.body).toMatchObject({
      event: "channel:connected",
      type: "channel.connected",
      institutionId: who.id,
      channelId: id,
      phoneNumber: number,
      environment: "live",
    });
  });

  test("P-210 P-327 a deleted channel is unknown, its number is free, and channel.disconnected comes", async () => {
    const who = await customer(w);
    const hook = w.receiver();
    const { id } = await connectedChannel(w, who);
    await webhookAt(w, who.key, hook, { events: ["channel.disconnected"] });
    const { status, text } = await w.platform(`/v1/channels/${id}`, { key: who.key, method: "DELETE" });
    expect([status, text]).toEqual([204, ""]);
    expect(await w.platform(`/v1/channels/${id}`, { key: who.key })).toMatchObject({
      status: 404,
      body: { code: "CHANNEL_NOT_FOUND" },
    });
    expect(await sendText(w, who.key, id, { to: RECIPIENT })).toMatchObject({
      status: 404,
      body: { code: "CHANNEL_NOT_FOUND" },
    });
    expect(await w.platform("/v1/channels", { key: who.key })).toMatchObject({ body: { data: [] } });
    await w.settle();
    expect(hook.arrived.map(({ body }) => body)).toMatchObject([
      { event: "channel:disconnected", channelId: id, status: "DISCONNECTED", reason: "MANUAL_DELETE" },
    ]);
    expect(w.graph.journal.some(({ method, path }) => method === "DELETE" && path.includes("subscribed_apps"))).toBe(
      true,
    );
  });

  test("P-327 the end of a channel that is not connected publishes nothing: it did on leaving CONNECTED", async () => {
    const who = await customer(w);
    const hook = w.receiver();
    await webhookAt(w, who.key, hook, { events: ["channel.disconnected"] });
    const never = made(await create(who.key, { type: "CHAT_SESSION" }), 201);
    const { id } = await connectedChannel(w, who);
    made(await post(who.key, id, "disconnect"), 200);
    for (const gone of [never.id, id])
      made(await w.platform(`/v1/channels/${gone}`, { key: who.key, method: "DELETE" }), 204);
    await w.settle();
    expect(hook.arrived.map(({ body }) => [body.channelId, body.reason])).toEqual([[id, "LOGOUT"]]);
  });

  describe("whose connection a test key simulates", () => {
    const simulated = async () => {
      const who = await customer(w);
      const hook = w.receiver();
      await webhookAt(w, who.key, hook, { events: ["channel.connected", "channel.disconnected"] });
      const { id } = made(await create(who.key, { type: "CHAT_SESSION" }), 201);
      const { phoneNumber } = made(
        await w.platform(`/v1/sandbox/channels/${id}/connect`, { key: who.testKey, method: "POST" }),
        200,
      );
      const published = async () => {
        await w.settle();
        return hook.arrived.map(({ body }) => [body.type, body.environment, body.phoneNumber, body.reason]);
      };
      return { ...who, id, published, connected: ["channel.connected", "test", phoneNumber, null], phoneNumber };
    };

    test("P-209 P-327 a test key's disconnect ends it, which is published as test, once", async () => {
      const s = await simulated();
      for (let n = 0; n < 2; n++)
        expect(await post(s.testKey, s.id, "disconnect")).toMatchObject({
          status: 200,
          body: { status: "DISCONNECTED" },
        });
      expect(await get(s.testKey, s.id)).toEqual(await get(s.key, s.id));
      expect(await s.published()).toEqual([s.connected, ["channel.disconnected", "test", s.phoneNumber, "LOGOUT"]]);
    });

    test("P-209 a live key's disconnect, which sees none, leaves it alone", async () => {
      const s = await simulated();
      const before = await get(s.testKey, s.id);
      made(await post(s.key, s.id, "disconnect"), 200);
      expect([await get(s.testKey, s.id), await s.published()]).toEqual([before, [s.connected]]);
    });

    test("P-210 P-327 deleting the channel ends it as test, and publishes no other end", async () => {
      const s = await simulated();
      made(await w.platform(`/v1/channels/${s.id}`, { key: s.key, method: "DELETE" }), 204);
      expect(await s.published()).toEqual([
        s.connected,
        ["channel.disconnected", "test", s.phoneNumber, "MANUAL_DELETE"],
      ]);
    });
  });
});
