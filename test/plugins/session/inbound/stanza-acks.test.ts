import { describe, expect, test } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import type { Received } from "../../../../src/contract/events.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, PN, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { linked } from "../../../support/whatsapp/baileys.ts";
import { type Linked, type Stanza, stanza } from "../../../support/whatsapp/index.ts";

const channel = unpairedChannel();
const NEWSLETTER = "120363144038483540@newsletter";
const ANA = "5511911110001";

const garbage = (): Stanza => stanza("enc", { v: "2", type: "msg" }, randomBytes(64));
const message = (from: string, attrs: Record<string, string>, content: Stanza[]): Stanza =>
  stanza("message", { from, id: randomUUID(), type: "media", t: "1795000000", ...attrs }, content);

const broadcasts = (): Stanza[] => [
  message("status@broadcast", { participant: `${ANA}@s.whatsapp.net` }, [garbage()]),
  message(NEWSLETTER, { server_id: "7" }, [stanza("plaintext", {}, Buffer.from([10, 1, 97]))]),
  stanza("status", { from: NEWSLETTER, id: randomUUID(), type: "media", t: "1795000000" }, [stanza("meta")]),
];

const deviceOf = ({ phone }: Pick<UnpairedChannel, "phone">): Linked => {
  const device = phone.devices.at(-1);
  if (!device) throw new Error("no device is linked");
  return device;
};

const orderTo = ({ link }: UnpairedChannel, to: string): SendOrder => {
  const key = link.providerMessageIdFor?.(randomUUID());
  return {
    type: "text",
    content: { text: "olá" },
    messageId: "6a0c2b1e-0000-4000-8000-000000000001",
    to,
    ...(key === undefined ? {} : { key }),
  };
};

describe("what a session ignores", () => {
  test("W26-5 is acknowledged without an error, and no queue of the network waits behind it", async () => {
    const all = channel();
    const ana = all.net.contact({ pn: ANA, name: "Ana" });
    await all.pair();
    const device = deviceOf(all);
    const sent = broadcasts();
    for (const one of sent) device.deliver(one);
    const ids = sent.map(({ attrs }) => attrs["id"] ?? "");
    await all.net.until(() => ids.every((id) => all.net.stat.acks.some((ack) => ack.id === id)));
    expect(all.net.stat.acks.filter(({ id }) => ids.includes(id)).map(({ type, error }) => [type, error])).toEqual([
      ["message", undefined],
      ["message", undefined],
      ["status", undefined],
    ]);
    expect(all.host.unknowns).toEqual([]);
    all.phone.cut();
    await ana.say("depois", { to: all.phone });
    await all.host.until(() => all.host.reports.at(-1)?.state === "CONNECTING");
    await all.pass(SECOND_MS);
    await all.reported(CONNECTED);
    const texts = () => all.host.events.filter((event): event is Received => event.kind === "received");
    await all.host.until(() => texts().length > 0);
    expect(texts()[0]?.content).toEqual({ type: "text", content: { text: "depois" } });
    await all.net.until(() => device.queued === 0);
  });

  test("W26-5 is acknowledged without an error also where it is read and cannot be decrypted", async () => {
    const all = channel();
    all.net.contact({ pn: ANA });
    const client = await linked(all.net, PN, { shouldIgnoreJid: () => false });
    const device = await all.phone.open();
    const [status] = broadcasts();
    if (!status) throw new Error("there is one");
    device.deliver({ ...status, attrs: { ...status.attrs, t: String(Math.floor(Date.now() / 1000)) } });
    await all.net.until(() => all.net.stat.acks.some(({ id }) => id === status.attrs["id"]));
    expect(all.net.stat.acks.find(({ id }) => id === status.attrs["id"])?.error).toBeUndefined();
    client.end();
  });

  test("W26-5 the network's ping of a stream is answered, before the pairing too", async () => {
    const all = channel();
    const pongs: string[] = [];
    all.net.watch((sent) => {
      if (sent.tag === "iq" && sent.attrs["type"] === "result") pongs.push(sent.attrs["id"] ?? "");
    });
    all.link.connect();
    await all.qr();
    all.net.pingVisitors("ping-1");
    await all.net.until(() => pongs.includes("ping-1"));
  });
});

