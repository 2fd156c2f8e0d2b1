import { describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import type { Stanza } from "../../../../plugins/session/active-socket.ts";
import { knownBy } from "../../../../plugins/session/inbound/known.ts";
import { missingMessages } from "../../../../plugins/session/inbound/missing.ts";
import { originOf } from "../../../../plugins/session/inbound/origin.ts";
import { placeholderOf } from "../../../../plugins/session/inbound/read.ts";
import { receiptsIn } from "../../../../plugins/session/inbound/receipts.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import {
  ANA,
  AT,
  type Attrs,
  BIA,
  fromAna,
  fromBia,
  GROUP,
  ME,
  startReading,
} from "../../../support/session/reading.ts";

const receipt = (attrs: Attrs, content?: Stanza[]): Stanza => ({
  tag: "receipt",
  attrs: { from: ANA.jid, id: "3EB01", t: String(AT), ...attrs },
  ...(content ? { content } : {}),
});
const list = (...ids: string[]): Stanza[] => [
  { tag: "list", attrs: {}, content: ids.map((id) => ({ tag: "item", attrs: { id } })) },
];

describe("a receipt", () => {
  const read = async (stanza: Stanza) => receiptsIn((await startReading()).keyStore, stanza, ME);

  test.each([
    ["without a type", {}, "delivered"],
    ["of a device that nobody looks at", { type: "inactive" }, "delivered"],
    ["of a reader", { type: "read" }, "read"],
    ["of a listener", { type: "played" }, "read"],
  ] as [string, Attrs, string][])("%s says what became of the message, and by whom", async (_, attrs, status) => {
    const played = status === "read" && attrs["type"] === "played" ? { isPlayed: true } : {};
    expect(await read(receipt(attrs))).toEqual([
      {
        kind: "receipt",
        key: "3EB01" as ProviderMessageId,
        at: AT * 1000,
        status,
        by: { lid: ANA.lid },
        ...played,
      } as never,
    ]);
  });

  test.each(["1e999", "8650000000000", "-5", "1.5e-7", "soon"])("at a time that is none (%s) has time 0", async (t) => {
    expect((await read(receipt({ t }))).map(({ at }) => at)).toEqual([0]);
  });

  test("of several messages is an event for each, once by its place and in their order", async () => {
    expect(
      (await read(receipt({ type: "read" }, list("3EB02", "3EB03", "not an id")))).map(({ key }) => key as string),
    ).toEqual(["3EB01", "3EB02", "3EB03"]);
  });

  test("in a group is of the participant, whose number is named where it is known", async () => {
    const stanza = receipt({ from: `${GROUP}@g.us`, participant: `${BIA.lid}:2@lid`, participant_pn: BIA.pnJid });
    expect(await read(stanza)).toMatchObject([
      { status: "delivered", to: { pn: BIA.pn, lid: BIA.lid }, by: { pn: BIA.pn, lid: BIA.lid } },
    ]);
  });

  test.each([
    ["a request to send again", receipt({ type: "retry" })],
    ["an error of a file", receipt({ type: "server-error" })],
    [
      "another device of the owner, which has read",
      receipt({ type: "read-self", from: "900001:2@lid", recipient: ANA.jid }),
    ],
    [
      "another device of the owner, which has sent",
      receipt({ type: "sender", from: "5511900000001:1@s.whatsapp.net", recipient: ANA.jid }),
    ],
    ["another device of the owner, which was delivered to", receipt({ from: "900001:2@lid" })],
    ["another device of the owner, in a group", receipt({ type: "read", from: `${GROUP}@g.us`, participant: ME.lid })],
    ["an id that could be none", receipt({ id: "a b" })],
  ])("says nothing when it is %s", async (_, stanza) => {
    expect(await read(stanza)).toEqual([]);
  });
});

describe("a pair of addresses", () => {
  const pair = { pn: ANA.pnJid, lid: ANA.jid };

  test("is published of somebody who wrote under one of them, once", async () => {
    const { read, keyStore } = await startReading();
    await read(fromAna({ sender_pn: "" }), { conversation: "oi" });
    const [changes, ...others] = await knownBy(keyStore, [{ pn: BIA.pnJid, lid: BIA.jid }, pair], 5);
    expect([changes?.events, others]).toEqual([[{ kind: "known", at: 5, identity: { pn: ANA.pn, lid: ANA.lid } }], []]);
    await keyStore.write(changes ?? {});
    expect(await knownBy(keyStore, [pair], 6)).toEqual([]);
  });

  test("publishes nothing of somebody who wrote under both, nor of thousands of strangers", async () => {
    const { read, keyStore } = await startReading();
    await read(fromAna(), { conversation: "oi" });
    const strangers = Array.from({ length: 1200 }, (_, index) => ({
      pn: `${5_521_900_000_000 + index}@s.whatsapp.net`,
      lid: `${700_000 + index}@lid`,
    }));
    expect(await knownBy(keyStore, [pair, ...strangers], 5)).toEqual([]);
  });

  test("is found among thousands", async () => {
    const { read, keyStore } = await startReading();
    await read(fromAna({ sender_pn: "" }), { conversation: "oi" });
    const strangers = Array.from({ length: 1200 }, (_, index) => ({
      pn: `${5_521_900_000_000 + index}@s.whatsapp.net`,
      lid: `${700_000 + index}@lid`,
    }));
    expect((await knownBy(keyStore, [...strangers, pair], 5)).flatMap(({ events = [] }) => events)).toHaveLength(1);
  });
});

