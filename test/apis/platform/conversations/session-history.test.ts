import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { proto } from "@whiskeysockets/baileys";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld } from "../../../support/session/world.ts";
import { gatewayKeyOf, customer as institution } from "../../../support/tenants/platform.ts";
import { untilTrue } from "../../../support/waiting.ts";
import type { Contact } from "../../../support/whatsapp/index.ts";
import { wireField } from "../../../support/whatsapp/people/content.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));
afterAll(() => s.stop());

/** `history` is null where the phone is made without a word of it. */
const setup = async (history: string | null = "recent") => {
  const who = await institution(s.w);
  const account = { id: who.id, key: await gatewayKeyOf(s.w, who) };
  const paired = await pairedPhone(s, { account, more: history === null ? {} : { history } });
  const { customer, hook } = paired;
  const phone = (path: string, options: object = {}) =>
    s.w.gateway(`/v1/phones/${customer.phone.id}/${path}`, { key: account.key, ...options });
  const get = async (path: string) => (await s.w.platform(`/v1/${path}`, { token: who.key })).body;
  const conversations = async () => (await get("conversations")).data;
  const messagesOf = async (id: string) => (await get(`conversations/${id}/messages?limit=100`)).data;
  const progress = async () => (await phone("history")).body;
  const imported = (count: number) => untilTrue(async () => (await progress()).imported >= count);
  return { ...paired, who, phone, hook, get, conversations, messagesOf, progress, imported };
};

const now = () => Math.floor(Date.now() / SECOND_MS);
const written = (
  chat: Pick<Contact, "jid">,
  id: string,
  { text = id, fromMe = false, at = now() - 86_400 }: { text?: string; fromMe?: boolean; at?: number } = {},
): proto.IWebMessageInfo => ({
  key: { remoteJid: chat.jid, fromMe, id },
  message: { conversation: text },
  messageTimestamp: at,
  ...(fromMe ? {} : { pushName: "Ana" }),
});
const many = (chat: Contact, count: number, at = now() - 86_400) =>
  Array.from({ length: count }, (_, n) =>
    written(chat, `H${chat.pn}${String(n).padStart(4, "0")}`, { fromMe: n % 2 === 1, at: at + n }),
  );