describe("what the network says is old", () => {
  test("W26-14 a group refused with 421 is asked about once, and its message goes once more", async () => {
    const all = channel();
    const ana = all.net.contact({ pn: ANA });
    await all.pair();
    const group = all.net.group({ subject: "Equipe", members: [all.phone, ana] });
    const to = `group:${group.jid.split("@", 1)[0]}`;
    expect(await all.link.send(orderTo(all, to))).toMatchObject({ ok: true });
    const asked = all.net.stat.iqs["w:g2"] ?? 0;
    all.net.faults.nack(421, undefined, { times: 1 });
    const order = orderTo(all, to);
    expect(await all.link.send(order)).toEqual({ ok: true, key: order.key ?? ("" as never) });
    await ana.until(({ id }) => id === order.key);
    expect((all.net.stat.iqs["w:g2"] ?? 0) - asked).toBe(1);
    expect(ana.received.filter(({ id }) => id === order.key).length).toBe(1);
    all.net.faults.nack(421);
    expect(await all.link.send(orderTo(all, to))).toMatchObject({ kind: "refused", upstreamCode: 421 });
  });

  test("W26-14 an ack with refresh_lid asks for the number once, whatever follows within a minute", async () => {
    const all = channel();
    const ana = all.net.contact({ pn: ANA });
    await all.pair();
    // the first goes to the number, the second to the LID that came with its devices
    for (const _ of [1, 2]) expect(await all.link.send(orderTo(all, `pn:${ANA}`))).toMatchObject({ ok: true });
    await ana.until(() => true);
    const before = all.net.stat.usync.length;
    all.net.faults.staleLid({ times: 2 });
    for (const _ of [1, 2]) expect(await all.link.send(orderTo(all, `pn:${ANA}`))).toMatchObject({ ok: true });
    await all.net.until(() => all.net.stat.usync.length > before);
    expect(await all.link.send(orderTo(all, `pn:${ANA}`))).toMatchObject({ ok: true });
    expect(all.net.stat.usync.slice(before).map(({ users }) => users)).toEqual([[ana.jid]]);
  });

  test("W26-5 a device without keys at the network (406) is looked up anew, and the message goes once more", async () => {
    const all = channel();
    const ana = all.net.contact({ pn: ANA });
    await all.pair();
    let refusals = 0;
    all.net.faults.answerIq(
      ({ attrs, content }) => {
        const isKeys = attrs["xmlns"] === "encrypt" && Array.isArray(content) && content[0]?.tag === "key";
        if (isKeys) refusals += 1;
        return isKeys
          ? stanza("iq", { type: "error" }, [stanza("error", { code: "406", text: "not-acceptable" })])
          : undefined;
      },
      { times: 1 },
    );
    const order = orderTo(all, `pn:${ANA}`);
    expect(await all.link.send(order)).toMatchObject({ ok: true });
    expect(refusals).toBe(1);
    await ana.until(({ id }) => id === order.key);
  });
});

describe("what Baileys would ask for ever", () => {
  test("W26-13 an answer about app state that names nothing is asked for at most twice", async () => {
    const all = channel();
    const client = await linked(all.net, PN);
    await all.phone.open();
    let asked = 0;
    all.net.faults.answerIq(({ attrs }) => {
      if (attrs["xmlns"] !== "w:sync:app:state") return undefined;
      asked += 1;
      return stanza("iq", { type: "result" }, []);
    });
    await client.sock.resyncAppState(["regular_high", "regular_low"], false);
    expect(asked).toBe(1);
    client.end();
  });

  test("W26-13 more patches that are promised and do not come are not asked for again", async () => {
    const all = channel();
    const client = await linked(all.net, PN);
    await all.phone.open();
    let asked = 0;
    all.net.faults.answerIq(({ attrs }) => {
      if (attrs["xmlns"] !== "w:sync:app:state") return undefined;
      asked += 1;
      const collection = stanza("collection", { name: "regular_high", version: "0", has_more_patches: "true" });
      return stanza("iq", { type: "result" }, [stanza("sync", {}, [collection])]);
    });
    await client.sock.resyncAppState(["regular_high"], false);
    expect(asked).toBeLessThanOrEqual(2);
    client.end();
  });

  test("W26-13 a channel that was created without a picture has its id", async () => {
    const all = channel();
    const client = await linked(all.net, PN);
    await all.phone.open();
    const thread = {
      id: NEWSLETTER,
      state: { type: "ACTIVE" },
      thread_metadata: {
        name: { text: "Ofertas" },
        description: { text: "" },
        creation_time: "1795000000",
        subscribers_count: "1",
        verification: "UNVERIFIED",
        invite: "abc",
        picture: null,
      },
      viewer_metadata: { mute: "OFF" },
    };
    all.net.faults.answerIq(({ attrs }) =>
      attrs["xmlns"] === "w:mex"
        ? stanza("iq", { type: "result" }, [
            stanza("result", {}, Buffer.from(JSON.stringify({ data: { xwa2_newsletter_create: thread } }))),
          ])
        : undefined,
    );
    expect(await client.sock.newsletterCreate("Ofertas")).toMatchObject({ id: NEWSLETTER, name: "Ofertas" });
    client.end();
  });
});
