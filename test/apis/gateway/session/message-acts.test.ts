import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import { type Customer, receivedBy } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { pairedCustomer } from "../../../support/session/paired-phone.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import { answeredIn, responseUnder, votedIn, voteUnder } from "../../../support/whatsapp/messages/secrets.ts";
import { startWorld, type World } from "../../../support/world.ts";

let net: WhatsApp;
let w: World;
let c: Customer & { owner: Phone };
let ana: Contact & { pn: string };
let people = 0;
beforeAll(async () => {
  net = await startWhatsApp();
  w = await startWorld({
    env: { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root, RECADO_GATEWAY_RATE: "1000000" },
  });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  c = await pairedCustomer(w, net);
  const pn = `55119444000${10 + people++}`;
  ana = Object.assign(net.contact({ pn, name: "Ana" }), { pn });
  ana.receipts = { ...ana.receipts, delivered: false };
});
afterEach(() => {
  expect(net.stat.unhandled).toEqual([]);
});

/** The data of the events of one type, once there are so many. */
const untilReceived = async (type: string, count = 1): Promise<any[]> => {
  for (let arrived = 1; ; arrived++) {
    const found = receivedBy(c.hook, type);
    if (found.length >= count) return found;
    await c.hook.received(arrived);
  }
};
const accepted = async (input: object): Promise<string> => {
  const { status, body, text } = await c.send({ to: ana.pn, ...input });
  if (status !== 202) throw new Error(text);
  return body.messageId;
};
/** Sends a message, and waits until the network has taken it. */
const sent = async (input: object = {}): Promise<string> => {
  const before = receivedBy(c.hook, "message:status").length;
  const id = await accepted(input);
  await untilReceived("message:status", before + 1);
  return id;
};
const act = (method: "POST" | "DELETE", id: string, name: string, body: object = {}) => {
  const path = `/v1/messages/${id}/${name}`;
  return method === "DELETE"
    ? w.gateway(`${path}?phoneId=${c.phone.id}`, { key: c.key, method })
    : w.gateway(path, { key: c.key, body: { phoneId: c.phone.id, ...body } });
};
/** The message as lists show it. */
const logged = async (id: string) =>
  (await w.gateway("/v1/messages", { key: c.key })).body.items.find((one: any) => one.id === id);
/** A message of Ana's, by Recado's id and the network's. */
const said = async (message: proto.IMessage) => {
  const before = receivedBy(c.hook, "message:received").length;
  const key = await ana.sendProto(message, { to: c.owner });
  const got = (await untilReceived("message:received", before + 1)).at(-1);
  return { key, id: got.messageId as string, got };
};
const sentCount = () => net.stat.stanzas["message"];
const SECRET = new Uint8Array(32).fill(7);
const { Type } = proto.Message.PinInChatMessage;

