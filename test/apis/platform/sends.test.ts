import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { sendsOf } from "../../support/customers/customer.ts";
import { knownTemplate } from "../../support/customers/templates.ts";
import { type SessionNetwork, sessionNetwork } from "../../support/session/scripted-sends.ts";
import {
  type Customer,
  connect,
  customer,
  gatewayKeyOf,
  made,
  RECIPIENT,
  wabaChannel,
} from "../../support/tenants/platform.ts";
import { SENDS, sendAs } from "../../support/tenants/platform-sends.ts";
import { startWorld, type World } from "../../support/world.ts";

type Kind = { type: "CHAT_WABA" | "CHAT_SESSION"; channelId: string; arrived(): object[] };

let network: SessionNetwork;
let w: World;
let who: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  who = await customer(w);
});
afterAll(() => w.stop());

/** A channel that is not connected yet, and what its network gets, each message with our id. */
const newChannel: Record<Kind["type"], () => Promise<Kind>> = {
  async CHAT_WABA() {
    const { id, phoneNumberId } = await wabaChannel(w, who.key);
    await knownTemplate(w, id, { name: "order_update", language: "en_US" });
    const bodies = () => sendsOf(w, { phone: { id, phoneNumberId, accessToken: "", number: "" } });
    return {
      type: "CHAT_WABA",
      channelId: id,
      arrived: () =>
        bodies().map(({ biz_opaque_callback_data: messageId, to, ...rest }) => ({ messageId, to, ...rest })),
    };
  },
  async CHAT_SESSION() {
    const { id } = made(
      await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_SESSION" } }),
      201,
    );
    const orders = () => network.sent.filter(({ channelId }) => channelId === id);
    return {
      type: "CHAT_SESSION",
      channelId: id,
      arrived: () =>
        orders().map(({ order: { messageId, to, type, content } }) => ({
          messageId,
          to: to.replace("pn:", ""),
          type,
          content,
        })),
    };
  },
};
const expectedAt = (type: Kind["type"], send: string): object => {
  const { body, upstream } = SENDS[send] ?? missing(send);
  return type === "CHAT_WABA" ? upstream : { type: send, content: body };
};
const missing = (what: string): never => {
  throw new Error(`there is no ${what}`);
};

const statusOf = async (messageId: string): Promise<string> =>
  made(await w.gateway(`/v1/messages/${messageId}`, { key: await gatewayKeyOf(w, who) }), 200).status;

const WABA_SENDS = Object.keys(SENDS);
const SESSION_SENDS = WABA_SENDS.filter((send) => send !== "template");
const ON_BOTH = [
  ...WABA_SENDS.map((send) => ["CHAT_WABA", send] as const),
  ...SESSION_SENDS.map((send) => ["CHAT_SESSION", send] as const),
];

describe("a send through a connected channel", () => {
  test.each(ON_BOTH)(
    "P-142 P-211 P-220 P-225 P-232 P-233 P-234 P-235 P-236 P-237 GAP-P25 on %s: the requested %s arrives, and the 202 has it",
    async (type, send) => {
      const channel = await newChannel[type]();
      await connect(w, who, channel.channelId);
      const { status, body } = await sendAs(w, { key: who.key, channelId: channel.channelId, type: send });
      expect([status, body]).toEqual([
        202,
        { success: true, message: expect.any(String), messageId: expect.any(String) },
      ]);
      await w.settle();
      expect(channel.arrived()).toEqual([
        expect.objectContaining({ messageId: body.messageId, to: RECIPIENT, ...expectedAt(type, send) }),
      ]);
      expect(await statusOf(body.messageId)).toBe("SENT");
    },
  );

  test("P-226 the 202 is there while the network has yet to answer, for every type of send", async () => {
    const channel = await newChannel.CHAT_SESSION();
    await connect(w, who, channel.channelId);
    const answers = SESSION_SENDS.map(() => Promise.withResolvers<{ ok: true; key: never }>());
    network.outcomes.push(...answers.map(({ promise }) => promise));
    const ids: string[] = [];
    for (const [index, send] of SESSION_SENDS.entries())
      ids.push(
        made(
          await sendAs(w, { key: who.key, channelId: channel.channelId, type: send }, { to: `551199999100${index}` }),
          202,
        ).messageId,
      );
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => "QUEUED"));
    for (const [index, { resolve }] of answers.entries()) resolve({ ok: true, key: `3EB0${index}` as never });
    await w.settle();
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => "SENT"));
  });
});

