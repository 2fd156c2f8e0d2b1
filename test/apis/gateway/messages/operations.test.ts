import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { receiveEvents } from "../../../../src/core/inbound.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import type { ChannelId } from "../../../../src/kernel/ids.ts";
import {
  type Customer,
  holdBack,
  newCustomer,
  receivedBy,
  release,
  sendsOf,
  TO,
  tracesOf,
  wamidOf,
} from "../../../support/customers/customer.ts";
import { OPERATIONS, type OperationName, operate, received } from "../../../support/customers/operations.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { startWorld, type World } from "../../../support/world.ts";

const UNKNOWN_ID = "0198a000-1111-4222-8333-444455556666";

let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newCustomer(w);
});
afterAll(() => w.stop());

/** What the upstream was asked for beside messages. */
const asked = () => sendsOf(w, c).filter((body) => body.type === "reaction" || body.status !== undefined);
const published = () =>
  c.hook.arrived
    .map(({ body }) => [body.type, body.data])
    .filter(([type, data]) => type !== "message:received" && data.status !== "sent");

describe("an operation is refused and nothing happens", () => {
  const WITHOUT = undefined;
  const cases: [rule: string, name: OperationName, change: object, field: string][] = [
    ["G-444 a reaction without phoneId", "react", { phoneId: WITHOUT }, "phoneId"],
    ["G-444 a reaction with a phoneId that is no UUID", "react", { phoneId: "abc" }, "phoneId"],
    ["G-445 a reaction without emoji", "react", { emoji: WITHOUT }, "emoji"],
    ["G-445 a reaction with an emoji of 21 characters", "react", { emoji: "x".repeat(21) }, "emoji"],
    ["G-445 a reaction with an emoji that is no text", "react", { emoji: null }, "emoji"],
    ["G-448 an edit without phoneId", "edit", { phoneId: WITHOUT }, "phoneId"],
    ["G-448 an edit without text", "edit", { text: WITHOUT }, "text"],
    ["G-449 an edit with an empty text", "edit", { text: "" }, "text"],
    ["G-449 an edit with a text of 4097 characters", "edit", { text: "x".repeat(4097) }, "text"],
    ["G-453 a deletion without phoneId", "delete", { phoneId: WITHOUT }, "phoneId"],
    ["G-453 a deletion with a phoneId that is no UUID", "delete", { phoneId: "abc" }, "phoneId"],
    ["G-460 a read without phoneId", "read", { phoneId: WITHOUT }, "phoneId"],
    ["G-461 typing without phoneId", "typing", { phoneId: WITHOUT }, "phoneId"],
  ];
  test.each(cases)(
    "%s is refused by its field, before the phone and the message are looked for",
    async (_, name, change, field) => {
      const before = await tracesOf(w, c);
      expect(fieldsOf(await operate(w, c, [name, UNKNOWN_ID], { phoneId: UNKNOWN_ID, ...change }))).toEqual([field]);
      expect(await tracesOf(w, c)).toEqual(before);
    },
  );

  test.each(OPERATIONS)(
    "G-440 GAP-C11 %s: first the phone, then whether it is connected, then the message, then what the channel can",
    async (name) => {
      const stranger = await newCustomer(w);
      const [mine, theirs] = [
        await c.sent({ type: "image", content: { mediaUrl: "https://files.example.com/a.jpg" } }),
        await stranger.sent(),
      ];
      const disconnected = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } }))
        .body.id;
      const before = await tracesOf(w, c);
      for (const phoneId of [UNKNOWN_ID, stranger.phone.id])
        expect(gatewaySays(await operate(w, c, [name, mine], { phoneId }))).toBe("404 PHONE_NOT_FOUND");
      for (const id of [UNKNOWN_ID, mine])
        expect(gatewaySays(await operate(w, c, [name, id], { phoneId: disconnected }))).toBe("409 PHONE_NOT_CONNECTED");
      for (const id of [UNKNOWN_ID, "nonsense", theirs])
        expect(gatewaySays(await operate(w, c, [name, id]))).toBe("404 MESSAGE_KEY_NOT_FOUND");
      const never = {
        react: "202",
        edit: "400 UNSUPPORTED_TYPE",
        delete: "202",
        read: "400 UNSUPPORTED_TYPE",
        typing: "400 UNSUPPORTED_TYPE",
      }[name];
      if (never !== "202") expect(gatewaySays(await operate(w, c, [name, mine]))).toBe(never);
      expect(await tracesOf(w, c)).toEqual(before);
      expect(sendsOf(w, stranger)).toHaveLength(1);
    },
  );
});

