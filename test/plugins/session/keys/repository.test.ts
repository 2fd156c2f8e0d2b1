import { describe, expect, test } from "bun:test";
import { KeyStoreLost } from "../../../../src/contract/ports/key-store.ts";
import { keyDisk } from "../../../support/session/key-disk.ts";
import { emitText, introduce, party, textsOn } from "../../../support/session/signal-party.ts";

const CHANNEL = "5511900000001:3@s.whatsapp.net";
const CONTACT = "111@lid";
const GROUP = "120363000000000001@g.us";

/** A channel and a contact who have written to each other. */
const acquainted = async () => {
  const [disk, contactDisk] = [keyDisk(), keyDisk()];
  const [channel, contact] = [await party(CHANNEL, disk), await party(CONTACT, contactDisk)];
  await introduce(channel, contact);
  await contact.postInbound(await channel.write(contact.jid, "first"));
  return { disk, contactDisk, channel, contact };
};

describe("what is decrypted", () => {
  test("5.16 is written with the keys in one write, before it is acknowledged", async () => {
    const { disk, channel, contact } = await acquainted();
    disk.writes.length = 0;
    expect(await channel.postInbound(await contact.write(channel.jid, "hello"))).toBe(1);
    expect(disk.writes).toHaveLength(1);
    expect(disk.writes[0]?.events).toHaveLength(1);
    expect(disk.writes[0]?.rows?.map(({ kind }) => kind)).toEqual(["session"]);
  });

  test("5.16 the process dies before the write: the message comes again and is published once", async () => {
    const { disk, channel, contact } = await acquainted();
    const stanza = await contact.write(channel.jid, "hello");
    const before = new Map(disk.rows);
    disk.failNext("before");
    expect(await channel.postInbound(stanza)).toBe(0);
    expect(disk.rows).toEqual(before);
    expect(channel.ends).toHaveLength(1);
    const restarted = await party(CHANNEL, disk);
    expect(await restarted.postInbound(stanza)).toBe(1);
    expect(textsOn(disk)).toEqual(["hello"]);
  });

  test("5.16 the process dies before the acknowledgement: the message comes again and is published once", async () => {
    const { disk, channel, contact } = await acquainted();
    const stanza = await contact.write(channel.jid, "hello");
    disk.failNext("after");
    expect(await channel.postInbound(stanza)).toBe(0);
    expect(channel.ends).toHaveLength(1);
    const restarted = await party(CHANNEL, disk);
    expect(await restarted.postInbound(stanza)).toBe(0);
    expect(textsOn(disk)).toEqual(["hello"]);
    expect(await restarted.postInbound(await contact.write(channel.jid, "and on"))).toBe(1);
    expect(textsOn(disk)).toEqual(["hello", "and on"]);
  });

  test("a first message that cannot be written leaves the pre-key and the identity as they were", async () => {
    const [disk, contact] = [keyDisk(), await party(CONTACT, keyDisk())];
    const channel = await party(CHANNEL, disk);
    await introduce(contact, channel);
    const stanza = await contact.write(channel.jid, "hello");
    const before = new Map(disk.rows);
    disk.failNext("before");
    expect(await channel.postInbound(stanza)).toBe(0);
    expect(disk.rows).toEqual(before);
    expect([...before.keys()]).toContain("pre-key/1");
    const restarted = await party(CHANNEL, disk);
    expect(await restarted.postInbound(stanza)).toBe(1);
    expect([...disk.rows.keys()]).not.toContain("pre-key/1");
  });

  test("what cannot be decrypted changes nothing, and keeps nothing later from being decrypted", async () => {
    const { disk, channel, contact } = await acquainted();
    const stanza = await contact.write(channel.jid, "hello");
    const spoilt = structuredClone(stanza);
    const part = (spoilt.content as { content: Uint8Array }[])[0];
    if (part) part.content = Buffer.from(part.content).fill(7, part.content.length - 12);
    const before = new Map(disk.rows);
    expect(await channel.postInbound(spoilt)).toBe(0);
    expect(disk.rows).toEqual(before);
    expect(channel.ends).toEqual([]);
    expect(await channel.postInbound(stanza)).toBe(1);
  });

  test("keys that cannot be read end the socket: the message is neither refused nor asked for again", async () => {
    const { disk, channel, contact } = await acquainted();
    const stanza = await contact.write(channel.jid, "hello");
    disk.breakReads();
    expect(await channel.postInbound(stanza)).toBe(0);
    expect(channel.ends.length).toBeGreaterThan(0);
  });

  test("a message that cannot be read is published as unknown, and the next one is read", async () => {
    const disk = keyDisk();
    const channel = await party(CHANNEL, disk, async (stanza, message, activeSocket) => {
      if (message.conversation === "poison") throw new Error("no way to read this");
      return emitText(stanza, message, activeSocket);
    });
    const contact = await party(CONTACT, keyDisk());
    await introduce(contact, channel);
    expect(await channel.postInbound(await contact.write(channel.jid, "poison"))).toBe(1);
    expect(await channel.postInbound(await contact.write(channel.jid, "hello"))).toBe(1);
    expect(disk.events.map(({ kind }) => kind)).toEqual(["unknown", "received"]);
    expect(channel.ends).toEqual([]);
  });

  test("a socket that is not the current one reads nothing", async () => {
    const { disk, channel, contact } = await acquainted();
    channel.ends.push(undefined);
    const before = new Map(disk.rows);
    expect(await channel.postInbound(await contact.write(channel.jid, "hello"))).toBe(0);
    expect(disk.rows).toEqual(before);
    expect(disk.events).toEqual([]);
  });
});