describe("a pin", () => {
  test("that is asked for is seen by the person, and in the message; its end too", async () => {
    const id = await sent();
    const { id: key } = await ana.until(() => true);
    expect((await act("POST", id, "pin", { duration: "7d" })).status).toBe(202);
    const [pinned] = await untilReceived("message:pinned");
    expect(pinned).toEqual({ messageId: id, pinned: true, until: expect.any(String), timestamp: expect.any(String) });
    expect(Date.parse(pinned.until) - Date.parse(pinned.timestamp)).toBe(7 * 86_400_000);
    expect(ana.received.at(-1)?.message.pinInChatMessage).toMatchObject({ type: Type.PIN_FOR_ALL, key: { id: key } });
    expect((await logged(id)).pinnedUntil).toBe(pinned.until);
    expect((await act("DELETE", id, "pin")).status).toBe(202);
    expect((await untilReceived("message:pinned", 2))[1]).toMatchObject({ pinned: false, until: null });
    expect((await logged(id)).pinnedUntil).toBeNull();
    const { steps } = (await w.gateway(`/v1/messages/${id}/timeline`, { key: c.key })).body;
    expect(steps.map(({ kind }: any) => kind).slice(-2)).toEqual(["PINNED", "UNPINNED"]);
    expect(gatewaySays(await act("POST", id, "pin", { duration: "2d" }))).toStartWith("400");
  });

  test("of the person, and of the owner on the phone, arrives with who did it", async () => {
    const { key, id } = await said({ conversation: "oi" });
    const pin = (type: number, fromMe: boolean): proto.IMessage => ({
      pinInChatMessage: { key: { id: key, fromMe, remoteJid: ana.lidJid }, type, senderTimestampMs: 1 },
      messageContextInfo: { messageAddOnDurationInSecs: 86_400 },
    });
    await ana.sendProto(pin(Type.PIN_FOR_ALL, true), { to: c.owner, edit: "2" });
    await untilReceived("message:pinned");
    await c.owner.sendProto(pin(Type.UNPIN_FOR_ALL, false), { to: ana, edit: "2" });
    expect(await untilReceived("message:pinned", 2)).toMatchObject([
      { messageId: id, pinned: true, from: { pn: `${ana.pn}@s.whatsapp.net` } },
      { messageId: id, pinned: false, until: null, from: { pn: `${c.owner.pn}@s.whatsapp.net` } },
    ]);
  });
});

describe("a voice note", () => {
  const note = (ptt: boolean): proto.IMessage => ({
    audioMessage: { ptt, mimetype: "audio/ogg; codecs=opus", seconds: 3, url: "https://mmg.whatsapp.net/x" },
  });

  test("is marked as played: its sender gets a receipt, and nothing is published", async () => {
    const { key, id } = await said(note(true));
    expect((await act("POST", id, "played")).status).toBe(202);
    await ana.untilReceived((receipt) => receipt.id === key && receipt.type === "played");
    expect(receivedBy(c.hook, "message:operation_failed")).toEqual([]);
  });

  test("is the only message that is played: of another it fails, and no receipt goes out", async () => {
    for (const message of [note(false), { conversation: "oi" }]) {
      const before = receivedBy(c.hook, "message:operation_failed").length;
      const { key, id } = await said(message);
      expect((await act("POST", id, "played")).status).toBe(202);
      const failed = await untilReceived("message:operation_failed", before + 1);
      expect(failed.at(-1)).toMatchObject({ messageId: id, operation: "played", code: "UPSTREAM_UNSUPPORTED" });
      expect(ana.receivedReceipts.filter((receipt) => receipt.id === key && receipt.type === "played")).toEqual([]);
    }
    expect(gatewaySays(await act("POST", await sent(), "played"))).toBe("400 UNSUPPORTED_TYPE");
  });
});

describe("a keep", () => {
  test("of a message that disappears is done and shown; of one that stays it fails, and nothing is sent", async () => {
    const timed = await said({ extendedTextMessage: { text: "oi", contextInfo: { expiration: 86_400 } } });
    expect((await act("POST", timed.id, "keep")).status).toBe(202);
    expect(await untilReceived("message:kept")).toEqual([
      { messageId: timed.id, kept: true, timestamp: expect.any(String) },
    ]);
    expect((await logged(timed.id)).kept).toBe(true);
    await act("DELETE", timed.id, "keep");
    await untilReceived("message:kept", 2);
    expect((await logged(timed.id)).kept).toBe(false);
    const plain = await said({ conversation: "oi" });
    const before = sentCount();
    await act("POST", plain.id, "keep");
    expect(await untilReceived("message:operation_failed")).toMatchObject([{ messageId: plain.id, operation: "keep" }]);
    expect([sentCount(), (await logged(plain.id)).kept]).toEqual([before, false]);
  });

  test("of the person arrives", async () => {
    const { key, id } = await said({ extendedTextMessage: { text: "oi", contextInfo: { expiration: 86_400 } } });
    const keep = { key: { id: key, fromMe: true, remoteJid: c.owner.lidJid }, keepType: proto.KeepType.KEEP_FOR_ALL };
    await ana.sendProto({ keepInChatMessage: { ...keep, timestampMs: 1 } }, { to: c.owner });
    expect(await untilReceived("message:kept")).toMatchObject([
      { messageId: id, kept: true, from: { pn: `${ana.pn}@s.whatsapp.net` } },
    ]);
  });
});

