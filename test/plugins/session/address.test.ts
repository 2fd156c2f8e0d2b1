import { describe, expect, test } from "bun:test";
import { address, canonicalOf, jidOf } from "../../../plugins/session/address.ts";
import { isKey, newKey } from "../../../plugins/session/message-ids.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";

const TAKEN: [to: string, key: string][] = [
  ["5511999990001", "pn:5511999990001"],
  ["pn:5511999990001", "pn:5511999990001"],
  ["5511999990001@s.whatsapp.net", "pn:5511999990001"],
  ["5511999990001:12@s.whatsapp.net", "pn:5511999990001"],
  ["lid:98765432101234", "lid:98765432101234"],
  ["98765432101234@lid", "lid:98765432101234"],
  ["98765432101234:3@lid", "lid:98765432101234"],
  ["120363041234567890@g.us", "group:120363041234567890"],
  ["5511999990001-1612345678@g.us", "group:5511999990001-1612345678"],
  ["group:120363041234567890", "group:120363041234567890"],
  ["120363041234567890@newsletter", "newsletter:120363041234567890"],
  ["newsletter:120363041234567890", "newsletter:120363041234567890"],
  ["status@broadcast", "broadcast:status"],
  ["broadcast:status", "broadcast:status"],
];

const NO_ADDRESS = [
  "abc@",
  "@",
  "5511999990001@c.us",
  "1612345678@broadcast",
  "newsletter@newsletter",
  "+5511999990001@s.whatsapp.net",
  "ana@example.com",
  "pn:5511999990001@lid",
];
const NO_RECIPIENT = [
  "+5511999990001",
  "",
  "0511999990001",
  "12345",
  "1234567890123456",
  "55 11 99999-0001",
  "bsuid:BR.1A2B",
  "igsid:123",
  "group:abc",
  "lid:",
  "pn:",
  "newsletter:abc",
  "broadcast:1612345678",
];

describe("a recipient of a session", () => {
  test.each(TAKEN)("G-276 %s is taken", (to, key) => {
    expect(address(to)).toEqual({ ok: true, to: key });
  });

  test.each(NO_ADDRESS)("G-293 %s has an @ and is no chat address that is written to", (to) => {
    expect(address(to)).toEqual({ ok: false, code: "ADDRESS_INVALID" });
  });

  test.each(NO_RECIPIENT)("G-292 '%s' is no recipient", (to) => {
    expect(address(to)).toEqual({ ok: false, code: "RECIPIENT_INVALID" });
  });

  test.each(TAKEN)("the chat address of %s leads back to its key", (_, key) => {
    expect(canonicalOf(jidOf(key) ?? "")).toBe(key);
  });

  test("keys of other networks have no chat address", () => {
    expect([jidOf("bsuid:BR.1A2B"), jidOf("pn:"), jidOf("5511999990001")]).toEqual([undefined, undefined, undefined]);
    expect(canonicalOf("5511999990001")).toBeUndefined();
  });
});

describe("the id of a message", () => {
  test("is one that web clients choose, and another one each time", () => {
    const random = seededRandom(1);
    const keys = Array.from({ length: 100 }, () => newKey(random));
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^3EB0[0-9A-F]{18}$/);
    expect(keys.every(isKey)).toBe(true);
  });

  test.each(["", "a b", "<script>", "x".repeat(129), "wamid/1", "é"])("G-298 '%s' cannot be one", (key) => {
    expect(isKey(key)).toBe(false);
  });
});