describe("a second owner of the key store", () => {
  test("the first one encrypts nothing, and its socket ends", async () => {
    const { disk, channel, contact } = await acquainted();
    const second = await party(CHANNEL, disk);
    const before = new Map(disk.rows);
    expect(await channel.write(contact.jid, "too late").catch((error: unknown) => error)).toBeInstanceOf(KeyStoreLost);
    expect(disk.rows).toEqual(before);
    expect(channel.ends[0]).toBeInstanceOf(KeyStoreLost);
    expect(await contact.postInbound(await second.write(contact.jid, "mine"))).toBe(1);
  });

  test("the first one decrypts nothing, and the second one reads the message", async () => {
    const { disk, channel, contact } = await acquainted();
    const second = await party(CHANNEL, disk);
    const stanza = await contact.write(channel.jid, "hello");
    expect(await channel.postInbound(stanza)).toBe(0);
    expect(textsOn(disk)).toEqual([]);
    expect(channel.ends[0]).toBeInstanceOf(KeyStoreLost);
    expect(await second.postInbound(stanza)).toBe(1);
    expect(textsOn(disk)).toEqual(["hello"]);
  });
});

describe("what is encrypted", () => {
  test("is on disk before it can leave: after a crash no counter is used again", async () => {
    const { disk, channel, contact } = await acquainted();
    const stanza = await channel.write(contact.jid, "before the crash");
    const restarted = await party(CHANNEL, disk);
    expect(await contact.postInbound(await restarted.write(contact.jid, "after the crash"))).toBe(1);
    expect(await contact.postInbound(stanza)).toBe(1);
  });

  test("5.2 keys that their device did not sign begin no session", async () => {
    const disk = keyDisk();
    const [channel, contact] = [await party(CHANNEL, disk), await party(CONTACT, keyDisk())];
    const bundle = await contact.bundle();
    const forged = {
      ...bundle,
      signedPreKey: {
        ...bundle.signedPreKey,
        publicKey: (await (await party("222@lid", keyDisk())).bundle()).signedPreKey.publicKey,
      },
    };
    await channel.repository.injectE2ESession({ jid: contact.jid, session: forged });
    expect([...disk.rows.keys()]).toEqual(["creds/creds"]);
    expect(await channel.repository.validateSession(contact.jid)).toMatchObject({ exists: false });
    expect(channel.logLines.join()).toContain("not signed");
  });
});

