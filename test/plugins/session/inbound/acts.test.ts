import { describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import { toCachedMessage } from "../../../../plugins/session/message-cache.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import {
  ANA,
  AT,
  type Attrs,
  BIA,
  fromAna,
  fromBia,
  fromOwner,
  GROUP,
  inGroup,
  ME,
  type Reading,
  startReading,
} from "../../../support/session/reading.ts";

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
const TARGET = "3EB0TARGET";

const reaction = (text: string, id = TARGET): proto.IMessage => ({ reactionMessage: { key: { id }, text } });
const edit = (editedMessage: proto.IMessage, id = TARGET): proto.IMessage => ({
  protocolMessage: { type: MESSAGE_EDIT, key: { id }, editedMessage },
});
const revocation = (id = TARGET): proto.IMessage => ({ protocolMessage: { type: REVOKE, key: { id } } });
const PIN = proto.Message.PinInChatMessage.Type;
const pin = (type: number): proto.IMessage => ({ pinInChatMessage: { key: { id: TARGET }, type } });
const keep = (keepType: number): proto.IMessage => ({ keepInChatMessage: { key: { id: TARGET }, keepType } });
const ACTS: [name: string, act: proto.IMessage][] = [
  ["a reaction", reaction("👍")],
  ["an edit", edit({ conversation: "novo" })],
  ["a revocation", revocation()],
];

/** A channel that has received a message from somebody. */
const having = async (attrs: Attrs): Promise<Reading> => {
  const reading = await startReading();
  await reading.read({ ...attrs, id: TARGET }, { conversation: "oi" });
  return reading;
};
/** A channel that has sent a message to a chat. */
const havingSent = async (remoteJid: string): Promise<Reading> => {
  const reading = await startReading();
  const copy = toCachedMessage({
    key: { remoteJid, fromMe: true, id: TARGET },
    message: { conversation: "olá" },
    sender: ME.id,
  });
  await reading.keyStore.write({ messages: [copy] });
  return reading;
};
const ANA_IS = { pn: ANA.pn, lid: ANA.lid };

describe("who wrote a message", () => {
  test.each([
    ["an edited text", edit({ conversation: "novo" }), { kind: "edited", text: "novo" }],
    ["a longer edited text", edit({ extendedTextMessage: { text: "novo" } }), { kind: "edited", text: "novo" }],
    [
      "an edit as the network wraps it",
      { editedMessage: { message: edit({ conversation: "novo" }) } },
      { kind: "edited", text: "novo" },
    ],
    [
      "an edited caption",
      edit({ imageMessage: { caption: "novo", directPath: "/v", mediaKey: new Uint8Array(32) } }),
      { kind: "edited", text: "novo" },
    ],
    [
      "an edited caption without its file",
      edit({ videoMessage: { caption: "novo" } }),
      { kind: "edited", text: "novo" },
    ],
    [
      "a caption that was taken away",
      edit({ imageMessage: { directPath: "/v", mediaKey: new Uint8Array(32) } }),
      { kind: "edited", text: "" },
    ],
    ["a revocation", revocation(), { kind: "revoked" }],
    ["a reaction", reaction("👍"), { kind: "reacted", emoji: "👍" }],
    ["a reaction that was taken back", reaction(""), { kind: "reacted", emoji: null }],
    ["a pin that was taken back", pin(PIN.UNPIN_FOR_ALL), { kind: "pinned", until: null }],
    ["a keep", keep(proto.KeepType.KEEP_FOR_ALL), { kind: "kept", isKept: true }],
    ["a keep that was undone", keep(proto.KeepType.UNDO_KEEP_FOR_ALL), { kind: "kept", isKept: false }],
  ] as [string, proto.IMessage, object][])("may do this to it: %s", async (_, act, received) => {
    const { read } = await having(fromAna());
    const attrs = fromAna();
    expect(await read(attrs, act)).toEqual([
      { ...received, key: TARGET, nativeId: attrs["id"], at: AT * 1000, from: ANA_IS } as never,
    ]);
  });

  test.each([
    ["a pin of type 99", pin(99)],
    ["a pin of no type", pin(0)],
    ["a keep of type 77", keep(77)],
    ["a keep of no type", keep(0)],
  ])("does nothing by %s", async (_, act) => {
    const { read } = await having(fromAna());
    expect(await read(fromAna(), act)).toEqual([]);
  });

  test("is recognised by number and by LID", async () => {
    const { read, keyStore } = await having({ ...fromAna(), from: ANA.pnJid, sender_pn: "" });
    expect(await read(fromAna({ sender_pn: "" }), revocation())).toEqual([]); // nobody knows that the two are one
    await keyStore.write({ rows: [{ kind: "lid-mapping", id: `${ANA.lid}_reverse`, value: JSON.stringify(ANA.pn) }] });
    expect(await read(fromAna({ sender_pn: "" }), revocation())).toMatchObject([{ kind: "revoked", from: ANA_IS }]);
  });
});

