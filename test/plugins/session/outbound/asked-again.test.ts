import { describe, expect, test } from "bun:test";
import { cachedMessage } from "../../../../plugins/session/message-cache.ts";
import { type ReceivingChannel, receivingChannel, sendText } from "../../../support/session/receiving.ts";
import { type Contact, stanza } from "../../../support/whatsapp/index.ts";

const channel = receivingChannel();

/** Somebody says that they could not read a message, and the session has dealt with it when this resolves. */
const askAgain = async (
  { phone, net }: ReceivingChannel,
  { id, ...attrs }: { id: string; from: string; participant?: string },
): Promise<void> => {
  const acked = () => net.stat.acks.filter((ack) => ack.id === id).length;
  const before = acked();
  phone.notify(
    stanza("receipt", { ...attrs, id, type: "retry", t: "1795000000" }, [
      stanza("retry", { count: "1", id, t: "1795000000", v: "1" }),
    ]),
  );
  await net.until(() => acked() > before);
};

/** Everything that Baileys remembers of what it sent is gone. */
const restart = async ({ link, net }: ReceivingChannel): Promise<void> => {
  const { logins } = net.stat;
  await link.close();
  link.connect();
  await net.until(() => net.stat.logins > logins);
};

const idsOf = ({ received }: Contact) => received.map(({ id }) => id);

describe("a message that somebody could not read", () => {
  test("is sent to them again under its id, after a restart too", async () => {
    const all = channel();
    const key = await sendText(all, `pn:${all.ana.pn}`, "olá");
    await all.ana.until(({ id }) => id === key);
    await restart(all);
    await askAgain(all, { id: key, from: all.ana.lidJid });
    await all.net.until(() => all.ana.repeats.includes(key));
  });

  test("of a group is sent again to the member who asks", async () => {
    const all = channel();
    const group = all.net.group({ subject: "Equipe", members: [all.phone, all.ana, all.bia] });
    const key = await sendText(all, `group:${group.jid.replace("@g.us", "")}`, "olá");
    await all.bia.until(({ id }) => id === key);
    await restart(all);
    await askAgain(all, { id: key, from: group.jid, participant: all.bia.lidJid });
    await all.net.until(() => all.bia.repeats.includes(key));
  });

  test("is sent to nobody else who knows its id, nor is one that was received", async () => {
    const all = channel();
    const { ana, bia, phone, host } = all;
    const own = await sendText(all, `pn:${bia.pn}`, "oi");
    const [sent, received] = [await sendText(all, `pn:${ana.pn}`, "olá"), await ana.say("oi", { to: phone })];
    await host.until(() => host.events.some(({ kind }) => kind === "received"));
    for (const id of [sent, received]) await askAgain(all, { id, from: bia.lidJid });
    await askAgain(all, { id: own, from: bia.lidJid });
    await all.net.until(() => bia.repeats.includes(own));
    expect(new Set(idsOf(bia))).toEqual(new Set([own]));
  });
});

describe("what the owner writes on the phone", () => {
  test("is kept as the other side has it, out of its wrapping", async () => {
    const { ana, bia, phone, host } = channel();
    const id = await phone.say("olá", { to: ana });
    await bia.say("fim", { to: phone });
    await host.until(() => host.events.some(({ kind }) => kind === "received"));
    const copy = await cachedMessage(await host.vault.openKeyStore(), id as never);
    expect(copy).toMatchObject({ key: { fromMe: true, remoteJidAlt: ana.jid }, message: { conversation: "olá" } });
  });
});
