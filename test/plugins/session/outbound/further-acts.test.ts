import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { proto } from "@whiskeysockets/baileys";
import { toCachedMessage } from "../../../../plugins/session/message-cache.ts";
import type { Action } from "../../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type Session, sendingSession, text, untilWaiting } from "../../../support/session/sending.ts";
import type { Contact } from "../../../support/whatsapp/index.ts";
import { answeredIn, votedIn } from "../../../support/whatsapp/messages/secrets.ts";
import { child } from "../../../support/whatsapp/wire/stanza.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
afterEach(() => {
  expect(session.net.stat.unhandled).toEqual([]);
  session.net.faults.clear();
});
afterAll(() => session.stop());

const POLL: Content = { type: "poll", content: { question: "Quando?", options: ["Sábado", "Domingo"] } };
const EVENT: Content = {
  type: "event",
  content: {
    name: "Degustação",
    description: "Traga amigos",
    startsAt: "2026-12-05T18:00:00.500Z",
    endsAt: "2026-12-05T20:00:00.500Z",
    location: { name: "Padaria", latitude: -23.5, longitude: -46.6 },
    callLink: "https://call.whatsapp.com/video/abc",
    extraGuestsAllowed: true,
  },
};
const SECRET = new Uint8Array(32).fill(5);

const operate = (action: Action, key: ProviderMessageId, ana: Contact) =>
  session.sender.operate({ ...action, key, chat: `pn:${ana.pn}`, sender: null });

/** A message of ours that somebody has. */
const ours = async (content: Content) => {
  const ana = session.contact();
  const key = session.newKey();
  await session.send(content, { to: `pn:${ana.pn}`, key });
  const got = await ana.until(({ id }) => id === key);
  return { ana, key, got };
};

/** A message of theirs, as reading keeps it. */
const theirs = async (message: proto.IMessage) => {
  const ana = session.contact();
  await session.send(text("oi"), { to: `pn:${ana.pn}` }); // so that both addresses are known
  const key = session.newKey();
  await session.keyStore.write({
    messages: [
      toCachedMessage({
        key: { remoteJid: ana.lidJid, remoteJidAlt: ana.jid, fromMe: false, id: key },
        message,
        sender: ana.lidJid,
      }),
    ],
  });
  return { ana, key };
};
const sentCount = () => session.net.stat.stanzas["message"];
const own = () => session.phone.lidJid;

describe("a pin", () => {
  test.each([86_400, 604_800, 2_592_000])(
    "of %d s is for everyone, with its length, and can be taken back",
    async (seconds) => {
      const { ana, key } = await ours(text("olá"));
      expect(await operate({ name: "pin", seconds }, key, ana)).toEqual({ ok: true });
      const pin = await ana.until(({ message }) => message.pinInChatMessage?.type === 1);
      expect(pin.edit).toBe("2");
      expect(pin.message.messageContextInfo?.messageAddOnDurationInSecs).toBe(seconds);
      expect(pin.message.pinInChatMessage?.key).toMatchObject({ id: key, fromMe: true });
      expect(await operate({ name: "pin", seconds: null }, key, ana)).toEqual({ ok: true });
      await ana.until(({ message }) => message.pinInChatMessage?.type === 2);
    },
  );
});