describe("a forged act is not published:", () => {
  test.each(ACTS)("%s in another chat", async (_, act) => {
    const { read, host } = await having(fromAna());
    expect(await read(fromBia(), act)).toEqual([]);
    expect(await read(inGroup(fromAna()), act)).toEqual([]);
    expect(host.logLines.join()).not.toContain(TARGET);
  });

  test.each(ACTS.slice(1))("%s of another's message in the group", async (_, act) => {
    const { read } = await having(inGroup(fromAna()));
    expect(await read(inGroup(fromBia()), act)).toEqual([]);
    expect(await read(inGroup(fromAna()), act)).toHaveLength(1);
  });

  test.each(ACTS.slice(1))("%s of the owner's message", async (_, act) => {
    const { read } = await havingSent(ANA.pnJid);
    expect(await read(fromAna(), act)).toEqual([]);
    expect(await read(fromAna({ edit: "8" }), act)).toEqual([]); // there are no administrators in a chat of two
  });

  test.each(ACTS)("%s of a message that nobody knows", async (_, act) => {
    const { read } = await startReading();
    expect(await read(fromAna(), act)).toEqual([]);
  });

  test("an administrator's edit", async () => {
    const { read } = await having(inGroup(fromAna()));
    expect(await read(inGroup(fromBia({ edit: "8" })), edit({ conversation: "novo" }))).toEqual([]);
  });

  test("a reaction that is a whole text", async () => {
    const { read } = await having(fromAna());
    expect(await read(fromAna(), reaction("x".repeat(65)))).toEqual([]);
  });
});

test("anybody in a chat may react to a message in it, also to the owner's", async () => {
  const sent = await havingSent(ANA.pnJid);
  expect(await sent.read(fromAna(), reaction("👍"))).toMatchObject([
    { kind: "reacted", key: TARGET as ProviderMessageId, from: ANA_IS },
  ]);
  const group = await having(inGroup(fromAna()));
  expect(await group.read(inGroup(fromBia()), reaction("👍"))).toMatchObject([
    { kind: "reacted", from: { pn: BIA.pn, lid: BIA.lid } },
  ]);
});

test("an administrator may revoke anybody's message in the group", async () => {
  const { read } = await having(inGroup(fromAna()));
  expect(await read(inGroup(fromBia({ edit: "8" })), revocation())).toMatchObject([
    { kind: "revoked", from: { pn: BIA.pn, lid: BIA.lid } },
  ]);
});

describe("what the owner does on another device", () => {
  const OWN = { pn: "5511900000001", lid: "900001" };

  test("is published as the owner's: a message, once, and it is cached so that it can be quoted and reacted to", async () => {
    const { read, keyStore } = await startReading();
    expect(await read(fromOwner({ id: TARGET }), { conversation: "olá" })).toEqual([
      {
        kind: "received",
        key: TARGET as ProviderMessageId,
        at: AT * 1000,
        from: OWN,
        chat: ANA_IS,
        pushName: null,
        isOwn: true,
        content: { type: "text", content: { text: "olá" } },
      },
    ]);
    expect(JSON.parse((await keyStore.cachedMessage(TARGET as ProviderMessageId)) ?? "")).toMatchObject({
      key: { remoteJid: ANA.jid, remoteJidAlt: ANA.pnJid, fromMe: true, id: TARGET },
    });
    expect(await read(fromOwner({ id: TARGET }), { conversation: "olá" })).toEqual([]);
    expect(await read(fromAna(), reaction("👍"))).toMatchObject([
      { kind: "reacted", key: TARGET as ProviderMessageId },
    ]);
  });

  test("is not an answer to a menu, and warms nobody up", async () => {
    const { read, keyStore } = await startReading();
    await read(fromOwner(), { conversation: "1" });
    expect((await keyStore.read("warm", [`pn:${ANA.pn}`, `lid:${ANA.lid}`])).size).toBe(0);
  });

  test.each(ACTS)("is published: %s of the owner's own message", async (_, act) => {
    const { read } = await startReading();
    await read(fromOwner({ id: TARGET }), { conversation: "olá" });
    expect(await read(fromOwner(), act)).toMatchObject([{ key: TARGET, from: OWN, isOwn: true } as never]);
  });

  test("is published: a reaction to what somebody else wrote; never their words changed", async () => {
    const { read } = await having(fromAna());
    expect(await read(fromOwner(), reaction("👍"))).toMatchObject([{ kind: "reacted", from: OWN, isOwn: true }]);
    for (const [, act] of ACTS.slice(1)) expect(await read(fromOwner(), act)).toEqual([]);
  });

  test("is published once in each chat, not in that of a broadcast list", async () => {
    const { read } = await startReading();
    const attrs = fromOwner({ recipient: "1234567@broadcast", recipient_pn: "" });
    expect(await read(attrs, { conversation: "promoção" })).toEqual([]);
  });

  test("is not published when this device sent it, and it comes back", async () => {
    const { read } = await havingSent(ANA.pnJid);
    expect(await read(fromOwner({ id: TARGET }), { conversation: "olá" })).toEqual([]);
  });
});