describe("a send through a channel that is not connected", () => {
  test.each(["CHAT_WABA", "CHAT_SESSION"] as const)(
    "P-211 GAP-P24 %s keeps what is sent through it, of every type and in order, and sends it when it connects",
    async (type) => {
      const channel = await newChannel[type]();
      const sends = type === "CHAT_WABA" ? WABA_SENDS : SESSION_SENDS;
      const ids: string[] = [];
      for (const send of sends)
        ids.push(made(await sendAs(w, { key: who.key, channelId: channel.channelId, type: send }), 202).messageId);
      await w.advance(DAY_MS / 2);
      expect([channel.arrived(), await Promise.all(ids.map(statusOf))]).toEqual([[], ids.map(() => "QUEUED")]);
      await connect(w, who, channel.channelId);
      expect(channel.arrived()).toEqual(
        sends.map((send, index) => expect.objectContaining({ messageId: ids[index], ...expectedAt(type, send) })),
      );
    },
  );

  test("P-211 GAP-P24 what has waited 24 hours is FAILED, whatever its type, and is not sent any more", async () => {
    const channel = await newChannel.CHAT_WABA();
    const ids: string[] = [];
    for (const send of WABA_SENDS)
      ids.push(made(await sendAs(w, { key: who.key, channelId: channel.channelId, type: send }), 202).messageId);
    await w.advance(DAY_MS);
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => "FAILED"));
    await connect(w, who, channel.channelId);
    expect(channel.arrived()).toEqual([]);
  });
});

describe("what is left out, and what nobody asked for", () => {
  test("P-237 a template without a language is pt_BR, without variables it has none", async () => {
    const channel = await newChannel.CHAT_WABA();
    await knownTemplate(w, channel.channelId, { name: "hello" });
    await connect(w, who, channel.channelId);
    const { messageId } = made(
      await sendAs(
        w,
        { key: who.key, channelId: channel.channelId, type: "template" },
        { name: "hello", language: undefined, variables: undefined },
      ),
      202,
    );
    await w.settle();
    expect(channel.arrived()).toMatchObject([{ template: { name: "hello", language: { code: "pt_BR" } } }]);
    expect(JSON.stringify(channel.arrived())).not.toContain("components");
    expect(made(await w.platform(`/v1/messages/${messageId}`, { key: who.key }), 200).content).toEqual({
      name: "hello",
      language: "pt_BR",
    });
  });

  test("P-234 audio is no voice note where nobody says so", async () => {
    const channel = await newChannel.CHAT_WABA();
    await connect(w, who, channel.channelId);
    for (const ptt of [undefined, false])
      made(await sendAs(w, { key: who.key, channelId: channel.channelId, type: "audio" }, { ptt }), 202);
    await w.settle();
    expect(channel.arrived()).toMatchObject([{ audio: { link: SENDS["audio"]?.body["mediaUrl"] } }, {}]);
    expect(JSON.stringify(channel.arrived())).not.toContain("voice");
  });

  test.each(ON_BOTH)("GAP-C12 %s %s: fields of %s that this API does not know are ignored", async (type, send) => {
    const channel = await newChannel[type]();
    const others = {
      mediaId: "1",
      mediaHandle: "2",
      mimeType: "x/y",
      quotedMessageId: "x",
      header: 7,
      components: 7,
      content: { text: 1 },
      type: "flow",
    };
    await connect(w, who, channel.channelId);
    made(await sendAs(w, { key: who.key, channelId: channel.channelId, type: send }, others), 202);
    await w.settle();
    expect(channel.arrived()).toEqual([expect.objectContaining(expectedAt(type, send))]);
  });

  test("GAP-C09 a file may be at an address that the operator allows, by http too", async () => {
    const channel = await newChannel.CHAT_SESSION();
    made(
      await sendAs(
        w,
        { key: who.key, channelId: channel.channelId, type: "image" },
        { mediaUrl: "http://127.0.0.1:9/a.jpg" },
      ),
      202,
    );
  });
});