test.each<[string, Content, Action]>([
  ["pin", text("olá"), { name: "pin", seconds: 86_400 }],
  ["reaction", text("olá"), { name: "react", emoji: "👍" }],
  ["edit", text("olá"), { name: "edit", text: "oi" }],
  ["deletion", text("olá"), { name: "delete" }],
  ["vote", POLL, { name: "vote", options: ["Sábado"] }],
  ["answer to an event", EVENT, { name: "respond", response: "going", extraGuests: 1 }],
])(
  "a %s whose answer was lost has the same id when it is tried again, and arrives once",
  async (_, content, action) => {
    const { ana, key } = await ours(content);
    const before = ana.received.length;
    const operation = { ...action, key, chat: `pn:${ana.pn}`, sender: null };
    session.net.faults.dropAcks(() => true, { times: 1 });
    const first = session.sender.operate({ ...operation, operationId: "job 1" });
    await untilWaiting(session);
    session.host.clock.advance(20 * SECOND_MS);
    expect(await first).toMatchObject({ kind: "unknown" });
    expect(await session.sender.operate({ ...operation, operationId: "job 1" })).toEqual({ ok: true });
    expect(ana.received).toHaveLength(before + 1);
    expect(ana.repeats).toEqual(ana.received.slice(before).map(({ id }) => id));
    // the same act anew is another
    expect(await session.sender.operate({ ...operation, operationId: "job 2" })).toEqual({ ok: true });
    expect(ana.received).toHaveLength(before + 2);
  },
);

describe("a keep", () => {
  test("of a message that disappears is sent, and undone like the apps undo it", async () => {
    const timed = { extendedTextMessage: { text: "oi", contextInfo: { expiration: 86_400 } } };
    const { ana, key } = await theirs(timed);
    expect(await operate({ name: "keep", isKept: true }, key, ana)).toEqual({ ok: true });
    const keep = await ana.until(({ message }) => message.keepInChatMessage?.keepType === 1);
    expect([keep.edit, keep.message.keepInChatMessage?.key?.id]).toEqual(["", key]);
    expect(await operate({ name: "keep", isKept: false }, key, ana)).toEqual({ ok: true });
    await ana.until(({ message }) => message.keepInChatMessage?.keepType === 2);
  });

  test("of a message that stays is refused, and nothing is sent", async () => {
    const { ana, key } = await ours(text("olá"));
    const sent = sentCount();
    expect(await operate({ name: "keep", isKept: true }, key, ana)).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_UNSUPPORTED",
    });
    expect(sentCount()).toBe(sent);
  });
});

describe("a vote", () => {
  test("in a poll of ours is read by its person, replaced by the next, and withdrawn by none", async () => {
    const { ana, key, got } = await ours(POLL);
    expect(child(got.stanza, "meta")).toBeUndefined(); // the network keeps it
    const secret = got.message.messageContextInfo?.messageSecret ?? new Uint8Array();
    const under = { id: key, secret, author: own(), doer: own() };
    const read: string[][] = [];
    for (const options of [["Sábado"], ["Domingo"], []]) {
      expect(await operate({ name: "vote", options }, key, ana)).toEqual({ ok: true });
      await session.net.until(() => votesOf(ana).length > read.length);
      const vote = votesOf(ana).at(-1);
      expect(vote?.type).toBe("poll");
      read.push(votedIn(under, vote?.message ?? {}, ["Sábado", "Domingo"]));
    }
    expect(read).toEqual([["Sábado"], ["Domingo"], []]);
    const counted = session.host.events.filter((event) => event.kind === "voted");
    expect(counted.slice(-3)).toMatchObject(
      [
        ["Sábado", 1, 0],
        ["Domingo", 0, 1],
        [undefined, 0, 0],
      ].map(([option, first, second]) => ({
        key,
        isOwn: true,
        options: option === undefined ? [] : [option],
        totals: [
          { option: "Sábado", votes: first },
          { option: "Domingo", votes: second },
        ],
      })),
    );
  });

  test("in a poll of theirs is hidden by their address and ours", async () => {
    const poll = {
      name: "?",
      options: ["a", "b", "c"].map((optionName) => ({ optionName })),
      selectableOptionsCount: 2,
    };
    const { ana, key } = await theirs({ pollCreationMessage: poll, messageContextInfo: { messageSecret: SECRET } });
    expect(await operate({ name: "vote", options: ["a", "c"] }, key, ana)).toEqual({ ok: true });
    await session.net.until(() => votesOf(ana).length > 0);
    const under = { id: key, secret: SECRET, author: ana.lidJid, doer: own() };
    expect(votedIn(under, votesOf(ana)[0]?.message ?? {}, ["a", "b", "c"])).toEqual(["a", "c"]);
  });

  test.each<[string, proto.IMessage, string[], string]>([
    ["for no option of the poll", pollOf(1), ["z"], "UPSTREAM_BAD_REQUEST"],
    ["for more options than it allows", pollOf(1), ["a", "b"], "UPSTREAM_BAD_REQUEST"],
    ["in a message that is no poll", { conversation: "oi" }, ["a"], "UPSTREAM_UNSUPPORTED"],
    ["in a poll whose secret is unknown", { ...pollOf(1), messageContextInfo: {} }, ["a"], "UPSTREAM_UNSUPPORTED"],
  ])("%s is refused, and nothing is sent or counted", async (_, message, options, code) => {
    const { ana, key } = await theirs(message);
    const [sent, events] = [sentCount(), session.host.events.length];
    expect(await operate({ name: "vote", options }, key, ana)).toMatchObject({ kind: "refused", code });
    expect([sentCount(), session.host.events.length]).toEqual([sent, events]);
  });

  test("that the network does not take counts nothing", async () => {
    const { ana, key } = await ours(POLL);
    session.net.faults.nack(403, () => true, { times: 1 });
    const events = session.host.events.length;
    expect(await operate({ name: "vote", options: ["Sábado"] }, key, ana)).toMatchObject({ ok: false });
    expect(session.host.events.length).toBe(events);
  });
});

