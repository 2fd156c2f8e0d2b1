import { describe, expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { smsWebhook } from "../../../plugins/sms/webhook.ts";
import type { ChannelEvent } from "../../../src/contract/events.ts";
import { keptPart, type WebhookRequest } from "../../../src/contract/webhooks.ts";
import {
  ALIAS,
  MESSAGE_ID,
  OUR_NUMBER,
  PERSON,
  smsChannel,
  TWILIO_TOKEN,
  TWILIO_VAULT,
  WEBHOOK_TOKEN,
  ZENVIA_VAULT,
} from "../../support/networks/sms-channel.ts";
import { signedByTwilio } from "../../support/sms/twilio.ts";

const channel = smsChannel();
const HOOK = "https://recado.example/gateway/v1/upstream-webhook/1";
const TALK = { From: `+${PERSON}`, To: OUR_NUMBER };
const ANA = { pn: PERSON };

const requestOf = (url: string, headers: Record<string, string>, body: string): WebhookRequest => ({
  method: "POST",
  url,
  query: new URL(url).searchParams,
  headers: new Headers(headers),
  receivedAt: 0,
  rawBody: Buffer.from(body),
});
const ofForm = (form: URLSearchParams, url = HOOK, token = TWILIO_TOKEN): WebhookRequest =>
  requestOf(url, signedByTwilio(token, url, form), form.toString());
const isVerified = (request: WebhookRequest, vault: Record<string, string> = TWILIO_VAULT): boolean =>
  smsWebhook.verify(request, vault);
/** The events of what is stored of a request. */
const eventsOf = (request: WebhookRequest) => smsWebhook.parse(keptPart(request, smsWebhook.keeps));
const zenviaRequest = (event: object, account = "padaria"): WebhookRequest =>
  requestOf(
    `${HOOK}?account=${account}`,
    { "content-type": "application/json", "x-recado-token": WEBHOOK_TOKEN },
    JSON.stringify(event),
  );
const received = (more: object): ChannelEvent =>
  ({ kind: "received", at: 0, from: ANA, chat: ANA, pushName: null, ...more }) as ChannelEvent;

describe("a signature of Twilio", () => {
  const of = (url: string, parameters: Record<string, string>, signature: string) =>
    requestOf(
      url,
      { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
      new URLSearchParams(parameters).toString(),
    );

  test.each([
    ["https://mycompany.com/myapp.php?foo=1&bar=2", "+14158675309", "RSOYDt4T1cUTdK1PDd93/VVr8B8="],
    ["https://example.com/myapp.php?foo=1&bar=2", "+14158675310", "L/OH5YylLD5NRKLltdqwSvS0BnU="],
  ])("is the one that its pages give for %s", (url, From, signature) => {
    const parameters = { Digits: "1234", To: "+18005551212", From, Caller: From, CallSid: "CA1234567890ABCDE" };
    expect(isVerified(of(url, parameters, signature), { provider: "twilio", token: "12345" })).toBe(true);
    expect(
      isVerified(of(url, { ...parameters, Digits: "1235" }, signature), { provider: "twilio", token: "12345" }),
    ).toBe(false);
    expect(isVerified(of(`${url}3`, parameters, signature), { provider: "twilio", token: "12345" })).toBe(false);
  });

  test("is taken with and without the port of the URL, as the provider is not consistent", () => {
    const form = channel().twilio.written(TALK);
    const signed = (url: string) => signedByTwilio(TWILIO_TOKEN, url, form);
    for (const [called, written] of [
      [HOOK, HOOK.replace("recado.example", "recado.example:443")],
      [HOOK.replace("recado.example", "recado.example:8443"), HOOK],
    ] as const)
      expect(isVerified(requestOf(called, signed(written), form.toString()))).toBe(true);
  });

  test("of JSON covers the bytes by their hash in the URL", () => {
    const body = JSON.stringify({ MessageSid: "SM1", MessageStatus: "delivered" });
    const hash = createHash("sha256").update(body).digest("hex");
    const signedAt = (url: string) => ({
      "content-type": "application/json",
      "x-twilio-signature": createHmac("sha1", TWILIO_TOKEN).update(url).digest("base64"),
    });
    const url = `${HOOK}?message=${MESSAGE_ID}&bodySHA256=${hash}`;
    const request = requestOf(url, signedAt(url), body);
    expect(isVerified(request)).toBe(true);
    expect(isVerified(requestOf(url, signedAt(url), `${body} `))).toBe(false);
    expect(isVerified(requestOf(HOOK, signedAt(HOOK), body))).toBe(false); // nothing covers these bytes
    expect(eventsOf(request)).toEqual([
      { kind: "receipt", key: "SM1" as never, at: 0, status: "delivered", messageId: MESSAGE_ID },
    ]);
  });

  test("is not that of another account, of an empty token, or of a vault of the other provider", () => {
    const form = channel().twilio.written(TALK);
    expect(isVerified(ofForm(form, HOOK, "another-token"))).toBe(false);
    expect(isVerified(ofForm(form, HOOK, ""), { ...TWILIO_VAULT, token: "" })).toBe(false);
    expect(isVerified(ofForm(form), { ...ZENVIA_VAULT, token: TWILIO_TOKEN, webhookToken: WEBHOOK_TOKEN })).toBe(false);
  });

  test("of a form with more parameters than any message has is refused before they are read", () => {
    const form = new URLSearchParams(Array.from({ length: 501 }, (_, at): [string, string] => [`P${at}`, "x"]));
    expect(isVerified(ofForm(form))).toBe(false);
  });
});

describe("a token of Zenvia's webhooks", () => {
  test("is the one of the vault, and an empty one is nobody's", () => {
    const request = zenviaRequest({});
    const vault = { ...ZENVIA_VAULT, webhookToken: WEBHOOK_TOKEN };
    expect(smsWebhook.isSigned(request)).toBe(true);
    expect(isVerified(request, vault)).toBe(true);
    expect(isVerified(request, { ...vault, webhookToken: "cd".repeat(32) })).toBe(false);
    expect(isVerified(request, ZENVIA_VAULT)).toBe(false);
    expect(isVerified(requestOf(HOOK, {}, "{}"), ZENVIA_VAULT)).toBe(false); // neither side has one
    expect(smsWebhook.isSigned(requestOf(HOOK, {}, "{}"))).toBe(false);
  });
});

describe("a message that comes in through Twilio", () => {
  test("has the words of the person", () => {
    const form = channel().twilio.written({ ...TALK, Body: "tem bolo? ção 🚚" });
    expect(eventsOf(ofForm(form))).toEqual([
      received({ key: form.get("MessageSid"), content: { type: "text", content: { text: "tem bolo? ção 🚚" } } }),
    ]);
    expect(smsWebhook.answer(ofForm(form))).toEqual({ contentType: "text/xml", body: "<Response/>" });
  });

  test("with several files has each of them, whatever their types, and the words are with the first", () => {
    const files = {
      NumMedia: "3",
      MediaUrl0: "https://a/0",
      MediaContentType0: "image/jpeg",
      MediaUrl1: "https://a/1",
    };
    const more = { MediaContentType1: "application/x-odd", MediaUrl2: "https://a/2" };
    const form = channel().twilio.written({ ...TALK, ...files, ...more, Body: "olha" });
    const fileOf = (place: number, type: string, contentType: string, more: object = {}) => ({
      content: { type, content: { mimeType: contentType, ...more } },
      media: { nativeId: `https://a/${place}`, contentType },
    });
    expect(eventsOf(ofForm(form))).toEqual([
      received({
        key: form.get("MessageSid"),
        ...fileOf(0, "image", "image/jpeg", { caption: "olha" }),
        furtherParts: [fileOf(1, "document", "application/x-odd"), fileOf(2, "document", "application/octet-stream")],
      }),
    ]);
  });

  test.each([
    ["no number of files", {}],
    ["a number that is too small", { NumMedia: "1" }],
    ["an odd number", { NumMedia: "-1" }],
  ])("with %s has every file that is there", (_, number) => {
    const files = { MediaUrl0: "https://a/0", MediaUrl1: "https://a/1" };
    expect(eventsOf(ofForm(channel().twilio.written({ ...TALK, NumMedia: "", ...number, ...files })))).toMatchObject([
      { media: { nativeId: "https://a/0" }, furtherParts: [{ media: { nativeId: "https://a/1" } }] },
    ]);
  });

  test("with a voice note keeps its words beside it", () => {
    const file = { NumMedia: "1", MediaUrl0: "https://a/0", MediaContentType0: "audio/amr" };
    const events = eventsOf(ofForm(channel().twilio.written({ ...TALK, ...file, Body: "ouve" })));
    expect(events).toMatchObject([{ content: { type: "text" }, furtherParts: [{ content: { type: "audio" } }] }]);
  });

  test.each([
    ["a short code", "28999", { uid: "28999" }],
    ["a name", "BANCO DA VILA", { uid: "BANCO DA VILA" }],
    ["a masked number", "mask-8f3a", { uid: "mask-8f3a" }],
    ["an odd name", "Pão & Cia", { uid: "P_o___Cia" }],
    ["nobody", "", { uid: "unknown" }],
    ["an endless name", "x".repeat(300), { uid: "x".repeat(64) }],
  ])("from %s has an id of its own form", (_, From, from) => {
    expect(eventsOf(ofForm(channel().twilio.written({ ...TALK, From, Body: "oi" })))).toMatchObject([{ from }]);
  });

  test("that the provider reads as an opt-out says so, beside the message", () => {
    const consent = (type: string, Body: string) => {
      const form = channel().twilio.written({ ...TALK, Body, OptOutType: type });
      return eventsOf(ofForm(form)).slice(1);
    };
    expect(consent("STOP", "Chega")).toMatchObject([{ kind: "consent", from: ANA, state: "opted_out", word: "Chega" }]);
    expect(consent("START", "Volta")).toMatchObject([{ kind: "consent", state: "opted_in" }]);
    expect(consent("HELP", "HELP")).toEqual([]);
  });

  test("without words or files, or with an id of no form, is no error", () => {
    expect(eventsOf(ofForm(channel().twilio.written({ ...TALK, Body: "" })))).toMatchObject([
      { content: { type: "unsupported" } },
    ]);
    expect(eventsOf(ofForm(new URLSearchParams({ MessageSid: "../x" })))).toMatchObject([{ kind: "unknown" }]);
    expect(eventsOf(requestOf(HOOK, {}, ""))).toMatchObject([{ kind: "unknown" }]);
    expect(eventsOf(requestOf(HOOK, { "content-type": "application/json" }, "[1"))).toMatchObject([
      { kind: "unknown" },
    ]);
  });
});

describe("a state of a message at Twilio", () => {
  const sent = { id: "SM9", from: OUR_NUMBER, to: `+${PERSON}`, text: "", links: [], fields: {} };
  const stateOf = (status: string, more: Record<string, string> = {}) =>
    eventsOf(ofForm(channel().twilio.stateOf(sent, status, more), `${HOOK}?message=${MESSAGE_ID}&odd=1`));
  const receipt = { kind: "receipt", key: "SM9", at: 0, messageId: MESSAGE_ID };

  test.each(["sent", "delivered", "read"])("%s is a receipt with the id of the message", (status) => {
    expect(stateOf(status)).toEqual([{ ...receipt, status } as never]);
  });

  test.each(["accepted", "scheduled", "queued", "sending"])("%s is none", (status) => {
    expect(stateOf(status)).toEqual([]);
  });

  test.each([
    ["undelivered", "30003", "RECIPIENT_UNREACHABLE"],
    ["failed", "21610", "RECIPIENT_OPTED_OUT"],
    ["failed", "30007", undefined],
  ])("%s with %s is a failure, with its number and its meaning", (status, ErrorCode, failure) => {
    expect(stateOf(status, { ErrorCode })).toMatchObject([
      { ...receipt, status: "failed", error: { code: Number(ErrorCode), ...(failure ? { failure } : {}) } },
    ]);
  });

  test("has parts and price where a provider names them", () => {
    expect(stateOf("delivered", { NumSegments: "3", Price: "-0.0225", PriceUnit: "usd" })).toMatchObject([
      { parts: 3, price: { amount: 22_500, currency: "USD" } },
    ]);
    expect(stateOf("sent", { NumSegments: "0", Price: "free", PriceUnit: "USD" })).toEqual([
      { ...receipt, status: "sent" } as never,
    ]);
  });

  test("that is not known is named", () => {
    expect(stateOf("odd")).toEqual([{ kind: "unknown", at: 0, what: "state odd" }]);
  });
});

describe("an event of Zenvia", () => {
  const at = Date.parse("2026-11-20T12:00:00Z");

  test("is for the phone of the alias within the account, and a message has its time", () => {
    const event = channel().zenvia.written({ from: PERSON, to: ALIAS, text: "tem bolo?" });
    expect(eventsOf(zenviaRequest(event))).toEqual([
      {
        numberId: `padaria/${ALIAS}`,
        event: received({ key: event["message"].id, at, content: { type: "text", content: { text: "tem bolo?" } } }),
      },
    ]);
    expect(channel().plugin.routeOf?.(ZENVIA_VAULT)).toEqual({ accountId: "padaria", numberId: `padaria/${ALIAS}` });
    expect(smsWebhook.answer(zenviaRequest(event))).toBeUndefined();
  });

  test("of a message of our own, which a webhook for both directions has, is left out", () => {
    expect(eventsOf(zenviaRequest({ type: "MESSAGE", message: { id: "1", direction: "OUT" } }))).toEqual([]);
  });

  test("with several contents has each of them", () => {
    const contents = ["um", "dois"].map((text) => ({ type: "text", text }));
    const message = { id: "1", from: PERSON, to: ALIAS, contents };
    expect(eventsOf(zenviaRequest({ type: "MESSAGE", message }))).toMatchObject([
      { event: { content: { content: { text: "um" } }, furtherParts: [{ content: { content: { text: "dois" } } }] } },
    ]);
  });

  test("with a content that is no text keeps the message", () => {
    const message = { id: "1", from: PERSON, to: ALIAS, contents: [{ type: "file", fileUrl: "https://a/b" }] };
    expect(eventsOf(zenviaRequest({ type: "MESSAGE", message }))).toMatchObject([
      { event: { content: { type: "unsupported", content: { originalType: "file" } } } },
    ]);
  });

  const sent = { id: "3f1c", from: ALIAS, to: PERSON, text: "", links: [], fields: { externalId: MESSAGE_ID } };
  test.each([
    ["SENT", "sent"],
    ["DELIVERED", "delivered"],
    ["READ", "read"],
    ["VERIFIED", "delivered"],
  ])("%s is a receipt: %s", (code, status) => {
    expect(eventsOf(zenviaRequest(channel().zenvia.stateOf(sent, code)))).toEqual([
      {
        numberId: `padaria/${ALIAS}`,
        event: { kind: "receipt", key: "3f1c", at, status, messageId: MESSAGE_ID },
      } as never,
    ]);
  });

  test("NOT_DELIVERED is a failure with its cause", () => {
    const causes = [{ channelErrorCode: "13", reason: "expired", details: "The phone was off" }];
    expect(eventsOf(zenviaRequest(channel().zenvia.stateOf(sent, "NOT_DELIVERED", { causes })))).toMatchObject([
      { event: { status: "failed", error: { code: 13, reason: "expired: The phone was off" } } },
    ]);
  });

  test.each([
    [{}],
    [{ type: "MESSAGE" }],
    [{ type: "MESSAGE", message: 7 }],
    [{ type: "MESSAGE_STATUS" }],
    [[]],
    [null],
  ])("%j is no error", (event) => {
    expect(JSON.stringify(eventsOf(zenviaRequest(event as object)))).toContain('"unknown"');
  });
});