describe("an id belongs to the message that had it first", () => {
  test.each([
    ["another chat", fromBia],
    ["the group", () => inGroup(fromAna())],
  ])("and a message from %s under it changes nothing", async (_, attrs) => {
    const { read, keyStore } = await having(fromAna());
    const before = await keyStore.cachedMessage(TARGET as ProviderMessageId);
    expect(await read({ ...attrs(), id: TARGET }, { conversation: "falso" })).toEqual([]);
    expect(await keyStore.cachedMessage(TARGET as ProviderMessageId)).toBe(before);
  });

  test("also where it is the owner's, which may have to be sent again", async () => {
    const { read, keyStore } = await havingSent(`${GROUP}@g.us`);
    const before = await keyStore.cachedMessage(TARGET as ProviderMessageId);
    for (const attrs of [fromAna({ id: TARGET }), inGroup(fromAna({ id: TARGET }))])
      expect(await read(attrs, { conversation: "falso" })).toEqual([]);
    expect(await keyStore.cachedMessage(TARGET as ProviderMessageId)).toBe(before);
  });

  test("and a message that comes again is published again, under the same key", async () => {
    const { read } = await having(fromAna());
    expect(await read(fromAna({ id: TARGET }), { conversation: "oi" })).toMatchObject([
      { kind: "received", key: TARGET as ProviderMessageId },
    ]);
  });
});

describe("who somebody is", () => {
  test.each([
    ["a LID with its number", fromAna(), ANA_IS],
    [
      "a number with its LID",
      { ...fromAna(), from: `${ANA.pn}:12@s.whatsapp.net`, sender_pn: "", sender_lid: ANA.jid },
      ANA_IS,
    ],
    ["a LID alone", fromAna({ sender_pn: "" }), { lid: ANA.lid }],
    ["a device in the network's cloud", { ...fromAna(), from: `${ANA.pn}:99@hosted`, sender_pn: "" }, { pn: ANA.pn }],
    [
      "a broadcast list of theirs",
      { ...fromAna(), from: "1234567@broadcast", participant: ANA.jid, participant_pn: ANA.pnJid },
      ANA_IS,
    ],
  ] as [string, Attrs, object][])("by %s", async (_, attrs, person) => {
    const { read } = await startReading();
    expect(await read(attrs, { conversation: "oi" })).toMatchObject([{ from: person, chat: person } as never]);
  });

  test("a LID alone has the number that is known of it", async () => {
    const { read, keyStore } = await startReading();
    await keyStore.write({ rows: [{ kind: "lid-mapping", id: `${ANA.lid}_reverse`, value: JSON.stringify(ANA.pn) }] });
    expect(await read(fromAna({ sender_pn: "" }), { conversation: "oi" })).toMatchObject([{ from: ANA_IS }]);
  });

  test("in a group the chat is the group", async () => {
    const { read } = await startReading();
    expect(await read(inGroup(fromAna()), { conversation: "oi" })).toMatchObject([
      { chat: { group: GROUP }, from: ANA_IS },
    ]);
  });

  test("who writes is remembered under both names, in a group nobody", async () => {
    const { read, keyStore } = await startReading();
    await read(inGroup(fromBia()), { conversation: "oi" });
    await read(fromAna(), { conversation: "oi" });
    const names = [ANA, BIA].flatMap(({ pn, lid }) => [`pn:${pn}`, `lid:${lid}`]);
    expect([...(await keyStore.read("warm", names)).keys()]).toEqual([`pn:${ANA.pn}`, `lid:${ANA.lid}`]);
  });
});