describe("a vote of the phone", () => {
  const POLL = { question: "Quando?", options: ["Sábado", "Domingo", "Nunca"] };

  test("in its own poll counts beside that of the person, is replaced and withdrawn; the message has the results", async () => {
    const id = await sent({ type: "poll", content: POLL });
    const { id: key, message } = await ana.until(() => true);
    const secret = message.messageContextInfo?.messageSecret ?? new Uint8Array();
    await ana.sendProto(voteUnder({ id: key, secret, author: c.owner.lidJid, doer: ana.lidJid }, ["Sábado"], 1), {
      to: c.owner,
    });
    await untilReceived("message:poll-vote");
    const totals = () => w.gateway(`/v1/messages/${id}`, { key: c.key }).then(({ body }) => body.pollTotals);
    const votes = [1, 0, 0];
    const expected = (counts: number[]) => POLL.options.map((option, place) => ({ option, votes: counts[place] ?? 0 }));
    expect(await totals()).toEqual(expected(votes));
    for (const [options, counts] of [
      [["Sábado"], [2, 0, 0]],
      [[1], [1, 1, 0]],
    ] as const) {
      const before = receivedBy(c.hook, "message:poll-vote").length;
      expect((await act("POST", id, "vote", { votes: options })).status).toBe(202);
      const vote = (await untilReceived("message:poll-vote", before + 1)).at(-1);
      expect(vote).toMatchObject({ messageId: id, totals: expected([...counts]) });
      expect(await totals()).toEqual(expected([...counts]));
    }
    const under = { id: key, secret, author: c.owner.lidJid, doer: c.owner.lidJid };
    const seen = ana.received.filter((one) => one.message.pollUpdateMessage);
    expect(seen.map((one) => votedIn(under, one.message, POLL.options))).toEqual([["Sábado"], ["Domingo"]]);
    expect((await logged(id)).votes).toMatchObject([
      { by: null, options: ["Domingo"] },
      { by: `pn:${ana.pn}`, options: ["Sábado"] },
    ]);
    await act("DELETE", id, "vote");
    await untilReceived("message:poll-vote", 4);
    expect((await logged(id)).pollTotals).toEqual(expected(votes));
  });

  test("in a poll of the person that allows several", async () => {
    const poll = {
      name: "?",
      options: ["a", "b", "c"].map((optionName) => ({ optionName })),
      selectableOptionsCount: 2,
    };
    const { key, id } = await said({ pollCreationMessage: poll, messageContextInfo: { messageSecret: SECRET } });
    expect((await act("POST", id, "vote", { votes: ["a", 2] })).status).toBe(202);
    const { message } = await ana.until((one) => one.message.pollUpdateMessage !== null && one.type === "poll");
    const under = { id: key, secret: SECRET, author: ana.lidJid, doer: c.owner.lidJid };
    expect(votedIn(under, message, ["a", "b", "c"])).toEqual(["a", "c"]);
    await untilReceived("message:poll-vote");
    expect((await logged(id)).pollTotals).toEqual(
      ["a", "b", "c"].map((option) => ({ option, votes: option === "b" ? 0 : 1 })),
    );
  });

  test("for no option, for too many, and in a message that is no poll is refused at once, and nothing is sent", async () => {
    const poll = await sent({ type: "poll", content: POLL });
    const plain = await sent();
    const before = sentCount();
    const asked = (id: string, votes: unknown[]) => act("POST", id, "vote", { votes });
    expect(gatewaySays(await asked(poll, ["Sabado"]))).toStartWith("400 VALIDATION_ERROR");
    expect(gatewaySays(await asked(poll, [3]))).toStartWith("400 VALIDATION_ERROR");
    expect(gatewaySays(await asked(poll, ["Sábado", "Domingo"]))).toStartWith("400 VALIDATION_ERROR");
    expect(gatewaySays(await asked(poll, []))).toStartWith("400 VALIDATION_ERROR");
    expect(gatewaySays(await asked(plain, ["Sábado"]))).toStartWith("400");
    const { id } = await said({ conversation: "oi" });
    expect(gatewaySays(await asked(id, ["Sábado"]))).toStartWith("400");
    expect(sentCount()).toBe(before);
  });
});