describe("a calendar event", () => {
  test("goes out whole, in whole seconds", async () => {
    const { got } = await ours(EVENT);
    expect(got.type).toBe("event");
    const { startTime, endTime, ...rest } = got.message.eventMessage ?? {};
    expect([String(startTime), String(endTime)]).toEqual(["1796493600", "1796500800"]);
    expect(rest).toMatchObject({
      name: "Degustação",
      description: "Traga amigos",
      joinLink: "https://call.whatsapp.com/video/abc",
      extraGuestsAllowed: true,
      location: { name: "Padaria", degreesLatitude: -23.5, degreesLongitude: -46.6 },
    });
    expect(got.message.messageContextInfo?.messageSecret).toHaveLength(32);
  });

  test("is answered, in the person's own words of the network", async () => {
    const event = { name: "Festa", startTime: 1_796_493_600 };
    const { ana, key } = await theirs({ eventMessage: event, messageContextInfo: { messageSecret: SECRET } });
    expect(await operate({ name: "respond", response: "not_going", extraGuests: 0 }, key, ana)).toEqual({ ok: true });
    expect(await operate({ name: "respond", response: "going", extraGuests: 2 }, key, ana)).toEqual({ ok: true });
    await session.net.until(() => answersOf(ana).length === 2);
    const under = { id: key, secret: SECRET, author: ana.lidJid, doer: own() };
    expect(answersOf(ana).map(({ message }) => answeredIn(under, message))).toEqual([
      { response: "NOT_GOING", extraGuestCount: 0 },
      { response: "GOING", extraGuestCount: 2 },
    ]);
  });

  test("an answer to another message is refused, and nothing is sent", async () => {
    const { ana, key } = await theirs({ conversation: "oi" });
    const sent = sentCount();
    expect(await operate({ name: "respond", response: "going", extraGuests: 0 }, key, ana)).toMatchObject({
      code: "UPSTREAM_UNSUPPORTED",
    });
    expect(sentCount()).toBe(sent);
  });
});

function pollOf(selectableOptionsCount: number): proto.IMessage {
  return {
    pollCreationMessage: { name: "?", options: [{ optionName: "a" }, { optionName: "b" }], selectableOptionsCount },
    messageContextInfo: { messageSecret: SECRET },
  };
}
const votesOf = ({ received }: Contact) => received.filter(({ message }) => message.pollUpdateMessage);
const answersOf = ({ received }: Contact) => received.filter(({ message }) => message.encEventResponseMessage);
