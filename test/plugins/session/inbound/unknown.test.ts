import { describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import { importedIn } from "../../../../plugins/session/history/messages.ts";
import { ANA, fromAna, fromOwner, startReading } from "../../../support/session/reading.ts";
import { received, receivingChannel } from "../../../support/session/receiving.ts";
import { wireField } from "../../../support/whatsapp/people/content.ts";

/** A message of a type of next year: the field 190, which the pinned library does not know. */
const NEW = wireField(190, wireField(1, "olá"));
const NUMBER = Buffer.of(0xf0, 0x0b, 0x01);
const GROUP = Buffer.of(0xf3, 0x0b, 0xf4, 0x0b);
const known = (message: proto.IMessage) => Buffer.from(proto.Message.encode(message).finish());
/** The number of a field of the library's. */
const numberOf = (name: keyof proto.IMessage): number => {
  const at = Array.from({ length: 300 }, (_, number) => number + 1).find((number) => {
    const decoded = proto.Message.decode(wireField(number, ""));
    return Object.keys(decoded)[0] === name;
  });
  if (at === undefined) throw new Error(`the library has no ${name}`);
  return at;
};
/** The same in a part that has a message alone. */
const inside = (name: keyof proto.IMessage, message: Buffer) =>
  wireField(numberOf(name), wireField(name === "deviceSentMessage" ? 2 : 1, message));

const WRAPPERS = [
  "ephemeralMessage",
  "viewOnceMessage",
  "viewOnceMessageV2",
  "viewOnceMessageV2Extension",
  "documentWithCaptionMessage",
  "editedMessage",
  "associatedChildMessage",
  "groupStatusMessage",
  "groupStatusMessageV2",
] as const satisfies (keyof proto.IMessage)[];

const SILENT = {
  senderKeyDistributionMessage: { groupId: "g", axolotlSenderKeyDistributionMessage: Buffer.of(1, 2) },
  messageContextInfo: { messageSecret: Buffer.alloc(32, 1) },
};

describe("G-610 a message of a type that the library does not know", () => {
  test.each([
    ["alone", NEW, NEW],
    ["beside what says something about the message", Buffer.concat([known(SILENT), NEW]), NEW],
    ["before it", Buffer.concat([NEW, known(SILENT)]), NEW],
    ["as a number", NUMBER, NUMBER],
    ["as a group, which no app writes", GROUP, GROUP],
    ...WRAPPERS.map((name) => [`in ${name}`, inside(name, NEW), inside(name, NEW)] as [string, Buffer, Buffer]),
    [
      "in two wrappers",
      inside("ephemeralMessage", inside("viewOnceMessageV2", Buffer.concat([known(SILENT), NEW]))),
      inside("ephemeralMessage", inside("viewOnceMessageV2", NEW)),
    ],
    [
      "beside a wrapper that says nothing",
      Buffer.concat([inside("ephemeralMessage", known(SILENT)), NEW]),
      Buffer.concat([inside("ephemeralMessage", Buffer.alloc(0)), NEW]),
    ],
  ])("is unsupported, with its bytes but for its secrets: %s", async (_, wire, kept) => {
    const { read, host } = await startReading();
    const events = await read(fromAna(), { wire });
    expect(events).toMatchObject([
      {
        kind: "received",
        from: { pn: ANA.pn },
        content: { type: "unsupported", content: { originalType: "field190" } },
        raw: kept.toString("base64"),
      },
    ]);
    expect(host.unknowns).toEqual(["message:field190"]);
  });

  test("in a wrapper that is not known either is named by the wrapper, and has no secrets either", async () => {
    const { read } = await startReading();
    const inner = known({ conversation: "oi" });
    const wire = wireField(191, wireField(1, Buffer.concat([known(SILENT), inner])));
    expect(await read(fromAna(), { wire })).toMatchObject([
      {
        content: { content: { originalType: "field191" } },
        raw: wireField(191, wireField(1, inner)).toString("base64"),
      },
    ]);
  });

  test.each([
    ["a text", "zebra"],
    ["a text as a message has it", wireField(1, "zebra".repeat(50))],
    ["numbers", Buffer.alloc(40, 0xff)],
    ["a secret of its own", wireField(2, Buffer.alloc(32, 1))],
  ])("keeps every byte where it holds no message: %s", async (_, content) => {
    const { read } = await startReading();
    const wire = wireField(190, content);
    expect(await read(fromAna(), { wire })).toMatchObject([{ raw: wire.toString("base64") }]);
  });

  test("a call, which is its key alone, has no bytes", async () => {
    const { read } = await startReading();
    const [event] = await read(fromAna(), { wire: known({ call: { callKey: Buffer.alloc(32, 1) } }) });
    expect(event).toHaveProperty("content", { type: "unsupported", content: { originalType: "call" } });
    expect(event).not.toHaveProperty("raw");
  });

  test("in a wrapper that the library's helper does not open, too", async () => {
    const { read } = await startReading();
    const wire = inside("lottieStickerMessage", NEW);
    expect(await read(fromAna(), { wire })).toMatchObject([
      { content: { type: "unsupported" }, raw: wire.toString("base64") },
    ]);
  });

  test.each([
    ["a rich response of an assistant", { richResponseMessage: { messageType: 1, submessages: [] } }, "richResponse"],
    [
      "one that was forwarded",
      { botForwardedMessage: { message: { richResponseMessage: { messageType: 1 } } } },
      "richResponse",
    ],
  ] as [string, proto.IMessage, string][])(
    "or that Recado does not read is not lost either: %s",
    async (_, message, originalType) => {
      const { read } = await startReading();
      expect(await read(fromAna(), { wire: known(message) })).toMatchObject([
        { kind: "received", content: { type: "unsupported", content: { originalType } } },
      ]);
    },
  );

  test("that the owner wrote on the phone is the owner's", async () => {
    const { read } = await startReading();
    const wire = inside("deviceSentMessage", Buffer.concat([known(SILENT), NEW]));
    const raw = inside("deviceSentMessage", NEW).toString("base64");
    expect(await read(fromOwner(), { wire })).toMatchObject([{ isOwn: true, content: { type: "unsupported" }, raw }]);
  });

  test("is one event for its id, and each is counted by the name of its type", async () => {
    const { read, host } = await startReading();
    for (const id of ["3EB0AA01", "3EB0AA02", "3EB0AA03"]) await read(fromAna({ id }), { wire: NEW });
    await read(fromAna(), { wire: wireField(192, "") });
    expect(host.events).toHaveLength(4);
    expect(host.unknowns).toEqual(["message:field190", "message:field190", "message:field190", "message:field192"]);
  });

  test("is published without its bytes where they are too many", async () => {
    const { read } = await startReading();
    const [event] = await read(fromAna(), { wire: wireField(190, Buffer.alloc(128 * 1024)) });
    expect(event).toHaveProperty("content.type", "unsupported");
    expect(event).not.toHaveProperty("raw");
  });

  test("does not take the place of what is known", async () => {
    const { read } = await startReading();
    const [event] = await read(fromAna(), { wire: Buffer.concat([NEW, known({ conversation: "oi" })]) });
    expect(event).toHaveProperty("content", { type: "text", content: { text: "oi" } });
    expect(event).not.toHaveProperty("raw");
  });
});

describe("what says nothing stays silent", () => {
  test.each([
    ["keys of a group alone", known({ senderKeyDistributionMessage: SILENT.senderKeyDistributionMessage })],
    ["keys beside a context", known(SILENT)],
    [
      "a context with a field that is new",
      Buffer.concat([
        known({ senderKeyDistributionMessage: SILENT.senderKeyDistributionMessage }),
        wireField(numberOf("messageContextInfo"), wireField(99, "x")),
      ]),
    ],
    ["the same in a wrapper", inside("ephemeralMessage", known(SILENT))],
    ["nothing at all", Buffer.alloc(0)],
    ["nothing in a wrapper", inside("ephemeralMessage", Buffer.alloc(0))],
  ])("%s", async (_, wire) => {
    const { read, host } = await startReading();
    expect(await read(fromAna(), { wire })).toEqual([]);
    expect(host.logLines.filter((line) => line.includes("does not know"))).toEqual([]);
  });
});

describe("on the network", () => {
  const channel = receivingChannel();

  test("G-610 a message of an unknown type is published before it is acknowledged, and garbage stops nothing", async () => {
    const { ana, phone, host } = channel();
    const id = await ana.sendProto({ wire: NEW }, { to: phone });
    await ana.sendProto({ wire: Buffer.of(0xff, 0xff, 0xff) }, { to: phone });
    const own = await phone.sendProto({ wire: NEW }, { to: ana });
    const last = await ana.say("fim", { to: phone });
    expect(await received(host, "received", 3)).toMatchObject([
      { key: id, content: { type: "unsupported" }, raw: NEW.toString("base64") },
      { key: own, isOwn: true, content: { type: "unsupported" } },
      { key: last, content: { type: "text" } },
    ]);
  });
});

test("W26-11 a message of history that cannot be read does not hold up the others of its piece", async () => {
  const { host, keyStore } = await startReading();
  const reading = { host, keyStore, own: { pn: "5511900000001" }, unknowns: { note: () => {} } };
  const written = (id: string, content: Uint8Array) => ({
    info: { key: { remoteJid: ANA.jid, fromMe: false, id }, message: {}, messageTimestamp: 1_700_000_000 },
    entry: wireField(1, wireField(2, content)),
  });
  const { events } = await importedIn(reading, [written("3EB0BROKEN", Buffer.of(0xff)), written("3EB0NEW", NEW)]);
  expect(events).toMatchObject([{ key: "3EB0NEW", content: { type: "unsupported" }, raw: NEW.toString("base64") }]);
});
