import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { saltRowsIn } from "../../../../plugins/session/inbound/tokens.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import { CONNECTED, unpairedChannel } from "../../../support/session/unpaired.ts";

const channel = unpairedChannel();
const SALT = Buffer.from("a salt of thirty-two bytes, or so");

let people = 0;
const contact = () => channel().net.contact({ pn: `55119333${String(++people).padStart(5, "0")}` });
const send = (pn: string | undefined, words = "olá") => {
  const order: SendOrder = {
    type: "text",
    content: { text: words },
    messageId: "6a0c2b1e-0000-4000-8000-000000000001",
    to: `pn:${pn}`,
  };
  return channel().link.send(order);
};
const saltKept = () => [...channel().host.keyRows.keys()].some((row) => row.includes("nct-salt"));

describe("a network that wants privacy tokens", () => {
  test("W26-12 refuses a stranger, and takes the message with the HMAC by the account's salt", async () => {
    const { net, phone, pair } = channel();
    await pair();
    phone.requireTokens(SALT);
    const ana = contact();
    expect(await send(ana.pn)).toMatchObject({ kind: "refused", upstreamCode: 463 });
    expect(ana.received).toEqual([]);
    await phone.history({ nctSalt: SALT });
    await net.until(() => saltKept());
    expect(await send(ana.pn, "com sal")).toMatchObject({ ok: true });
    await ana.until(({ text }) => text === "com sal");
  });

  test("W26-12 keeps the salt over another link with the same keys", async () => {
    const { net, host, link, phone, pair, openAgain, reported } = channel();
    await pair();
    phone.requireTokens(SALT);
    await phone.history({ nctSalt: SALT });
    await net.until(() => saltKept());
    await link.close();
    host.reports.length = 0;
    const again = openAgain();
    again.connect();
    await reported(CONNECTED);
    const ana = contact();
    expect(
      await again.send({ type: "text", content: { text: "!" }, messageId: "m", to: `pn:${ana.pn}` }),
    ).toMatchObject({ ok: true });
  });

  test("W26-12 a token that rides on a message is kept, and goes with the answer", async () => {
    const { host, phone, pair } = channel();
    await pair();
    phone.requireTokens(SALT);
    const [ana, bia] = [contact(), contact()];
    await bia.say("oi", { to: phone });
    await ana.say("oi", { to: phone, token: Buffer.from("a token") });
    await host.until(() => host.events.filter(({ kind }) => kind === "received").length === 2);
    expect(await send(ana.pn, "oi!")).toMatchObject({ ok: true });
    await ana.until(({ text }) => text === "oi!");
    expect(await send(bia.pn)).toMatchObject({ kind: "refused", upstreamCode: 463 });
  });

  test("W26-12 an older token does not replace the one that is there", async () => {
    const { host, phone, pair } = channel();
    await pair();
    phone.requireTokens(SALT);
    const ana = contact();
    const now = Math.floor(Date.now() / 1000);
    await ana.say("um", { to: phone, time: now - 1000, token: Buffer.from("old") });
    await ana.say("dois", { to: phone, time: now, token: Buffer.from("new") });
    await ana.say("três", { to: phone, time: now - 500, token: Buffer.from("late") });
    await host.until(() => host.events.filter(({ kind }) => kind === "received").length === 3);
    const kept = [...host.keyRows].find(([row]) => row.includes("tctoken") && row.includes(ana.lid))?.[1] ?? "";
    expect(kept).toContain(Buffer.from("new").toString("base64"));
  });
});

describe("the salt in a history", () => {
  const historyWith = (bytes: Uint8Array) => ({
    protocolMessage: { historySyncNotification: { initialHistBootstrapInlinePayload: deflateSync(bytes) } },
  });
  const field19 = (value: Uint8Array) => Buffer.concat([Uint8Array.of(0x9a, 0x01, value.length), value]);

  test("is found behind other fields", () => {
    const before = Uint8Array.of(0x08, 0x96, 0x01, 0x12, 0x02, 1, 2, 0x1d, 1, 2, 3, 4, 0x21, 1, 2, 3, 4, 5, 6, 7, 8);
    expect(saltRowsIn(historyWith(Buffer.concat([before, field19(SALT)])))).toEqual([
      { kind: "nct-salt", id: "salt", value: SALT.toString("base64") },
    ]);
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["no salt", Uint8Array.of(0x08, 0x01)],
    ["an empty salt", field19(new Uint8Array())],
    ["a field that breaks off", Uint8Array.of(0x9a)],
    ["a number without an end", new Uint8Array(20).fill(0x80)],
    ["a part of an unknown kind", Uint8Array.of(0x0b)],
  ])("a history with %s has none", (_, bytes) => {
    expect(saltRowsIn(historyWith(bytes))).toEqual([]);
  });

  test("what is no history has none", () => {
    expect(saltRowsIn({ conversation: "oi" })).toEqual([]);
    expect(
      saltRowsIn({
        protocolMessage: { historySyncNotification: { initialHistBootstrapInlinePayload: Buffer.from("no deflate") } },
      }),
    ).toEqual([]);
  });
});