describe("a calendar event", () => {
  const EVENT = { name: "Degustação", startsAt: "2026-12-05T18:00:00.000Z", location: { name: "Padaria" } };

  test("that is sent shows who comes: each person's last answer", async () => {
    const id = await sent({ type: "event", content: EVENT });
    const { id: key, message } = await ana.until(() => true);
    expect(message.eventMessage).toMatchObject({ name: "Degustação", location: { name: "Padaria" } });
    const secret = message.messageContextInfo?.messageSecret ?? new Uint8Array();
    const under = { id: key, secret, author: c.owner.lidJid, doer: ana.lidJid };
    await ana.sendProto(responseUnder(under, { response: "MAYBE" }), { to: c.owner });
    await ana.sendProto(responseUnder(under, { response: "GOING", extraGuestCount: 2 }), { to: c.owner });
    expect(await untilReceived("message:event-response", 2)).toMatchObject([
      { messageId: id, response: "maybe", extraGuests: 0, from: { pn: `${ana.pn}@s.whatsapp.net` } },
      { messageId: id, response: "going", extraGuests: 2 },
    ]);
    expect((await logged(id)).responses).toMatchObject([{ by: `pn:${ana.pn}`, response: "going", extraGuests: 2 }]);
  });

  test("that is received has its place and time, and is answered", async () => {
    const { key, id, got } = await said({
      eventMessage: {
        name: "Festa",
        description: "Em casa",
        startTime: 1_796_493_600,
        endTime: 1_796_500_800,
        joinLink: "https://call.whatsapp.com/voice/x",
        location: { name: "Casa", degreesLatitude: -23.5, degreesLongitude: -46.6 },
      },
      messageContextInfo: { messageSecret: SECRET },
    });
    expect([got.type, got.content]).toEqual([
      "event",
      {
        name: "Festa",
        description: "Em casa",
        startsAt: "2026-12-05T18:00:00.000Z",
        endsAt: "2026-12-05T20:00:00.000Z",
        callLink: "https://call.whatsapp.com/voice/x",
        location: { name: "Casa", latitude: -23.5, longitude: -46.6 },
      },
    ]);
    expect((await act("POST", id, "respond", { response: "going", extraGuests: 1 })).status).toBe(202);
    expect(await untilReceived("message:event-response")).toEqual([
      { messageId: id, response: "going", extraGuests: 1, timestamp: expect.any(String) },
    ]);
    const { message } = await ana.until((one) => Boolean(one.message.encEventResponseMessage));
    const under = { id: key, secret: SECRET, author: ana.lidJid, doer: c.owner.lidJid };
    expect(answeredIn(under, message)).toEqual({ response: "GOING", extraGuestCount: 1 });
    expect((await logged(id)).responses).toMatchObject([{ by: null, response: "going", extraGuests: 1 }]);
  });

  test("without sense is refused by the field, and so is an answer to a text", async () => {
    const faulty = await c.send({ to: ana.pn, type: "event", content: { ...EVENT, endsAt: EVENT.startsAt } });
    expect(gatewaySays(faulty)).toBe("400 VALIDATION_ERROR");
    expect(faulty.text).toContain("endsAt must be later than startsAt");
    const { id } = await said({ conversation: "oi" });
    expect(gatewaySays(await act("POST", id, "respond", { response: "going" }))).toStartWith("400");
    expect(gatewaySays(await act("POST", id, "respond", { response: "yes" }))).toStartWith("400 VALIDATION_ERROR");
    expect(ana.received).toEqual([]);
  });
});
