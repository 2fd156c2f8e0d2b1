import { describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import { type ReceivingChannel, received, receivingChannel } from "../../../support/session/receiving.ts";
import { stanza } from "../../../support/whatsapp/index.ts";

const NEWSLETTER = "120363000000000009";
const IMAGE: proto.IMessage = {
  imageMessage: { mimetype: "image/jpeg", caption: "praia", directPath: "/v/1", mediaKey: Buffer.alloc(32, 1) },
};

/** A newsletter that the owner follows posts something; waits until the device has acknowledged it. */
const post = async ({ phone, net }: ReceivingChannel, id: string, message: proto.IMessage): Promise<void> => {
  const attrs = { from: `${NEWSLETTER}@newsletter`, id, server_id: "7", type: "text", t: "1795000000" };
  const plaintext = stanza("plaintext", {}, proto.Message.encode(message).finish());
  const [device] = phone.devices;
  const before = net.stat.acks.filter((ack) => ack.id === id).length;
  device?.deliver(stanza("message", attrs, [plaintext]));
  await net.until(() => net.stat.acks.filter((ack) => ack.id === id).length > before);
};

describe("W26-5 without a wish for them, statuses and posts are", () => {
  const channel = receivingChannel();

  test("no events, and acknowledged without an error", async () => {
    const all = channel();
    const { net, ana, phone, host } = all;
    const id = await ana.say("na praia", { to: net.status(ana, [phone]) });
    await net.until(() => net.stat.acks.some((ack) => ack.id === id));
    await post(all, "POST1", { conversation: "novidades" });
    await ana.say("fim", { to: phone });
    await received(host, "received");
    expect(host.events.map(({ kind }) => kind)).toEqual(["received"]);
  });
});

describe("with a wish for them", () => {
  const channel = receivingChannel({ receives: ["statuses", "newsletters"] });

  test("a status is an event of its own, and nothing is kept of it", async () => {
    const { net, ana, phone, host } = channel();
    const [text, image] = [
      await ana.say("na praia", { to: net.status(ana, [phone]) }),
      await ana.sendProto(IMAGE, { to: net.status(ana, [phone]) }),
    ];
    const who = { from: { pn: ana.pn, lid: ana.lid }, pushName: "Ana" };
    expect(await received(host, "broadcast", 2)).toMatchObject([
      { key: text, ...who, content: { type: "text", content: { text: "na praia" } } },
      { key: image, ...who, content: { type: "image", content: { mimeType: "image/jpeg", caption: "praia" } } },
    ] as never);
    const keyStore = await host.vault.openKeyStore();
    expect(await keyStore.cachedMessage(text as never)).toBeUndefined();
    expect(host.events.filter(({ kind }) => kind === "received")).toEqual([]);
  });

  test("the owner's own status is none", async () => {
    const { net, ana, phone, host } = channel();
    await phone.say("meu", { to: net.status(phone, [ana]) });
    await ana.say("fim", { to: phone });
    await received(host, "received");
    expect(host.events.filter(({ kind }) => kind === "broadcast")).toEqual([]);
  });

  test("a post is an event of the newsletter, on disk before it is acknowledged", async () => {
    const all = channel();
    const { host, net } = all;
    host.hold();
    const acknowledged = post(all, "POST2", { conversation: "novidades" });
    await host.until(() => host.openEmits === 1);
    expect(net.stat.acks.some(({ id }) => id === "POST2")).toBe(false);
    host.release();
    await acknowledged;
    expect(host.events).toMatchObject([
      {
        kind: "broadcast",
        key: "POST2",
        at: 1_795_000_000_000,
        newsletter: NEWSLETTER,
        content: { type: "text", content: { text: "novidades" } },
      } as never,
    ]);
  });
});
