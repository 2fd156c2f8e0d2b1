import { describe, expect, test } from "bun:test";
import {
  connect,
  connectedChannel,
  customer,
  gatewayKeyOf,
  made,
  RECIPIENT,
  rowsOf,
  sendText,
  wabaChannel,
  webhookAt,
} from "../../support/tenants/platform.ts";
import { useWorld } from "../../support/use-world.ts";

const w = useWorld();

const DAY = 24 * 3_600_000;
const ALL = ["message.received", "message.sent", "message.delivered", "message.read"];
/** What the upstream accepted for a number. */
const sentFrom = (phoneNumberId: string) =>
  [...w.graph.sent.values()].filter((sent) => sent.phoneNumberId === phoneNumberId);
const journaled = (phoneNumberId: string) => w.graph.journal.filter(({ path }) => path.includes(phoneNumberId)).length;

describe("POST /v1/channels/{channelId}/messages/text", () => {
  test("P-120 P-141 P-211 P-225 P-226 a text of a live key is accepted, then sent through the channel", async () => {
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    const { status, body } = await sendText(w, who.key, channel.id, { text: "Olá, José 😀" });
    expect([status, body]).toEqual([
      202,
      { success: true, message: expect.any(String), messageId: expect.any(String) },
    ]);
    await w.settle();
    expect(sentFrom(channel.phoneNumberId)).toMatchObject([
      {
        recipient: { waId: RECIPIENT },
        type: "text",
        body: { text: { body: "Olá, José 😀" } },
        bizOpaque: body.messageId,
      },
    ]);
  });

  test.each(["to", "text"])("P-221 P-223 P-227 %s is required and a string", async (field) => {
    const { key, id } = await customer(w);
    const channel = await wabaChannel(w, key);
    for (const value of [undefined, null, 7, {}, ["x"]]) {
      expect(await sendText(w, key, channel.id, { [field]: value })).toMatchObject({
        status: 400,
        body: {
          code: "VALIDATION_ERROR",
          errors: [{ path: field, message: expect.any(String), validation: expect.any(String) }],
        },
      });
    }
    const both = await sendText(w, key, channel.id, { to: undefined, text: undefined });
    expect(both.body.errors.map((one: { path: string }) => one.path).sort()).toEqual(["text", "to"]);
    expect((await rowsOf(w, id))["messages"]).toBe(0);
  });

  test("P-222 to is 8 to 15 digits, however they are set apart, and nothing else", async () => {
    const { key, id } = await customer(w);
    const channel = await wabaChannel(w, key);
    for (const to of [
      "+5511999999999",
      "abc",
      "",
      "1234567",
      "1234567890123456",
      "55 11 999",
      "5511999999999\n",
      "５５１１９９９９９９９",
      "5511999999999@s.whatsapp.net",
      "bsuid:BR.1",
    ]) {
      expect([to, (await sendText(w, key, channel.id, { to })).body.errors?.[0].path]).toEqual([to, "to"]);
    }
    expect((await rowsOf(w, id))["messages"]).toBe(0);
    for (const to of ["12345678", "123456789012345", "5511999999999"])
      expect((await sendText(w, key, channel.id, { to })).status).toBe(202);
  });

  test("P-224 a text has 1 to 4096 characters, each counted once however many bytes it takes", async () => {
    const { key, id } = await customer(w);
    const channel = await wabaChannel(w, key);
    for (const text of ["", "x".repeat(4097), "😀".repeat(4097)])
      expect((await sendText(w, key, channel.id, { text })).status).toBe(400);
    expect((await rowsOf(w, id))["messages"]).toBe(0);
    for (const text of ["x", "x".repeat(4096), "😀".repeat(4096)])
      expect((await sendText(w, key, channel.id, { text })).status).toBe(202);
  });

  test("P-228 P-208 an unknown or foreign channel is a 404; a wrong body to it is a 400", async () => {
    const [who, stranger] = [await customer(w), await customer(w)];
    const theirs = await connectedChannel(w, stranger);
    const before = [await rowsOf(w, stranger.id), journaled(theirs.phoneNumberId)];
    for (const id of [theirs.id, "none"]) {
      for (const key of [who.key, who.testKey])
        expect(await sendText(w, key, id)).toMatchObject({
          status: 404,
          body: { message: expect.any(String), code: "CHANNEL_NOT_FOUND" },
        });
      expect((await sendText(w, who.key, id, { to: "abc" })).status).toBe(400);
    }
    await w.settle();
    expect([await rowsOf(w, stranger.id), journaled(theirs.phoneNumberId)]).toEqual(before);
    expect((await rowsOf(w, who.id))["messages"]).toBe(0);
  });

  test("P-229 P-230 P-231 P-321 P-322 P-323 its statuses are published: sent, delivered, read, each once", async () => {
    const who = await customer(w);
    const hook = w.receiver();
    const channel = await connectedChannel(w, who);
    await webhookAt(w, who.key, hook, { events: ALL });
    const { messageId } = made(await sendText(w, who.key, channel.id), 202);
    await w.settle();
    const wamid = sentFrom(channel.phoneNumberId)[0]?.wamid ?? "";
    await w.graph.deliverStatuses(wamid, ["sent", "delivered", "delivered", "read", "read", "delivered"]);
    await w.settle();
    const common = { messageId, channelId: channel.id, institutionId: who.id, to: RECIPIENT, environment: "live" };
    expect(hook.arrived.map(({ body }) => body)).toMatchObject([
      { ...common, event: "message:sent", status: "sent" },
      { ...common, event: "message:delivered", status: "delivered" },
      { ...common, event: "message:read", status: "read" },
    ]);
    expect(hook.arrived).toHaveLength(3);
  });

  test("P-229 a send that the upstream refuses publishes none of the twelve events; the gateway shows FAILED", async () => {
    const who = await customer(w);
    const hook = w.receiver();
    const channel = await connectedChannel(w, who);
    await webhookAt(w, who.key, hook, { events: ALL });
    w.graph.failNext(1, { kind: "error", code: 131_026 }, { phoneNumberId: channel.phoneNumberId });
    const { messageId } = made(await sendText(w, who.key, channel.id), 202);
    await w.settle();
    expect((await w.gateway(`/v1/messages/${messageId}`, { key: await gatewayKeyOf(w, who) })).body.status).toBe(
      "FAILED",
    );
    expect(hook.arrived).toEqual([]);
  });

  test("P-320 message.received is published for what somebody writes to the channel", async () => {
    const who = await customer(w);
    const hook = w.receiver();
    const channel = await connectedChannel(w, who);
    await webhookAt(w, who.key, hook, { events: ALL });
    await w.graph.inbound.text({ to: channel.phoneNumberId, from: RECIPIENT, text: "Bom dia" });
    await w.settle();
    expect(hook.arrived.map(({ body }) => body)).toMatchObject([
      {
        event: "message:received",
        type: "message.received",
        channelId: channel.id,
        institutionId: who.id,
        from: RECIPIENT,
        to: channel.number,
        status: "received",
        text: "Bom dia",
        environment: "live",
      },
    ]);
  });
});

