import { describe, expect, test } from "bun:test";
import { eventIssues } from "../../src/contract/event-shapes.ts";

const ANA = { pn: "5511999990001" };
const text = (length: number) => ({ type: "text", content: { text: "x".repeat(length) } });
const received = { kind: "received", key: "a", at: 1, from: ANA, chat: ANA, pushName: null, content: text(1) };
const edited = { kind: "edited", key: "a", nativeId: "b", at: 1, from: ANA, text: "x" };
const broadcast = { kind: "broadcast", key: "a", at: 1, from: ANA, pushName: null, content: text(1) };
const TOO_LARGE = [expect.objectContaining({ rule: "maxLength" })];
const LARGE = 3_000_000;

describe("an event of the contract", () => {
  test.each([
    ["a received message", { ...received, note: "x".repeat(LARGE) }],
    ["an edit", { ...edited, note: "x".repeat(LARGE) }],
    ["a broadcast", { ...broadcast, note: "x".repeat(LARGE) }],
  ])("has the limit of one content, unless it has several: %s", (_, event) => {
    expect(eventIssues(event)).toEqual(TOO_LARGE);
    expect(eventIssues({ ...event, furtherParts: [] })).toEqual(TOO_LARGE);
  });

  test("may be larger with several contents, each of which has the limit of one", () => {
    const furtherParts = Array.from({ length: 3 }, () => ({ content: text(60_000) }));
    expect(eventIssues({ ...received, furtherParts: [...furtherParts, ...furtherParts] })).toEqual([]);
    expect(eventIssues({ ...received, note: "x".repeat(LARGE), furtherParts })).toEqual(TOO_LARGE);
  });

  test.each([[5], [null], [[null]]])(
    "without further contents is judged, though it says %j of them",
    (furtherParts) => {
      expect(eventIssues({ ...edited, furtherParts })).toEqual([]);
      expect(eventIssues({ ...broadcast, furtherParts })).toEqual([]);
    },
  );
});
