import { describe, expect, test } from "bun:test";
import type { Content } from "../../../src/contract/content/content.ts";
import type { SendOrder } from "../../../src/contract/plugin.ts";
import {
  ACCOUNT_SID,
  ALIAS,
  MESSAGE_ID,
  OUR_NUMBER,
  PERSON,
  smsChannel,
  TWILIO_TOKEN,
  TWILIO_VAULT,
  ZENVIA_VAULT,
} from "../../support/networks/sms-channel.ts";

const channel = smsChannel();
const TEXT: Content = { type: "text", content: { text: "olá" } };
const ofText = (text: string): Content => ({ type: "text", content: { text } });
const IMAGE: Content = { type: "image", content: { mediaUrl: "https://files.example.com/a.jpg", caption: "a loja" } };
const SERVICE = `MG${"a".repeat(32)}`;

const sendBy = (vault: Record<string, string>) => channel().open(vault).send;
const byTwilio = (content: Content, more: Partial<SendOrder> = {}) => sendBy(TWILIO_VAULT)(content, more);
const byZenvia = (content: Content, more: Partial<SendOrder> = {}) => sendBy(ZENVIA_VAULT)(content, more);

describe("a message through Twilio", () => {
  test("is a form from the number to the person, whose states come to this phone with the id of the message", async () => {
    const { twilio } = channel();
    const { host, send } = channel().open(TWILIO_VAULT);
    expect(await send(TEXT)).toEqual({ ok: true, key: twilio.sent[0]?.id as never, parts: 1 });
    expect(twilio.sent.map(({ fields }) => fields)).toEqual([
      { To: `+${PERSON}`, From: OUR_NUMBER, Body: "olá", StatusCallback: `${host.webhookUrl}?message=${MESSAGE_ID}` },
    ]);
  });

  test("has the parts that the provider reports, and its price where the provider names one at once", async () => {
    channel().twilio.price = "-0.00750";
    expect(await byTwilio(ofText("a".repeat(200)))).toMatchObject({
      parts: 2,
      price: { amount: 7500, currency: "USD" },
    });
  });

  test("through a Messaging Service has the parts that are counted here", async () => {
    channel().twilio.senders.add(SERVICE);
    expect(await sendBy({ ...TWILIO_VAULT, sender: SERVICE })(ofText("ã".repeat(71)))).toMatchObject({ parts: 2 });
    expect(channel().twilio.sent[0]?.fields).toMatchObject({ MessagingServiceSid: SERVICE });
  });

  test.each([
    ["a name", "PADARIA", "PADARIA"],
    ["a short code", "28999", "28999"],
    ["a number without a plus", OUR_NUMBER.slice(1), OUR_NUMBER],
    ["a number as people write it", "+55 11 4004-0001", OUR_NUMBER],
    ["a number as people write it, without a plus", "55 11 4004-0001", OUR_NUMBER],
  ])("goes out from %s", async (_, sender, from) => {
    channel().twilio.senders.add(from);
    expect(await sendBy({ ...TWILIO_VAULT, sender })(TEXT)).toMatchObject({ ok: true });
    expect(channel().twilio.sent[0]?.from).toBe(from);
  });

  test("has the files as links, up to ten, with the caption as its text", async () => {
    expect(await byTwilio(IMAGE)).toMatchObject({ ok: true });
    const images = ["b", "c"].map((name) => ({ mediaUrl: `https://files.example.com/${name}.png` }));
    expect(await byTwilio({ type: "image", content: { images } })).toMatchObject({ ok: true });
    expect(channel().twilio.sent.map(({ text, links }) => [text, links])).toEqual([
      ["a loja", ["https://files.example.com/a.jpg"]],
      ["", images.map(({ mediaUrl }) => mediaUrl)],
    ]);
  });

  test("takes another sender and a validity of this send", async () => {
    channel().twilio.senders.add("PADARIA");
    expect(await byTwilio(TEXT, { options: { sender: "PADARIA", validity: "600" } })).toMatchObject({ ok: true });
    expect(channel().twilio.sent[0]?.fields).toMatchObject({ From: "PADARIA", ValidityPeriod: "600" });
  });

  test("to somebody who wrote STOP says RECIPIENT_OPTED_OUT, with the provider's number", async () => {
    channel().twilio.optedOut.add(`${OUR_NUMBER}>+${PERSON}`);
    expect(await byTwilio(TEXT)).toEqual({
      ok: false,
      kind: "refused",
      code: "RECIPIENT_OPTED_OUT",
      upstreamCode: 21610,
      reason: "(#21610) Attempt to send to unsubscribed recipient",
    });
  });

  test.each([
    [21614, 400, "refused", "RECIPIENT_NOT_ON_NETWORK"],
    [30003, 400, "refused", "RECIPIENT_UNREACHABLE"],
    [30034, 400, "refused", "UPSTREAM_ACCOUNT_RESTRICTED"],
    [20003, 403, "retry", "CREDENTIALS_REFUSED"],
    [20003, 401, "retry", "CREDENTIALS_REFUSED"],
    [21611, 400, "retry", "UPSTREAM_RATE_LIMIT"],
    [99999, 400, "refused", "UPSTREAM_BAD_REQUEST"],
    [20500, 500, "unknown", "OUTCOME_UNKNOWN"],
    [20503, 503, "unknown", "OUTCOME_UNKNOWN"],
  ] as const)("that is refused by %p (HTTP %p) is %s, %s", async (code, status, kind, failure) => {
    channel().sms.refuseNext(/Messages/, status, { code });
    expect(await byTwilio(TEXT)).toMatchObject({ ok: false, kind, code: failure, upstreamCode: code });
  });

  test("at the limit of calls waits as long as the provider says", async () => {
    channel().sms.refuseNext(/Messages/, 429, { code: 20429, retryAfter: 7 });
    expect(await byTwilio(TEXT)).toMatchObject({ kind: "retry", isRateLimit: true, retryAfterMs: 7000 });
  });

  test("goes out without states where the provider cannot call this server", async () => {
    channel().twilio.takesCallbacks = false;
    const { host, send } = channel().open(TWILIO_VAULT);
    expect(await send(TEXT)).toMatchObject({ ok: true });
    expect(channel().twilio.sent.map(({ fields }) => fields["StatusCallback"])).toEqual([undefined]);
    expect(host.logLines.join("")).toContain("messages of this channel have no states");
  });

  test("of a suspended account says so", async () => {
    channel().twilio.status = "suspended";
    expect(await byTwilio(TEXT)).toMatchObject({ kind: "refused", code: "UPSTREAM_ACCOUNT_RESTRICTED" });
  });

  test("whose answer cannot be read may have arrived; without an id it is not sent again", async () => {
    channel().sms.garbleNext(/Messages/);
    expect(await byTwilio(TEXT)).toMatchObject({ kind: "unknown" });
    channel().sms.refuseNext(/Messages/, 201);
    expect(await byTwilio(TEXT)).toMatchObject({ kind: "refused", code: "UPSTREAM_NO_ID" });
  });

  test("is asked of the account that its credentials name, and no failure repeats the token", async () => {
    channel().sms.refuseNext(/Messages/, 400);
    expect(await byTwilio(TEXT)).toMatchObject({ ok: false });
    expect(channel().sms.journal[0]?.path).toBe(`/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`);
    expect(JSON.stringify(channel().sms.journal)).not.toContain(TWILIO_TOKEN);
  });
});