describe("groups", () => {
  const inGroup = async () => {
    const { disk, channel, contact } = await acquainted();
    const member = async (text: string, brings: boolean) => {
      const { skmsg, skdm } = await contact.writeTo(GROUP, text);
      const { content } = await contact.write(channel.jid, skdm);
      const parts = brings && Array.isArray(content) ? [...content, skmsg] : [skmsg];
      return { tag: "message", attrs: { id: text, from: GROUP, participant: contact.jid, t: "1" }, content: parts };
    };
    return { disk, channel, member };
  };

  test("a member's key and what it encrypts come in one stanza, and are read part by part", async () => {
    const { disk, channel, member } = await inGroup();
    expect(await channel.postInbound(await member("hello all", true))).toBe(2);
    expect(await channel.postInbound(await member("again", false))).toBe(1);
    expect(textsOn(disk)).toEqual(["hello all", "again"]);
  });

  test("5.16 the process dies between the two parts: the key was taken with the part that brought it", async () => {
    const { disk, channel, member } = await inGroup();
    const stanza = await member("hello all", true);
    const [bringing, part] = stanza.content;
    if (!bringing || !part) throw new Error("a part is missing");
    expect(await channel.postInbound({ ...stanza, content: [bringing] })).toBe(1);
    const restarted = await party(CHANNEL, disk);
    expect(await restarted.postInbound(stanza)).toBe(1);
    expect(textsOn(disk)).toEqual(["hello all"]);
  });
});

describe("LIDs", () => {
  const NUMBER = "5511911110001@s.whatsapp.net";

  test("a number is written to under its LID once that is known", async () => {
    const { channel, contact } = await acquainted();
    await channel.repository.lidMapping.storeLIDPNMappings([{ pn: NUMBER, lid: CONTACT }]);
    expect(await contact.postInbound(await channel.write(NUMBER, "hello"))).toBe(1);
  });

  test("a session under a number moves to its LID, and goes on there while it is used", async () => {
    const disk = keyDisk({ yields: 5 });
    const [channel, contact] = [await party(CHANNEL, disk), await party(CONTACT, keyDisk())];
    await channel.repository.injectE2ESession({ jid: NUMBER, session: await contact.bundle() });
    await channel.keys.auth.keys.set({ "device-list": { "5511911110001": ["0"] } });
    const stanzas = [await channel.write(NUMBER, "1")];
    const writing = Array.from({ length: 20 }, (_, index) =>
      channel.write(NUMBER, `during ${index}`).catch(() => undefined),
    );
    await channel.repository.lidMapping.storeLIDPNMappings([{ pn: NUMBER, lid: CONTACT }]);
    expect(await channel.repository.migrateSession(NUMBER, CONTACT)).toMatchObject({ migrated: 1 });
    for (const stanza of await Promise.all(writing)) if (stanza) stanzas.push(stanza);
    stanzas.push(await channel.write(CONTACT, "after"));
    for (const stanza of stanzas) expect(await contact.postInbound(stanza)).toBe(1);
    expect([...disk.rows.keys()].filter((row) => row.startsWith("session/"))).toEqual(["session/111_1.0"]);
  });

  test("a session under a number never takes the place of one that was begun under the LID", async () => {
    const { disk, channel, contact } = await acquainted();
    await channel.repository.injectE2ESession({ jid: NUMBER, session: await contact.bundle() });
    const before = disk.rows.get("session/111_1.0");
    await channel.keys.auth.keys.set({ "device-list": { "5511911110001": ["0"] } });
    await channel.repository.lidMapping.storeLIDPNMappings([{ pn: NUMBER, lid: CONTACT }]);
    expect(await channel.repository.migrateSession(NUMBER, CONTACT)).toMatchObject({ migrated: 0 });
    expect(disk.rows.get("session/111_1.0")).toBe(before as string);
  });

  test("moving, deleting and writing at once leave nobody waiting", async () => {
    const { channel, contact } = await acquainted();
    const devices = ["0", "1", "2", "3"];
    await channel.keys.auth.keys.set({ "device-list": { "5511911110001": devices } });
    await channel.repository.lidMapping.storeLIDPNMappings([{ pn: NUMBER, lid: "222@lid" }]);
    const jids = devices.map((device) => `5511911110001:${device}@s.whatsapp.net`);
    const work = Array.from({ length: 30 }, (_, index) => [
      channel.repository.migrateSession(jids[index % 4] ?? NUMBER, "222@lid"),
      channel.repository.deleteSession(index % 2 ? jids : jids.toReversed()),
      channel.write(contact.jid, "on and on"),
    ]);
    expect((await Promise.allSettled(work.flat())).filter(({ status }) => status === "rejected")).toEqual([]);
  });
});