/** TABLE: what an operation on a message of a WABA phone answers. */
const ON_WABA: Record<OperationName, Record<"inbound" | "text" | "image", 202 | 400>> = {
  react: { inbound: 202, text: 202, image: 202 },
  edit: { inbound: 400, text: 202, image: 400 },
  delete: { inbound: 400, text: 202, image: 202 },
  read: { inbound: 202, text: 400, image: 400 },
  typing: { inbound: 202, text: 400, image: 400 },
};

describe("on a WABA phone", () => {
  for (const [name, answers] of Object.entries(ON_WABA) as [OperationName, (typeof ON_WABA)[OperationName]][]) {
    test(`G-450 G-455 G-460 G-461 GAP-G47 ${name} is ${JSON.stringify(answers)}`, async () => {
      const ids = {
        inbound: (await received(w, c)).messageId,
        text: await c.sent(),
        image: await c.sent({ type: "image", content: { mediaUrl: "https://files.example.com/a.jpg" } }),
      };
      for (const [what, status] of Object.entries(answers)) {
        const before = await tracesOf(w, c);
        const answer = await operate(w, c, [name, ids[what as keyof typeof ids]]);
        expect([what, gatewaySays(answer)]).toEqual([what, status === 400 ? "400 UNSUPPORTED_TYPE" : "202"]);
        if (status === 202) expect(answer.body).toEqual({ status: "enqueued" });
        else expect(await tracesOf(w, c)).toEqual(before);
      }
      await w.settle();
    });
  }

  test("G-441 G-447 G-451 G-457 G-460 the answer comes before anything is asked of the network", async () => {
    const id = await c.sent();
    const { messageId } = await received(w, c);
    await holdBack(w, `channel:${c.phone.id}`);
    for (const [name, of] of [
      ["react", id],
      ["edit", id],
      ["delete", id],
      ["read", messageId],
      ["typing", messageId],
    ] as const)
      expect((await operate(w, c, [name, of])).body).toEqual({ status: "enqueued" });
    await w.settle();
    expect([asked(), published()]).toEqual([[], []]);
    await release(w, `channel:${c.phone.id}`);
    expect(asked()).toHaveLength(3);
  });

  test("G-445 G-446 G-447 G-459 GAP-G46 a reaction of up to 20 characters, or an empty one, reaches the network and is published when it has", async () => {
    const id = await c.sent();
    const { messageId, wamid } = await received(w, c);
    const emojis = [
      [id, wamidOf(w, id), "👍🏽"],
      [messageId, wamid, "x".repeat(12)],
      [id, wamidOf(w, id), ""],
    ] as const;
    for (const [of, key, emoji] of emojis) {
      expect(gatewaySays(await operate(w, c, ["react", of], { emoji }))).toBe("202");
      await w.settle();
      expect(sendsOf(w, c).at(-1)).toEqual({
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: TO,
        type: "reaction",
        reaction: { message_id: key, emoji },
      });
      expect(w.graph.reactions.at(-1)).toMatchObject({
        phoneNumberId: c.phone.phoneNumberId,
        to: TO,
        messageId: key,
        emoji,
      });
      expect(published().at(-1)).toEqual([
        "message:reaction",
        { messageId: of, emoji, timestamp: new Date(w.clock.now()).toISOString() },
      ]);
    }
    expect(published()).toHaveLength(3);
    expect(gatewaySays(await operate(w, c, ["react", id], { emoji: "😀".repeat(20) }))).toBe("202");
    expect((await c.message(id)).status).toBe("SENT");
    await w.settle();
  });

  test("G-450 G-455 GAP-G47 an edit and a deletion ask nothing of the network: they are published as failed, and the message keeps its status", async () => {
    const id = await c.sent();
    const sends = sendsOf(w, c).length;
    for (const name of ["edit", "delete"] as const) {
      expect((await operate(w, c, [name, id])).status).toBe(202);
      await w.settle();
      expect(published().at(-1)).toEqual([
        "message:operation_failed",
        { messageId: id, operation: name, code: "UPSTREAM_UNSUPPORTED", reason: expect.stringContaining(name) },
      ]);
    }
    expect([sendsOf(w, c).length, published().length, (await c.message(id)).status]).toEqual([sends, 2, "SENT"]);
  });

  test("G-460 G-461 G-462 G-463 a read and typing are one call each, about the message that came, and are not published", async () => {
    const { messageId, wamid } = await received(w, c);
    const read = { messaging_product: "whatsapp", status: "read", message_id: wamid };
    for (const name of ["read", "typing"] as const) {
      expect((await operate(w, c, [name, messageId])).body).toEqual({ status: "enqueued" });
      await w.settle();
    }
    expect(asked()).toEqual([read, { ...read, typing_indicator: { type: "text" } }]);
    const taken = w.graph.reads.filter(({ phoneNumberId }) => phoneNumberId === c.phone.phoneNumberId);
    expect(taken.map(({ messageId: key, isTyping }) => [key, isTyping])).toEqual([
      [wamid, false],
      [wamid, true],
    ]);
    await w.advance(DAY_MS);
    expect(asked()).toHaveLength(2);
    expect(published()).toEqual([]);
    expect((await c.events()).map(({ type }) => type)).not.toContain("message:operation_failed");
  });

  test("G-442 a message may be operated on for 7 days, and not a millisecond longer", async () => {
    const old = await startWorld();
    try {
      const customer = await newCustomer(old);
      const [inbound, outbound] = [(await received(old, customer)).messageId, await customer.sent()];
      await old.advance(7 * DAY_MS);
      for (const id of [inbound, outbound])
        expect(gatewaySays(await operate(old, customer, ["react", id]))).toBe("202");
      await old.advance(1);
      for (const id of [inbound, outbound])
        expect(gatewaySays(await operate(old, customer, ["react", id]))).toBe("404 MESSAGE_KEY_NOT_FOUND");
    } finally {
      await old.stop();
    }
  });

  test("G-443 a message that the owner wrote on another device is not known", async () => {
    const key = "wamid.WRITTEN.ELSEWHERE" as ProviderMessageId;
    const content = { type: "text", content: { text: "oi" } } as const;
    const chat = { pn: TO };
    const event = {
      kind: "received",
      key,
      at: w.clock.now(),
      from: chat,
      chat,
      pushName: null,
      content,
      isOwn: true,
    } as const;
    await w.app.env.db.write((tx) =>
      receiveEvents(w.app.env, tx, { channelId: c.phone.id as ChannelId, environment: "live" }, [event]),
    );
    await w.settle();
    const { messageId } = receivedBy(c.hook, "message:received").at(-1);
    const before = await tracesOf(w, c);
    for (const name of OPERATIONS)
      expect([name, gatewaySays(await operate(w, c, [name, messageId]))]).toEqual([name, "404 MESSAGE_KEY_NOT_FOUND"]);
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("GAP-G37 a message that the network has not got yet, or never got, is not known", async () => {
    w.graph.failNext(1, { kind: "error", code: 131026 }, { phoneNumberId: c.phone.phoneNumberId });
    const failed = await c.sent();
    await holdBack(w, `channel:${c.phone.id}`);
    const queued = (await c.send()).body.messageId;
    for (const id of [failed, queued])
      expect(gatewaySays(await operate(w, c, ["react", id]))).toBe("404 MESSAGE_KEY_NOT_FOUND");
    await release(w, `channel:${c.phone.id}`);
    expect(gatewaySays(await operate(w, c, ["react", queued]))).toBe("202");
    await w.settle();
  });
});
