import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import {
  ANA,
  type Attrs,
  BIA,
  fromAna,
  fromBia,
  fromOwner,
  inGroup,
  type Reading,
  startReading,
} from "../../../support/session/reading.ts";
import { editUnder, reactionUnder, type Under, voteUnder } from "../../../support/whatsapp/messages/secrets.ts";

const POLL = "3EB0POLL";
const secret = randomBytes(32);
const OWN_PN = "5511900000001@s.whatsapp.net";
const OWN_LID = "900001@lid";
const OPTIONS = ["Sábado", "Domingo", "Nunca"];

const poll = (more: proto.Message.IPollCreationMessage = {}): proto.IMessage => ({
  pollCreationMessage: {
    name: "Quando?",
    options: OPTIONS.map((optionName) => ({ optionName })),
    selectableOptionsCount: 0,
    ...more,
  },
  messageContextInfo: { messageSecret: secret },
});
const under = (author: string, doer: string): Under => ({ id: POLL, secret, author, doer });
/** A channel that has a poll of its owner's, made on the phone, in the chat with Ana. */
const withPoll = async (message = poll(), attrs: Attrs = fromOwner()): Promise<Reading> => {
  const reading = await startReading();
  await reading.read({ ...attrs, id: POLL }, message);
  return reading;
};
const totals = (...votes: number[]) => OPTIONS.map((option, place) => ({ option, votes: votes[place] ?? 0 }));

describe("W26-8 a vote", () => {
  test.each([
    [OWN_PN, ANA.pnJid],
    [OWN_PN, ANA.jid],
    [OWN_LID, ANA.pnJid],
    [OWN_LID, ANA.jid],
  ])("is published, whichever addresses its app took: author %s, voter %s", async (author, doer) => {
    const { read } = await withPoll();
    expect(await read(fromAna(), voteUnder(under(author, doer), ["Domingo"], 5))).toMatchObject([
      {
        kind: "voted",
        key: POLL,
        from: { pn: ANA.pn, lid: ANA.lid },
        options: ["Domingo"],
        totals: totals(0, 1),
      } as never,
    ]);
  });

  test("counts the last one of each voter, by number and by LID; an empty one takes it back", async () => {
    const group = (attrs: Attrs) => inGroup(attrs);
    const { read, keyStore } = await withPoll(poll(), group(fromAna()));
    const vote = (attrs: Attrs, doer: string, options: string[], at: number) =>
      read(group(attrs), voteUnder(under(ANA.jid, doer), options, at));
    expect(await vote(fromAna({ sender_pn: "" }), ANA.jid, ["Sábado", "Nunca"], 1)).toMatchObject([
      { options: ["Sábado", "Nunca"], totals: totals(1, 0, 1) },
    ]);
    expect(await vote(fromBia(), BIA.jid, ["Sábado"], 2)).toMatchObject([{ totals: totals(2, 0, 1) }]);
    await keyStore.write({ rows: [{ kind: "lid-mapping", id: ANA.pn, value: JSON.stringify(ANA.lid) }] });
    expect(await vote(fromAna(), ANA.pnJid, ["Domingo"], 3)).toMatchObject([{ totals: totals(1, 1, 0) }]);
    expect(await vote(fromAna(), ANA.pnJid, [], 4)).toMatchObject([{ options: [], totals: totals(1, 0, 0) }]);
  });

  test("that comes after a later one of the same voter changes nothing", async () => {
    const { read } = await withPoll();
    await read(fromAna(), voteUnder(under(OWN_PN, ANA.jid), ["Nunca"], 10));
    expect(await read(fromAna(), voteUnder(under(OWN_PN, ANA.jid), ["Sábado"], 9))).toEqual([]);
    expect(await read(fromAna(), voteUnder(under(OWN_PN, ANA.jid), ["Domingo"], 11))).toMatchObject([
      { totals: totals(0, 1) },
    ]);
  });

  test("that comes twice is counted once", async () => {
    const { read } = await withPoll();
    const [attrs, vote] = [fromAna(), voteUnder(under(OWN_PN, ANA.jid), ["Nunca"], 10)];
    const first = await read(attrs, vote);
    expect(await read(attrs, vote)).toEqual(first);
    expect(first).toMatchObject([{ totals: totals(0, 0, 1) }]);
  });

  test("of the owner's on the phone is the owner's", async () => {
    const { read } = await withPoll();
    expect(await read(fromOwner(), voteUnder(under(OWN_PN, OWN_LID), ["Nunca"], 5))).toMatchObject([
      { kind: "voted", isOwn: true, options: ["Nunca"] },
    ]);
  });

  test("in another chat, under another's name, or of a message that is no poll is not published", async () => {
    const { read, host } = await withPoll();
    expect(await read(fromBia(), voteUnder(under(OWN_PN, BIA.jid), ["Nunca"], 5))).toEqual([]);
    expect(await read(fromAna(), voteUnder(under(OWN_PN, BIA.jid), ["Nunca"], 5))).toEqual([]);
    expect(await read(fromAna(), voteUnder(under(OWN_PN, ANA.jid), ["Nunca"], 6))).toMatchObject([
      { totals: totals(0, 0, 1) },
    ]);
    const text = await withPoll({ conversation: "oi", messageContextInfo: { messageSecret: secret } });
    expect(await text.read(fromAna(), voteUnder(under(OWN_PN, ANA.jid), ["Nunca"], 5))).toEqual([]);
    expect(host.logLines.join()).not.toMatch(/Nunca|3EB0POLL/);
  });
});