describe("history at pairing", () => {
  test("W26-11 is kept in conversations, in its order and by who wrote it; webhooks get its progress alone", async () => {
    const { owner, hook, conversations, messagesOf, imported, progress } = await setup();
    const ana = s.contact();
    await owner.history({ messages: many(ana, 3) });
    await imported(3);
    const [conversation, ...others] = await conversations();
    expect([conversation.status, others]).toEqual(["CLOSED", []]);
    const kept = await messagesOf(conversation.id);
    expect(kept.map(({ direction, text }: any) => [direction, text.slice(-4)])).toEqual([
      ["INBOUND", "0002"],
      ["OUTBOUND", "0001"],
      ["INBOUND", "0000"],
    ]);
    expect(Math.abs(Date.parse(kept[0].createdAt) / SECOND_MS - (now() - 86_400))).toBeLessThan(60);
    await s.w.settle();
    expect(receivedBy(hook).length).toBe(receivedBy(hook, "history:progress").length);
    expect(await progress()).toMatchObject({ percent: 100, imported: 3 });
  });

  test("W26-11 comes in pieces, in files and with progress; the mappings may come last", async () => {
    const { owner, hook, conversations, messagesOf, imported } = await setup();
    const ana = s.contact();
    const byLid = { jid: ana.lidJid };
    await owner.history({ messages: many(ana, 2) });
    await owner.history({ type: "RECENT", progress: 40, inFile: true, messages: [written(byLid, "LATE1")] });
    await imported(3);
    const lidPnMappings = [{ lid: ana.lid, pn: ana.pn ?? "" }];
    await owner.history({ type: "RECENT", progress: 100, messages: [written(byLid, "LATE2")], lidPnMappings });
    await imported(4);
    await s.w.settle();
    const pieces = receivedBy(hook, "history:progress");
    expect(pieces.map(({ percent, imported: count }) => [percent, count])).toEqual([
      [100, 2],
      [100, 1],
      [100, 1],
    ]);
    const all = await Promise.all((await conversations()).map(({ id }: any) => messagesOf(id)));
    expect(
      all
        .flat()
        .map(({ text }: any) => text.slice(0, 5))
        .filter((text) => text.startsWith("LATE")),
    ).toHaveLength(2);
  });

  test("W26-11 a person known by LID alone gets the number from a later piece that has mappings alone", async () => {
    const { owner, hook, get, conversations, imported } = await setup();
    const [ana, bia] = [s.contact(), s.contact()];
    await owner.history({
      messages: [
        written({ jid: ana.lidJid }, `A${ana.pn}`),
        written({ jid: bia.lidJid }, `B${bia.pn}`, { fromMe: true }),
      ],
    });
    await imported(2);
    const lidPnMappings = [ana, bia].map(({ lid, pn = "" }) => ({ lid, pn }));
    await owner.history({ type: "RECENT", messages: [], lidPnMappings });
    await untilTrue(() => receivedBy(hook, "history:progress").length === 2);
    await s.w.settle();
    const contactIds = (await conversations()).map(({ contactId }: any) => contactId);
    const contacts = await Promise.all(contactIds.map((id: string) => get(`contacts/${id}`)));
    expect(new Set(contacts.map(({ phoneNumber }) => phoneNumber))).toEqual(new Set([ana.pn, bia.pn]));
  });

  test("W26-11 keeps what lies around it as a message that comes now does, and of an unknown type its bytes", async () => {
    const { owner, conversations, imported, customer } = await setup();
    const [ana, bia] = [s.contact(), s.contact()];
    const id = (n: number) => `3EB0${ana.pn}${n}`;
    const quoting = (stanzaId: string) => ({ stanzaId, quotedMessage: { conversation: "Quer?" } });
    const messages: [proto.IMessage, Buffer?][] = [
      [{ conversation: "Quer?" }],
      [{ extendedTextMessage: { text: "sim", contextInfo: quoting(id(0)) } }],
      [{ extendedTextMessage: { text: "não", contextInfo: quoting("3EB0BEFORE") } }],
      [{ extendedTextMessage: { text: "@1", contextInfo: { mentionedJid: [bia.lidJid], expiration: 86_400 } } }],
      [
        {
          locationMessage: { degreesLatitude: 1, degreesLongitude: 2 },
          messageContextInfo: { messageAssociation: { associationType: 1, parentMessageKey: { id: "3EB0ALBUM" } } },
        },
      ],
      [{}, wireField(190, wireField(1, "olá"))],
      [{}, wireField(37, wireField(1, wireField(190, "olá")))],
      [{ messageContextInfo: { messageSecret: Buffer.alloc(32, 1) } }],
    ];
    await owner.history({
      messages: messages.map(([message, wire], n) => ({
        ...written(ana, id(n), { at: now() - 1000 + n }),
        message: wire ? null : message,
        ...(wire ? { wire } : {}),
      })),
    });
    await imported(8);
    const rows = await s.w.app.env.db.read((reader) =>
      reader.rows<{ id: string; type: string; content: string; raw: string | null; quoted: string | null }>(
        "SELECT id, type, content, raw, quoted_message_id AS quoted FROM received_messages WHERE channel_id = ?1 ORDER BY id",
        [customer.phone.id],
      ),
    );
    expect(await conversations()).toHaveLength(1);
    expect(rows.map(({ type, content }) => [type, JSON.parse(content)])).toEqual([
      ["text", { text: "Quer?" }],
      ["text", { text: "sim" }],
      ["text", { text: "não", quoted: { id: "3EB0BEFORE", text: "Quer?" } }],
      ["text", { text: "@1", mentions: [{ phoneNumber: null, lid: bia.lid, isMe: false }], disappearsAfter: 86_400 }],
      ["location", { latitude: 1, longitude: 2, album: { id: "3EB0ALBUM" } }],
      ["unsupported", { originalType: "field190" }],
      ["unsupported", { originalType: "field190" }],
    ]);
    expect(rows.map(({ quoted }) => quoted)).toEqual([null, rows[0]?.id as string, ...Array(5).fill(null)]);
    expect(rows.map(({ raw }) => raw)).toEqual([
      ...Array(5).fill(null),
      ...messages.slice(5, 7).map(([, wire]) => wire?.toString("base64") ?? null),
    ]);
  });

  test("W26-11 says under which timer the chats are", async () => {
    const { owner, customer, imported } = await setup();
    const [ana, bia] = [s.contact(), s.contact()];
    const timed = (expiration: number, ephemeralSettingTimestamp: number) => ({
      extendedTextMessage: { text: "oi", contextInfo: { expiration, ephemeralSettingTimestamp } },
    });
    await owner.history({
      messages: [
        written(ana, `T${ana.pn}`),
        { ...written(bia, `T${bia.pn}`), message: timed(7 * 86_400, 1_700_000_000) },
        { ...written(bia, `U${bia.pn}`), message: timed(86_400, 1_600_000_000) },
      ],
      timers: { [ana.lidJid]: 86_400 },
      lidPnMappings: [{ lid: ana.lid, pn: ana.pn ?? "" }],
    });
    await imported(3);
    for (const [to, seconds] of [
      [ana, 86_400],
      [bia, 7 * 86_400],
    ] as const) {
      await customer.sent({ to: to.pn ?? "" });
      const { message } = await to.until(({ text }) => text === "olá");
      expect(message.extendedTextMessage?.contextInfo?.expiration).toBe(seconds);
    }
  });

  test("W26-11 the same piece twice is kept once, and what was sent from here is not kept again", async () => {
    const { owner, conversations, messagesOf, imported } = await setup();
    const ana = s.contact();
    await owner.history({ messages: many(ana, 250) });
    await imported(250);
    await owner.history({ messages: many(ana, 250) });
    await imported(500);
    const [{ id }] = await conversations();
    expect((await messagesOf(id)).length).toBe(100);
    const [{ n }] = (await s.w.app.env.db.read((reader) =>
      reader.rows<{ n: number }>("SELECT count(*) AS n FROM received_messages WHERE conversation_id = ?1", [id]),
    )) as [{ n: number }];
    expect(n).toBe(250);
  });

  test("W26-11 none is taken over unless it was asked for, and FULL only where all was", async () => {
    for (const [mode, type, count] of [
      [null, "INITIAL_BOOTSTRAP", 0],
      ["recent", "FULL", 0],
      ["full", "FULL", 1],
    ] as const) {
      const { owner, conversations, imported } = await setup(mode);
      const ana = s.contact();
      await owner.history({ type, messages: [written(ana, "FULL1")] });
      await imported(count);
      await ana.say("oi", { to: owner }); // after it
      await untilTrue(async () => (await conversations()).some(({ status }: any) => status === "OPEN"));
      expect((await conversations()).filter(({ status }: any) => status === "CLOSED")).toHaveLength(count);
    }
  });

  test("W26-11 a piece that cannot be had ends the wait for it, and the next is taken over", async () => {
    const { owner, imported } = await setup();
    const heal = s.net.faults.media(410, { times: 1 });
    await owner.history({ inFile: true, messages: [written(s.contact(), "LOST1")] });
    await owner.history({ messages: [written(s.contact(), "KEPT1")] });
    await imported(1);
    heal();
  });

  test("W26-11 a piece that cannot be had yet does not hold up the others, and is had in the end", async () => {
    const { owner, imported, conversations } = await setup();
    const heal = s.net.faults.media(500);
    await owner.history({ inFile: true, messages: [written(s.contact(), "WAITS1")] });
    await owner.history({ messages: [written(s.contact(), "PASSES1")] });
    await untilTrue(async () => {
      await s.w.advance(MINUTE_MS);
      return (await conversations()).length === 1;
    });
    heal();
    await untilTrue(async () => {
      await s.w.advance(MINUTE_MS);
      return (await conversations()).length === 2;
    });
    await imported(2);
  });

  test("W26-11 a file's name loses what its sender hides in it", async () => {
    const { owner, imported, conversations, messagesOf } = await setup();
    const ana = s.contact();
    const fileName = "../../etc/a\u202efdp.exe";
    const file = { directPath: "/v/gone", mediaKey: Buffer.alloc(32, 1), fileSha256: Buffer.alloc(32, 2) };
    const message = { documentMessage: { ...file, fileName, mimetype: "application/pdf", fileLength: 10 } };
    await owner.history({ messages: [{ ...written(ana, "NAMED1"), message }] });
    await imported(1);
    const [{ id }] = await conversations();
    const text = JSON.stringify(await messagesOf(id));
    expect(text).toContain("fdp.exe");
    expect(text).not.toMatch(/\.\.\/|\u202e/);
  });

  test("an official number takes over none of it", async () => {
    const { who } = await setup();
    const made = await s.w.platform("/v1/channels", {
      token: who.key,
      body: { name: "x", type: "CHAT_WABA", history: "recent", credentials: {} },
    });
    expect(made.status).toBe(400);
  });
});

