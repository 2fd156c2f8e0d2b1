import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { keepKeys } from "../../../../src/core/messaging/receiving/echo.ts";
import { iso, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { findMessage } from "../../../../src/store/tables/messaging/messages.ts";
import { EVERY_TENANT } from "../../../../src/store/tables/scope.ts";
import { receivedBy } from "../../../support/customers/customer.ts";
import {
  midsOf,
  newSocialCustomer,
  type SocialCustomer,
  type SocialWorld,
  startSocialWorld,
  tokenOf,
} from "../../../support/networks/social.ts";

let s: SocialWorld;
let c: SocialCustomer;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newSocialCustomer(s);
});
afterAll(() => s.stop());

const common = () => ({ to: c.igUserId, from: c.igsid });
const person = () => ({ canonicalKey: `igsid:${c.igsid}`, type: "igsid", pn: null, lid: null });
const received = async () => {
  await s.w.settle();
  return c.hook.arrived.map(({ body }) => [body.type, body.data]);
};
/** A message of ours and one of the user's, under their ids on both sides; their events are cleared. */
const exchanged = async () => {
  const id = await c.sent();
  const { mid } = await s.instagram.inbound.text({ ...common(), text: "oi" });
  await s.w.settle();
  const theirs = receivedBy(c.hook, "message:received")[0].messageId as string;
  c.hook.arrived.length = 0;
  return { sent: { id, mid: midsOf(s, c)[0] ?? "" }, came: { id: theirs, mid } };
};

describe("what the user does to a message", () => {
  test("a reaction, to either side's message, is published with its emoji, and empty when it is taken back", async () => {
    const { sent, came } = await exchanged();
    const at = s.w.clock.now() + MINUTE_MS;
    await s.instagram.inbound.reaction({ ...common(), messageId: sent.mid, emoji: "❤", at });
    await s.instagram.inbound.reaction({ ...common(), messageId: came.mid, emoji: "👍", at });
    await s.instagram.inbound.reaction({ ...common(), messageId: sent.mid, at: at + 1 });
    expect(await received()).toEqual([
      ["message:reaction", { messageId: sent.id, emoji: "❤", timestamp: iso(at), from: person() }],
      ["message:reaction", { messageId: came.id, emoji: "👍", timestamp: iso(at), from: person() }],
      ["message:reaction", { messageId: sent.id, emoji: "", timestamp: iso(at + 1), from: person() }],
    ]);
  });

  test("an edit is published with the new text; edit number 0, which announces a new message, is not", async () => {
    const { came } = await exchanged();
    const at = s.w.clock.now() + MINUTE_MS;
    await s.instagram.inbound.edit({ ...common(), messageId: came.mid, numEdit: 0, at });
    await s.instagram.inbound.edit({ ...common(), messageId: came.mid, text: "oi!", numEdit: 1, at });
    expect(await received()).toEqual([
      ["message:edited", { messageId: came.id, text: "oi!", editedAt: iso(at), from: person() }],
    ]);
  });

  test("G-619 taking a message back is published as deleted", async () => {
    const { came } = await exchanged();
    await s.instagram.inbound.deleted({ ...common(), messageId: came.mid });
    expect(await received()).toMatchObject([["message:status", { messageId: came.id, status: "deleted" }]]);
  });

  test("a repeated act is published once, and an act on an unknown message is not published", async () => {
    const { came } = await exchanged();
    const { delivery } = await s.instagram.inbound.reaction({ ...common(), messageId: came.mid, emoji: "❤" });
    await s.instagram.webhooks.resend(delivery.id);
    await s.instagram.inbound.reaction({ ...common(), messageId: came.mid, emoji: "❤" }, { layout: "standby" });
    await s.instagram.inbound.reaction({ ...common(), messageId: "mid.UNKNOWN", emoji: "❤" });
    expect(await received()).toHaveLength(1);
  });

  test("to a caption is done to its message", async () => {
    const id = await c.sent({
      type: "image",
      content: { mediaUrl: "https://files.example.com/a.jpg", caption: "a loja" },
    });
    c.hook.arrived.length = 0;
    for (const messageId of midsOf(s, c)) await s.instagram.inbound.reaction({ ...common(), messageId, emoji: "❤" });
    expect((await received()).map(([, data]) => data.messageId)).toEqual([id, id]);
  });

  test("to a caption whose id is not known yet is published once it is", async () => {
    const id = await c.sent();
    c.hook.arrived.length = 0;
    await s.instagram.inbound.reaction({ ...common(), messageId: "mid.CAPTION", emoji: "❤" });
    expect(await received()).toEqual([]);
    const { env } = s.w.app;
    await env.db.write(async (tx) => {
      const message = await findMessage(tx, EVERY_TENANT, id);
      if (message) await keepKeys(env, tx, message, ["mid.CAPTION" as ProviderMessageId]);
    });
    expect(await received()).toMatchObject([["message:reaction", { messageId: id, emoji: "❤" }]]);
  });
});

// refusals and published events are in operations-social.test.ts
describe("what we do to a message", () => {
  const operate = (name: string, id: string, input: object = {}) =>
    s.w.gateway(`/v1/messages/${id}/${name}`, { key: c.key, body: { phoneId: c.phoneId, ...input } });
  const actions = () =>
    s.instagram.actions
      .filter(({ igUserId }) => igUserId === c.igUserId)
      .map(({ action, messageId, reaction }) => [action, messageId, reaction]);

  test("a reaction to either side's message, and taking it back, reach the network and are published", async () => {
    const { sent, came } = await exchanged();
    for (const [id, emoji] of [
      [sent.id, "👍"],
      [came.id, "❤"],
      [came.id, ""],
    ] as const) {
      expect((await operate("react", id, { emoji })).status).toBe(202);
      await s.w.settle();
    }
    expect(actions()).toEqual([
      ["react", sent.mid, "👍"],
      ["react", came.mid, "❤"],
      ["unreact", came.mid, undefined],
    ]);
    expect((await received()).map(([type, data]) => [type, data.messageId, data.emoji])).toEqual([
      ["message:reaction", sent.id, "👍"],
      ["message:reaction", came.id, "❤"],
      ["message:reaction", came.id, ""],
    ]);
  });

  test("a reaction to the second picture of a message is one to the message, which is all that the network knows", async () => {
    const { mid } = await s.instagram.inbound.attachments({
      ...common(),
      attachments: [{ type: "image" }, { type: "image" }],
    });
    await s.w.settle();
    await operate("react", receivedBy(c.hook, "message:received")[1].messageId, { emoji: "❤" });
    await s.w.settle();
    expect(actions()).toEqual([["react", mid, "❤"]]);
  });

  test("G-646 with a token that has expired the phone is TOKEN_EXPIRED", async () => {
    const { came } = await exchanged();
    s.instagram.expireToken(tokenOf(s, c));
    await operate("read", came.id);
    expect(await received()).toEqual([["channel:disconnected", { reason: "TOKEN_EXPIRED" }]]);
    expect((await c.phone()).status).toBe("TOKEN_EXPIRED");
  });
});