describe("W26-8 an edit or a reaction that is hidden", () => {
  const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;
  const said = { conversation: "oi", messageContextInfo: { messageSecret: secret } };
  const wrapped = {
    ephemeralMessage: { message: { conversation: "oi" } },
    messageContextInfo: { messageSecret: secret },
  };
  const act: proto.IMessage = {
    protocolMessage: { type: MESSAGE_EDIT, key: { id: POLL }, editedMessage: { conversation: "novo" } },
  };
  /** Parts that hold a message alone. */
  const wrappers = [
    "ephemeralMessage",
    "viewOnceMessage",
    "viewOnceMessageV2",
    "documentWithCaptionMessage",
    "groupMentionedMessage",
    "botInvokeMessage",
    "associatedChildMessage",
    "editedMessage",
  ] as const;
  const edits: [name: string, edited: proto.IMessage][] = [
    ["as an act", act],
    ["as a message", { extendedTextMessage: { text: "novo" } }],
    ["as an app's own edits", { editedMessage: { message: act } }],
    [
      "as an app's own edits of a caption",
      {
        editedMessage: {
          message: {
            protocolMessage: {
              ...act.protocolMessage,
              editedMessage: { imageMessage: { caption: "novo", directPath: "/v", mediaKey: new Uint8Array(32) } },
            },
          },
        },
      },
    ],
    ...wrappers.flatMap((wrapper): [string, proto.IMessage][] => [
      [`as an act in ${wrapper}`, { [wrapper]: { message: { editedMessage: { message: act } } } }],
      [
        `as a message in ${wrapper}`,
        {
          protocolMessage: {
            ...act.protocolMessage,
            editedMessage: { [wrapper]: { message: { conversation: "novo" } } },
          },
        },
      ],
    ]),
  ];

  test.each([
    ["a revocation", { protocolMessage: { type: proto.Message.ProtocolMessage.Type.REVOKE, key: { id: POLL } } }],
    ["nothing", { editedMessage: { message: {} } }],
  ] as [string, proto.IMessage][])("is not published where it is %s", async (_, edited) => {
    const { read } = await withPoll(said, fromAna());
    expect(await read(fromAna(), editUnder(under(ANA.jid, ANA.pnJid), edited))).toEqual([]);
  });

  test.each(edits)("is published as one that is not: an edit %s", async (_, edited) => {
    for (const message of [said, wrapped]) {
      const { read } = await withPoll(message, fromAna());
      expect(await read(fromAna(), editUnder(under(ANA.jid, ANA.pnJid), edited))).toMatchObject([
        { kind: "edited", key: POLL, text: "novo", from: { pn: ANA.pn } } as never,
      ]);
    }
  });

  test("is published as one that is not: a reaction, and one that was taken back", async () => {
    const { read } = await withPoll(said, fromAna());
    for (const [text, emoji] of [
      ["👍", "👍"],
      ["", null],
    ] as const)
      for (const isWhole of [false, true])
        expect(await read(fromAna(), reactionUnder(under(ANA.pnJid, ANA.jid), text, { isWhole }))).toMatchObject([
          { kind: "reacted", key: POLL, emoji } as never,
        ]);
  });

  test("is not published of somebody else's words, or where it is not what it says", async () => {
    const { read } = await withPoll(said, inGroup(fromAna()));
    const edit = (doer: string) => editUnder(under(ANA.jid, doer), { conversation: "falso" });
    expect(await read(inGroup(fromBia()), edit(BIA.jid))).toEqual([]);
    const broken = edit(ANA.jid);
    const payload = broken.secretEncryptedMessage?.encPayload;
    if (payload) payload[0] = (payload[0] ?? 0) ^ 1;
    expect(await read(inGroup(fromAna()), broken)).toEqual([]);
    expect(await read(inGroup(fromAna()), edit(ANA.jid))).toHaveLength(1);
  });
});

