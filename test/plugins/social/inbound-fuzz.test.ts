import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import { INBOUND_CONTENT } from "../../../src/contract/content/inbound-content.ts";
import type { ChannelEvent, Identity } from "../../../src/contract/events.ts";
import { ACCOUNT, USER } from "../../support/networks/social-channel.ts";
import { AT, ENTRY_AT, entry, envelope, fromUser, type Part, parse } from "../../support/networks/social-envelope.ts";

const KINDS = ["received", "reacted", "edited", "revoked", "read-up-to", "unknown"];
const TYPES = ["text", "image", "video", "audio", "document", "button_reply", "request_welcome", "unsupported"];

/** What may stand in the place of anything. */
const JUNK = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    "",
    "constructor",
    "__proto__",
    -1,
    1e308,
    0.1,
    "NaN",
    [],
    {},
    [null],
    [[]],
    true,
    "mid.X",
  ),
);

/** A part of these names, each missing, as it should be, or something else. */
const part = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Part> =>
  fc.record(
    Object.fromEntries(
      Object.entries(shape).map(([name, good]) => [
        name,
        fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: JUNK }),
      ]),
    ),
    {
      requiredKeys: [],
    },
  );

const id = fc.constantFrom(ACCOUNT, USER, "17841400000000001");
const mid = fc.constantFrom("mid.A", "mid.B");
const words = fc.string({ maxLength: 5 });
const file = part({
  type: fc.constantFrom(
    "image",
    "video",
    "audio",
    "file",
    "share",
    "ig_post",
    "reel",
    "story_mention",
    "template",
    "toString",
  ),
  payload: part({ url: fc.webUrl(), ig_post_media_id: words }),
});
const ITEM = part({
  sender: part({ id }),
  recipient: part({ id }),
  timestamp: fc.oneof(fc.constant(AT), fc.double(), fc.string()),
  message: part({
    mid,
    text: words,
    attachments: fc.array(file, { maxLength: 3 }),
    quick_reply: part({ payload: words }),
    reply_to: part({ mid, story: part({ url: fc.webUrl() }) }),
    is_echo: fc.boolean(),
    is_deleted: fc.boolean(),
    is_unsupported: fc.boolean(),
    referral: part({ ref: words, source: words, ad_id: words, ads_context_data: part({ ad_title: words }) }),
  }),
  postback: part({ mid, title: words, payload: words }),
  reaction: part({ mid, action: fc.constantFrom("react", "unreact"), reaction: words, emoji: words }),
  read: part({ mid, watermark: fc.double() }),
  message_edit: part({ mid, text: words, num_edit: fc.nat(2) }),
  referral: part({ ref: words }),
});
const CHANGE = part({ field: fc.constantFrom("messages", "messaging_seen", "comments", "toString"), value: ITEM });
const items = fc.array(fc.oneof({ weight: 5, arbitrary: ITEM }, { weight: 1, arbitrary: JUNK }), { maxLength: 4 });
const ENTRY = part({
  id,
  time: fc.double(),
  messaging: items,
  standby: items,
  changes: fc.array(CHANGE, { maxLength: 2 }),
  field: fc.constant("messages"),
  value: ITEM,
});

const expectPerson = (identity: Identity): void => {
  expect(Object.keys(identity)).toEqual(["igsid"]);
  expect(identity.igsid).toBeString();
  expect(identity.igsid).not.toBe("");
};

/** What the core may rely on, whatever the network sent. */
const expectSound = (event: ChannelEvent): void => {
  expect(KINDS).toContain(event.kind);
  expect(Number.isInteger(event.at) && event.at >= 0 && event.at <= 8.64e15).toBe(true);
  if ("key" in event) expect(event.key).toBeString();
  if ("key" in event) expect(event.key).not.toBe("");
  if ("from" in event) expectPerson(event.from);
  if (event.kind === "unknown") expect(event.what.length).toBeLessThan(100);
  if (event.kind !== "received") return;
  expectPerson(event.chat);
  expect(TYPES).toContain(event.content.type);
  expect(Value.Check(INBOUND_CONTENT[event.content.type], event.content.content)).toBe(true);
  if (event.media) expect([typeof event.media.nativeId, typeof event.media.contentType]).toEqual(["string", "string"]);
};

const WITNESS = fromUser({ message: { mid: "mid.WITNESS", text: "oi" } });
const isWitness = (event: ChannelEvent): boolean => event.kind === "received" && event.key === "mid.WITNESS";
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

describe("whatever the network sends", () => {
  test("every item becomes one event or more, and so does what stands beside it", () => {
    fc.assert(
      fc.property(items, (some) => {
        const events = parse(envelope(entry(...(some as Part[]), WITNESS))).map(({ event }) => event);
        events.forEach(expectSound);
        expect(events.length).toBeGreaterThan(some.length);
        expect(events.findLastIndex(isWitness)).toBe(events.length - 1);
      }),
      { numRuns: 3000 },
    );
  });

  test("every entry in every form becomes an event, and so does the one after it", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(ENTRY, JUNK), { maxLength: 3 }), (entries) => {
        const events = parse(envelope(...(entries as Part[]), entry(WITNESS)));
        for (const { event } of events) expectSound(event);
        const things = entries.reduce<number>((sum, one) => {
          const parts = (typeof one === "object" && one !== null ? one : {}) as Part;
          return (
            sum + Math.max(1, lengthOf(parts["messaging"]) + lengthOf(parts["standby"]) + lengthOf(parts["changes"]))
          );
        }, 0);
        expect(events.length).toBeGreaterThan(things);
        expect(events.at(-1)).toMatchObject({ route: { by: "number", id: ACCOUNT }, event: { key: "mid.WITNESS" } });
      }),
      { numRuns: 1500 },
    );
  });

  test("the same bytes are the same events", () => {
    fc.assert(fc.property(ENTRY, (one) => expect(parse(envelope(one))).toEqual(parse(envelope(one)))));
  });

  test("any JSON at all, and text that is none, is some event", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json({ maxDepth: 5 }), fc.string()), (text) => {
        const events = parse(text);
        expect(events.length).toBeGreaterThan(0);
        for (const { event } of events) expectSound(event);
      }),
      { numRuns: 1500 },
    );
  });

  test("an envelope without entries says so", () => {
    const nothing = [
      {
        route: { by: "number" as const, id: "" },
        event: { kind: "unknown" as const, at: 0, what: "envelope without entries" },
      },
    ];
    for (const body of [{}, { object: "instagram" }, { entry: [] }, [], "x", null])
      expect(parse(body)).toEqual(nothing);
    expect(parse(envelope({ id: ACCOUNT, time: ENTRY_AT })).map(({ event }) => event)).toEqual([
      { kind: "unknown", at: ENTRY_AT, what: "entry with nothing in it" },
    ]);
  });
});