describe("a channel that is not connected", () => {
  test("P-211 keeps what is sent through it, in order, and sends it when it connects", async () => {
    const who = await customer(w);
    const channel = await wabaChannel(w, who.key);
    for (const text of ["first", "second", "third"])
      expect((await sendText(w, who.key, channel.id, { text })).status).toBe(202);
    await w.advance(DAY / 2);
    expect(journaled(channel.phoneNumberId)).toBe(0);
    await connect(w, who, channel.id);
    expect(sentFrom(channel.phoneNumberId).map(({ body }) => (body["text"] as { body: string }).body)).toEqual([
      "first",
      "second",
      "third",
    ]);
  });

  test("P-211 keeps it over a restart", async () => {
    const who = await customer(w);
    const channel = await wabaChannel(w, who.key);
    made(await sendText(w, who.key, channel.id), 202);
    await w.settle();
    await w.restart();
    await connect(w, who, channel.id);
    expect(sentFrom(channel.phoneNumberId)).toHaveLength(1);
  });

  test("P-211 after 24 hours a waiting message is FAILED and never sent; younger ones still wait", async () => {
    const who = await customer(w);
    const channel = await wabaChannel(w, who.key);
    const gatewayKey = await gatewayKeyOf(w, who);
    const statusOf = async (id: string) => (await w.gateway(`/v1/messages/${id}`, { key: gatewayKey })).body.status;
    const older = made(await sendText(w, who.key, channel.id, { text: "older" }), 202).messageId;
    await w.advance(DAY / 2);
    const younger = made(await sendText(w, who.key, channel.id, { text: "younger" }), 202).messageId;
    await w.advance(DAY / 2 - 1);
    expect([await statusOf(older), await statusOf(younger)]).toEqual(["QUEUED", "QUEUED"]);
    await w.advance(1);
    expect([await statusOf(older), await statusOf(younger)]).toEqual(["FAILED", "QUEUED"]);
    await connect(w, who, channel.id);
    expect(sentFrom(channel.phoneNumberId).map(({ body }) => body["text"])).toEqual([
      expect.objectContaining({ body: "younger" }),
    ]);
    expect([await statusOf(older), await statusOf(younger)]).toEqual(["FAILED", "SENT"]);
  });

  test("P-210 what waits when the channel is deleted is FAILED, and never goes out", async () => {
    const who = await customer(w);
    const channel = await wabaChannel(w, who.key);
    const { messageId } = made(await sendText(w, who.key, channel.id), 202);
    made(await w.platform(`/v1/channels/${channel.id}`, { key: who.key, method: "DELETE" }), 204);
    await w.settle();
    expect((await w.gateway(`/v1/messages/${messageId}`, { key: await gatewayKeyOf(w, who) })).body.status).toBe(
      "FAILED",
    );
    expect(sentFrom(channel.phoneNumberId)).toEqual([]);
  });
});