describe("older messages of a chat", () => {
  const asked = async (owner: Contact) => {
    const { message } = await owner.until(
      ({ message: { protocolMessage } }) =>
        protocolMessage?.peerDataOperationRequestMessage?.historySyncOnDemandRequest !== undefined,
    );
    return message.protocolMessage?.peerDataOperationRequestMessage?.historySyncOnDemandRequest;
  };
  const requestIdOf = (owner: Contact) =>
    owner.received.findLast(({ message }) => message.protocolMessage?.peerDataOperationRequestMessage)?.id ?? "";
  const ready = async () => {
    const one = await setup();
    const ana = s.contact();
    await one.owner.history({ messages: many(ana, 2, 1_700_000_000) });
    await one.imported(2);
    const older = (body: object = {}) => one.phone("history", { method: "POST", body: { chat: ana.pn, ...body } });
    return { ...one, ana, older };
  };

  test("W26-11 are asked of the phone from the oldest known on, in seconds, and answered", async () => {
    const { owner, ana, older, conversations, messagesOf } = await ready();
    const answer = older({ count: 10 });
    expect(await asked(owner)).toMatchObject({
      chatJid: ana.jid,
      oldestMsgId: `H${ana.pn}0000`,
      oldestMsgFromMe: false,
      onDemandMsgCount: 10,
    });
    expect(Number((await asked(owner))?.oldestMsgTimestampMs)).toBe(1_700_000_000);
    const again = await older();
    expect(gatewaySays(again)).toBe("429 RATE_LIMITED");
    await owner.history({
      type: "ON_DEMAND",
      answers: requestIdOf(owner),
      messages: [written(ana, "OLDER1", { at: 1_600_000_000 })],
    });
    expect((await answer).body).toEqual({ status: "answered", imported: 1 });
    const [{ id }] = await conversations();
    expect((await messagesOf(id)).at(-1).text).toBe("OLDER1");
  });

  test("W26-11 are waited for 30 seconds; what comes late is kept all the same", async () => {
    const { owner, ana, older, imported } = await ready();
    const answer = older();
    await asked(owner);
    s.w.clock.advance(30 * SECOND_MS);
    expect((await answer).body).toEqual({ status: "unanswered", imported: 0 });
    await owner.history({ type: "ON_DEMAND", answers: requestIdOf(owner), messages: [written(ana, "OLDER2")] });
    await imported(3);
  });

  test("a chat of which nothing is known cannot be gone back in, and the phone is not asked", async () => {
    const { older, owner } = await ready();
    expect(gatewaySays(await older({ chat: s.contact().pn }))).toBe("404 MESSAGE_NOT_FOUND");
    expect(requestIdOf(owner)).toBe("");
    expect(gatewaySays(await older({ count: 51 }))).toBe("400 VALIDATION_ERROR");
  });
});
