import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";
import type { ChannelEvent, ProviderMessageId } from "../../../../src/contract/events.ts";
import type { KeyChanges } from "../../../../src/contract/ports/key-store.ts";
import { AppError } from "../../../../src/kernel/errors.ts";
import { keyDisk } from "../../../support/session/key-disk.ts";
import { received, receivingChannel } from "../../../support/session/receiving.ts";
import { introduce, party, textsOn } from "../../../support/session/signal-party.ts";

const POISON = "poison";
const isPoison = (event: ChannelEvent): boolean =>
  (event.kind === "received" && event.content.type === "text" && event.content.content.text === POISON) ||
  (event.kind === "receipt" && event.key === POISON);
const bringsPoison = ({ events = [] }: KeyChanges): boolean => events.some(isPoison);

/** A channel and somebody who has a session with it. */
const acquainted = async () => {
  const disk = keyDisk();
  const [channel, contact] = [await party("5511900000001:3@s.whatsapp.net", disk), await party("111@lid", keyDisk())];
  await introduce(contact, channel);
  await channel.postInbound(await contact.write(channel.jid, "first"));
  return { disk, channel, contact };
};

describe("an event that is never taken in", () => {
  test("is unknown the third time, with its keys in one write, and what comes after it is published", async () => {
    const { disk, channel, contact } = await acquainted();
    const stanza = await contact.write(channel.jid, POISON);
    disk.refuse(bringsPoison);
    for (const _ of [1, 2]) {
      const before = new Map(disk.rows);
      expect(await channel.postInbound(stanza)).toBe(0);
      expect(disk.rows).toEqual(before);
      expect(channel.ends.length).toBeGreaterThan(0);
      channel.ends.length = 0; // the next socket
    }
    expect(await channel.postInbound(stanza)).toBe(1);
    expect(channel.ends).toEqual([]);
    expect(disk.writes.at(-1)).toMatchObject({ rows: [{ kind: "session" }], events: [{ kind: "unknown" }] });
    expect(channel.logLines.filter((line) => line.includes("are skipped"))).toHaveLength(1);
    expect(channel.logLines.join()).not.toContain(POISON);
    expect(await channel.postInbound(await contact.write(channel.jid, "on"))).toBe(1);
    expect(textsOn(disk)).toEqual(["first", "on"]);
  });

  test("is not given up while nothing can be written", async () => {
    const { disk, channel, contact } = await acquainted();
    const stanza = await contact.write(channel.jid, "kept");
    disk.refuse(() => true);
    for (let tries = 0; tries < 10; tries++) {
      expect(await channel.postInbound(stanza)).toBe(0);
      channel.ends.length = 0;
    }
    disk.refuse(() => false);
    expect(await channel.postInbound(stanza)).toBe(1);
    expect(textsOn(disk)).toEqual(["first", "kept"]);
    expect(channel.logLines.join()).not.toContain("are skipped");
  });

  test("is not given up while the database says that it is overloaded", async () => {
    const { disk, channel, contact } = await acquainted();
    const stanza = await contact.write(channel.jid, "kept");
    disk.refuse(({ events = [] }) => {
      if (events.some(({ kind }) => kind === "received")) throw new AppError("OVERLOADED");
      return false;
    });
    for (let tries = 0; tries < 5; tries++) {
      expect(await channel.postInbound(stanza)).toBe(0);
      channel.ends.length = 0;
    }
    disk.refuse(() => false);
    expect(await channel.postInbound(stanza)).toBe(1);
    expect(textsOn(disk)).toEqual(["first", "kept"]);
  });

  test("goes alone: all that is written with it is published", async () => {
    const { disk, channel } = await acquainted();
    disk.events.length = 0;
    disk.refuse(bringsPoison);
    const receipt = (key: string): ChannelEvent => ({
      kind: "receipt",
      key: key as ProviderMessageId,
      at: 1,
      status: "read",
    });
    const write = () => channel.keys.keyStore.write({ events: ["1", POISON, "2"].map(receipt) });
    for (const _ of [1, 2])
      expect(await write().catch(({ message }: Error) => message)).toBe("the disk refuses the write");
    await write();
    expect(disk.events).toEqual([
      receipt("1"),
      receipt("2"),
      { kind: "unknown", at: 1, what: "receipt that cannot be stored" },
    ]);
  });
});

describe("a session", () => {
  const channel = receivingChannel();

  test("does not come back for ever to a message that is never taken in", async () => {
    const { ana, bia, phone, host, link, net } = channel();
    host.refuse(isPoison);
    const id = await ana.say(POISON, { to: phone });
    await bia.say("fim", { to: phone });
    for (const logins of [2, 3]) {
      await net.until(() => net.stat.connections === 0);
      // a session that has not found its end yet is left alone
      for (; net.stat.logins < logins; await nextTurn()) link.connect();
    }
    expect(await received(host, "received")).toMatchObject([{ content: { content: { text: "fim" } } }]);
    expect(await received(host, "unknown")).toHaveLength(1);
    await net.until(() => net.stat.receipts.some((receipt) => receipt.id === id));
  });
});