describe("a message through Zenvia", () => {
  test("is JSON from the alias to the digits of the person, with the id of the message", async () => {
    expect(await byZenvia(TEXT)).toEqual({ ok: true, key: channel().zenvia.sent[0]?.id as never, parts: 1 });
    expect(channel().zenvia.sent[0]?.fields).toEqual({
      from: ALIAS,
      to: PERSON,
      contents: [{ type: "text", text: "olá" }],
      externalId: MESSAGE_ID,
    });
  });

  test("has a file as a link below its words, and no file of this server, whose link ends after an hour", async () => {
    expect(await byZenvia(IMAGE)).toMatchObject({ ok: true });
    expect(channel().zenvia.sent[0]?.text).toBe("a loja\nhttps://files.example.com/a.jpg");
    const kept = "https://recado.example/gateway/v1/sent-files/1?file=0";
    expect(await byZenvia({ type: "image", content: { mediaUrl: kept } })).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_UNSUPPORTED",
    });
    expect(channel().zenvia.sent).toHaveLength(1);
  });

  test("has at most 1,520 characters with its links", async () => {
    expect(await byZenvia(ofText("a".repeat(1520)))).toMatchObject({ ok: true, parts: 10 });
    expect(await byZenvia(ofText("a".repeat(1521)))).toMatchObject({ kind: "refused", code: "UPSTREAM_BAD_REQUEST" });
  });

  test("has no options, and a send with some is refused before the provider hears of it", async () => {
    expect(await byZenvia(TEXT, { options: { sender: "OUTRO" } })).toMatchObject({ code: "UPSTREAM_UNSUPPORTED" });
    expect(channel().sms.journal).toEqual([]);
  });

  test("is signed where the token is of the kind that signs, and refused with another secret", async () => {
    channel().zenvia.tokenSecret = "a-secret-of-a-token";
    expect(await byZenvia(TEXT)).toMatchObject({ kind: "retry", code: "CREDENTIALS_REFUSED" });
    const signing = (tokenSecret: string) => sendBy({ ...ZENVIA_VAULT, tokenSecret })(TEXT);
    expect(await signing("another-secret")).toMatchObject({ code: "CREDENTIALS_REFUSED" });
    expect(await signing("a-secret-of-a-token")).toMatchObject({ ok: true });
  });

  test("that is refused says where, in the provider's words", async () => {
    channel().zenvia.aliases.clear();
    expect(await byZenvia(TEXT)).toEqual({
      ok: false,
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
      reason: "VALIDATION_ERROR: Validation error: from is not a sender of the account",
    });
  });

  test.each([
    [500, "unknown", "OUTCOME_UNKNOWN"],
    [429, "retry", "UPSTREAM_RATE_LIMIT"],
    [307, "retry", "UPSTREAM_UNAVAILABLE"],
  ] as const)("that is answered with HTTP %p is %s, %s", async (status, kind, code) => {
    channel().sms.refuseNext(/messages/, status);
    expect(await byZenvia(TEXT)).toMatchObject({ ok: false, kind, code });
  });
});

describe("recipients", () => {
  test.each([
    [PERSON, `pn:${PERSON}`],
    [`pn:${PERSON}`, `pn:${PERSON}`],
    ["uid:28999", "uid:28999"],
    ["uid:mask-8f3a", "uid:mask-8f3a"],
  ])("%s is an address", async (to, canonical) => {
    expect(await channel().plugin.address(to)).toEqual({ ok: true, to: canonical });
  });

  test.each(["28999", "uid:", "uid:a/b", `uid:${"a".repeat(65)}`, "pn:abc", "mask-8f3a", "group:1"])(
    "%s is none",
    async (to) => {
      expect(await channel().plugin.address(to)).toEqual({ ok: false, code: "RECIPIENT_INVALID" });
    },
  );

  test("a masked number is answered under its own id", async () => {
    channel().twilio.optedOut.clear();
    await byTwilio(TEXT, { to: "uid:mask-8f3a" });
    expect(channel().sms.journal[0]?.fields["To"]).toBe("mask-8f3a");
  });
});