describe("a message that cannot be decrypted", () => {
  const start = async () => {
    const { host } = await startReading();
    return {
      host,
      missing: missingMessages(host),
      warnings: () => host.logLines.filter((line) => line.includes('"warn"')),
    };
  };

  test("and does not come again within 60 s is counted in one line, and not named", async () => {
    const { host, missing, warnings } = await start();
    missing.expect("3EB01");
    host.clock.advance(30 * SECOND_MS);
    for (const id of ["3EB02", "3EB01"]) missing.expect(id);
    host.clock.advance(30 * SECOND_MS - 1);
    expect(warnings()).toEqual([]);
    host.clock.advance(1);
    expect(warnings().map((line) => JSON.parse(line).count)).toEqual([1]);
    host.clock.advance(60 * SECOND_MS);
    expect(warnings().map((line) => JSON.parse(line).count)).toEqual([1, 1]);
    expect([warnings().join().includes("3EB0"), host.clock.pendingTimers]).toEqual([false, 0]);
  });

  test("is no more missed when it has come, nor after the end", async () => {
    const { host, missing, warnings } = await start();
    missing.expect("3EB01");
    missing.came("3EB01");
    missing.expect("3EB02");
    missing.close();
    expect(host.clock.pendingTimers).toBe(0);
    host.clock.advance(120 * SECOND_MS);
    expect(warnings()).toEqual([]);
  });

  test("is missed in bounded numbers", async () => {
    const { host, missing, warnings } = await start();
    for (let index = 0; index < 1500; index++) missing.expect(`3EB0${index}`);
    host.clock.advance(60 * SECOND_MS);
    expect(warnings().map((line) => JSON.parse(line).count)).toEqual([1000]);
  });
});

describe("a message that may be opened once", () => {
  const placeholder = async (attrs: Attrs) => {
    const reading = await startReading();
    const origin = originOf({ tag: "message", attrs }, ME);
    if (!origin) throw new Error("no origin");
    return { ...reading, changes: await placeholderOf(reading.keyStore, origin) };
  };

  test("has a placeholder, which its content may fill", async () => {
    const { changes, keyStore, read } = await placeholder(fromAna({ id: "3EB0AA" }));
    expect(changes.events).toMatchObject([
      {
        kind: "received",
        key: "3EB0AA" as ProviderMessageId,
        isPlaceholder: true,
        from: { pn: ANA.pn },
        content: { type: "unsupported", content: { originalType: "viewOnce" } },
      },
    ]);
    await keyStore.write(changes);
    expect(await read(fromBia({ id: "3EB0AA" }), { conversation: "falso" })).toEqual([]);
    expect(await read(fromAna({ id: "3EB0AA" }), { conversation: "oi" })).toMatchObject([
      { key: "3EB0AA" as ProviderMessageId, content: { type: "text" } },
    ]);
  });
});

describe("a message that the owner's phone hands on, because it came without its content", () => {
  const { PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE } = proto.Message.ProtocolMessage.Type;
  const response = (info: proto.IWebMessageInfo): proto.IMessage => ({
    protocolMessage: {
      type: PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
      peerDataOperationRequestResponseMessage: {
        peerDataOperationResult: [
          { placeholderMessageResendResponse: { webMessageInfoBytes: proto.WebMessageInfo.encode(info).finish() } },
        ],
      },
    },
  });
  const late = response({
    key: { remoteJid: ANA.jid, fromMe: false, id: "3EB0AD" },
    message: { conversation: "vi o anúncio" },
    messageTimestamp: AT,
    pushName: "Ana",
  });
  const peer: Attrs = { id: "3EB0PEER", from: "900001@lid", t: String(AT + 9), category: "peer" };

  test("is published as if it had come whole", async () => {
    const { read } = await startReading();
    expect(await read(peer, late)).toMatchObject([
      {
        kind: "received",
        key: "3EB0AD" as ProviderMessageId,
        at: AT * 1000,
        from: { lid: ANA.lid },
        pushName: "Ana",
        content: { type: "text", content: { text: "vi o anúncio" } },
      },
    ]);
  });

  test("is believed of the owner's phone alone", async () => {
    const { read } = await startReading();
    expect(await read(fromBia({ category: "peer" }), late)).toEqual([]);
    expect(await read(fromBia(), late)).toEqual([]);
  });

  test("is not published when its bytes are none", async () => {
    const { read } = await startReading();
    const broken = response({});
    const result =
      broken.protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult?.[0]
        ?.placeholderMessageResendResponse;
    if (result) result.webMessageInfoBytes = new Uint8Array([255, 255, 255]);
    expect(await read(peer, broken)).toEqual([]);
  });
});
