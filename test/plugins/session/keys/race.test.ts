import { describe, expect, test } from "bun:test";
import { shareOf } from "../../../support/rounds.ts";
import { type KeyDisk, keyDisk } from "../../../support/session/key-disk.ts";
import { introduce, type Party, party, textsOn } from "../../../support/session/signal-party.ts";

/** Of group messages: 200 in CI. Each costs 10 ms, for it is signed, and its signature checked. */
const GROUP_MESSAGES = shareOf(200);

/**
 * Sends `count` messages, `atOnce` at a time; each arrives as soon as it is encrypted, and in the order of its chat.
 */
const talk = async (
  from: Party,
  to: Party,
  { name, count, atOnce = 8 }: { name: string; count: number; atOnce?: number },
): Promise<void> => {
  let next = 0;
  let arrived = Promise.resolve();
  const writer = async () => {
    while (next < count) {
      const text = `${name} ${next++}`;
      const stanza = await from.write(to.jid, text);
      arrived = arrived.then(async () => void (await to.postInbound(stanza)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, writer));
  await arrived;
};

const expected = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`).sort();
const textsReadBy = (disk: KeyDisk, name: string): string[] =>
  textsOn(disk)
    .filter((text) => text.startsWith(`${name} `))
    .sort();

describe("keys that are slow to read and to write", () => {
  test("5.1 nothing is undecryptable when 1,000 messages are sent while 1,000 come", async () => {
    const disks = [keyDisk({ yields: 15, seed: 1 }), keyDisk({ yields: 15, seed: 2 })] as const;
    const [channel, contact] = [
      await party("5511900000001:3@s.whatsapp.net", disks[0]),
      await party("111@lid", disks[1]),
    ];
    await introduce(channel, contact);
    await contact.postInbound(await channel.write(contact.jid, "first"));
    await Promise.all([
      talk(channel, contact, { name: "out", count: 1000 }),
      talk(contact, channel, { name: "in", count: 1000 }),
    ]);
    expect(textsReadBy(disks[1], "out")).toEqual(expected("out", 1000));
    expect(textsReadBy(disks[0], "in")).toEqual(expected("in", 1000));
    expect([...channel.ends, ...contact.ends]).toEqual([]);
  }, 120_000);

  test("5.15 two channels of one process and one contact: no counter is used twice, nothing is lost", async () => {
    const disks = [
      keyDisk({ yields: 6, seed: 3 }),
      keyDisk({ yields: 6, seed: 4 }),
      keyDisk({ yields: 6, seed: 5 }),
    ] as const;
    const channels = [
      await party("5511900000001:3@s.whatsapp.net", disks[0]),
      await party("5511900000002:5@s.whatsapp.net", disks[1]),
    ] as const;
    const contact = await party("111@lid", disks[2]);
    for (const channel of channels) {
      await introduce(channel, contact);
      await contact.postInbound(await channel.write(contact.jid, "first"));
    }
    const talks = channels.flatMap((channel, index) => [
      talk(channel, contact, { name: `out${index}`, count: 300 }),
      talk(contact, channel, { name: `in${index}`, count: 300 }),
    ]);
    await Promise.all(talks);
    for (const [index] of channels.entries()) {
      expect(textsReadBy(disks[2], `out${index}`)).toEqual(expected(`out${index}`, 300));
      expect(textsReadBy(disks[index] as KeyDisk, `in${index}`)).toEqual(expected(`in${index}`, 300));
    }
  }, 120_000);

  test("5.1 nothing of a group is undecryptable when its members write at once", async () => {
    const group = "120363000000000001@g.us";
    const disks = [keyDisk({ yields: 15, seed: 6 }), keyDisk({ yields: 15, seed: 7 })] as const;
    const members = [
      await party("5511900000001:3@s.whatsapp.net", disks[0]),
      await party("111@lid", disks[1]),
    ] as const;
    const [one, other] = members;
    await introduce(one, other);
    const write = async (from: Party, to: Party, name: string) => {
      const { skdm } = await from.writeTo(group, "lost");
      await to.postInbound(await from.write(to.jid, skdm));
      const parts = await Promise.all(
        Array.from(
          { length: GROUP_MESSAGES },
          async (_, index) => (await from.writeTo(group, `${name} ${index}`)).skmsg,
        ),
      );
      const stanzas = parts.map((part, index) => ({
        tag: "message",
        attrs: { id: `${name}${index}`, from: group, participant: from.jid, t: "1" },
        content: [part],
      }));
      await Promise.all(stanzas.map((stanza) => to.postInbound(stanza)));
    };
    await Promise.all([
      write(one, other, "out"),
      other.postInbound(await one.write(other.jid, "first")).then(() => write(other, one, "in")),
    ]);
    expect(textsReadBy(disks[1], "out")).toEqual(expected("out", GROUP_MESSAGES));
    expect(textsReadBy(disks[0], "in")).toEqual(expected("in", GROUP_MESSAGES));
  }, 120_000);
});