test("W26-8 of more options than a poll allows, the last ones count: a single choice is one vote of a person", async () => {
  const vote = (options: string[], at: number) => voteUnder(under(OWN_LID, ANA.jid), options, at);
  const single = await withPoll(poll({ selectableOptionsCount: 1 }));
  expect(await single.read(fromAna(), vote(["Sábado", "Domingo"], 5))).toMatchObject([
    { kind: "voted", options: ["Domingo"], totals: totals(0, 1) } as never,
  ]);
  expect(await single.read(fromAna(), vote(["Domingo", "Sábado", "Sábado"], 6))).toMatchObject([
    { kind: "voted", options: ["Sábado"], totals: totals(1) } as never,
  ]);
  const two = await withPoll(poll({ selectableOptionsCount: 2 }));
  expect(await two.read(fromAna(), vote(["Nunca", "Domingo", "Sábado"], 5))).toMatchObject([
    { kind: "voted", options: ["Sábado", "Domingo"], totals: totals(1, 1) } as never,
  ]);
});

describe("W26-8 what comes before the message whose secret it needs", () => {
  const early = async () => {
    const reading = await startReading();
    expect(await reading.read(fromBia(), voteUnder(under(ANA.jid, BIA.jid), ["Nunca"], 5))).toEqual([]);
    return reading;
  };
  const first = { ...inGroup(fromAna()), id: POLL };
  const votes = async (at: number[]) => {
    const reading = await startReading();
    for (const atMs of at)
      await reading.read(inGroup(fromBia()), voteUnder(under(ANA.jid, BIA.jid), [OPTIONS[atMs] ?? ""], atMs + 1));
    return reading;
  };

  test("is published after it, in order, once, and stale votes not at all", async () => {
    const { read } = await votes([0, 2, 1]);
    expect(await read(first, poll())).toMatchObject([
      { kind: "received", content: { type: "poll" } },
      { kind: "voted", options: ["Sábado"], totals: totals(1) },
      { kind: "voted", options: ["Nunca"], totals: totals(0, 0, 1) },
    ]);
    expect((await read(first, poll())).filter(({ kind }) => kind === "voted")).toEqual([]);
  });

  test("waits on when the message comes without a secret, as a placeholder does", async () => {
    const { read } = await votes([0]);
    expect(await read(first, { conversation: "oi" })).toHaveLength(1);
    expect(await read(first, poll())).toMatchObject([{ kind: "received" }, { kind: "voted" }]);
  });

  test("is still not believed in another chat", async () => {
    const { read } = await early();
    expect(await read(first, poll())).toMatchObject([{ kind: "received" }]);
  });

  test("is kept for a day, and within bounds", async () => {
    const { read, host, keyStore } = await startReading();
    const long = { conversation: "x".repeat(60_000) };
    for (let count = 0; count < 40; count++)
      await read(fromAna(), editUnder({ ...under(ANA.jid, ANA.jid), id: `3EB0T${count}` }, long));
    const ids = Array.from({ length: 40 }, (_, count) => `3EB0T${count}`);
    const held = await keyStore.read("held", ids);
    expect([held.has("3EB0T39"), held.has("3EB0T0")]).toEqual([true, false]);
    expect([...held.values()].join("").length).toBeLessThanOrEqual(2 * 1024 * 1024);
    host.clock.advance(DAY_MS + 1);
    await read(fromAna(), editUnder({ ...under(ANA.jid, ANA.jid), id: "3EB0LATE" }, long));
    const index = JSON.parse((await keyStore.read("held-index", ["all"])).get("all") ?? "[]");
    expect(index.map(([id]: [string]) => id)).toEqual(["3EB0LATE"]);
  });
});

test("W26-8 an inbound poll can be read, in each of its forms", async () => {
  const { read } = await startReading();
  const { pollCreationMessage } = poll({ selectableOptionsCount: 1 });
  for (const message of [
    { pollCreationMessage },
    { pollCreationMessageV2: pollCreationMessage },
    { pollCreationMessageV3: pollCreationMessage },
    { pollCreationMessageV4: { message: { pollCreationMessage } } },
    { pollCreationMessageV5: pollCreationMessage },
  ])
    expect(await read(fromAna(), message as proto.IMessage)).toMatchObject([
      { content: { type: "poll", content: { question: "Quando?", options: OPTIONS, maxSelections: 1 } } },
    ]);
  expect(await read(fromAna(), poll())).toMatchObject([{ content: { content: { maxSelections: 3 } } }]);
  expect(await read(fromAna(), { pollCreationMessage: { name: "?" } })).toMatchObject([
    { content: { type: "unsupported" } },
  ]);
});
