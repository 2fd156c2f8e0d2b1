import { expect, test } from "bun:test";
import {
  chatOf,
  DEFINITIONS,
  directionOf,
  EVENT_TYPES,
  type EventType,
  exceptIn,
  samplesOf,
} from "../../src/core/events/definitions/index.ts";
import { personKeyOf } from "../../src/kernel/numbers/phone-numbers.ts";

/** Ana's number without its ninth digit: every spelling of a number gives one key. */
const ANA = "pn:551199999999";
const ON_INSTAGRAM = "igsid:17841400000000001";
const GROUP = "group:01a5c0de-0000-4000-8000-000000000008";
const CALL = "call:01a5c0de-0000-4000-8000-000000000009";

/** The ordering keys and directions of the first samples. A type of another kind of thing needs a line. */
const EXPECTED: Partial<Record<EventType, [chat: string, direction: "inbound" | "outbound" | null]>> = {
  "message.received": [ANA, "inbound"],
  "message.sent": [ANA, "outbound"],
  "message.delivered": [ANA, "outbound"],
  "message.read": [ANA, "outbound"],
  "message.failed": [ANA, "outbound"],
  "message.deleted": [ANA, "outbound"],
  "messages.read_up_to": [ON_INSTAGRAM, "outbound"],
  "message.reacted": [ANA, null],
  "message.edited": [ANA, null],
  "message.transcribed": [ANA, "inbound"],
  "message.poll_vote": [ANA, null],
  "message.operation_failed": [ANA, null],
  "message.fallback": [ANA, "outbound"],
  "message.priced": ["channel", null],
  "broadcast.received": [ANA, null],
  "bulk.completed": ["channel", null],
  "bulk.failed": ["channel", null],
  "channel.connected": ["channel", null],
  "channel.disconnected": ["channel", null],
  "channel.restricted": ["channel", null],
  "channel.unrestricted": ["channel", null],
  "channel.qr_issued": ["channel", null],
  "channel.client_expiring": ["channel", null],
  "channel.passkey_required": ["channel", null],
  "media.available": [ANA, null],
  "media.expired": ["channel", null],
  "template.changed": ["channel", null],
  "history.progressed": ["channel", null],
  "contacts.synced": ["channel", null],
  "comment.received": [ON_INSTAGRAM, null],
  "conversation.held": [ANA, null],
  "conversation.released": [ANA, null],
  "contact.presence": ["channel", null],
  "contact.created": [ANA, null],
  "contact.updated": [ANA, null],
  "conversation.created": [ANA, null],
  "conversation.closed": [ANA, null],
  "conversation.updated": [ANA, null],
  "agent.handoff": [ANA, null],
  "agent.budget_exhausted": [ANA, null],
  "agent.document": ["channel", null],
  "agent.worsened": ["channel", null],
  "group.lifecycle": [GROUP, null],
  "group.participants": [GROUP, null],
  "group.settings": [GROUP, null],
  "group.status": [GROUP, null],
  "invoice.paid": ["channel", null],
  "invoice.failed": ["channel", null],
  "subscription.failed": ["channel", null],
  "call.offer": [CALL, null],
  "call.changed": [CALL, null],
};

test.each(Object.keys(EXPECTED) as EventType[])(
  "%s belongs to the chat and has the direction of its definition",
  (type) => {
    const [sample] = samplesOf(type);
    if (!sample) throw new Error(`${type} has no sample`);
    expect([chatOf(sample), directionOf(sample)]).toEqual(EXPECTED[type] as never);
  },
);

type Fields = Readonly<Record<string, unknown>>;
const keyIn = (value: unknown): string =>
  typeof value === "string" ? value : ((value as { canonicalKey?: string } | null)?.canonicalKey ?? "");

/** TABLE: the fields that name the chat of an event, with the ordering keys that they give. */
const NAMING: Readonly<Record<string, (value: unknown) => string>> = {
  chat: keyIn,
  to: keyIn,
  from: keyIn,
  contact: keyIn,
  contactKey: keyIn,
  newsletterId: (value) => (typeof value === "string" ? `newsletter:${value}` : ""),
  groupId: (value) => `group:${String(value)}`,
  callId: (value) => `call:${String(value)}`,
};

/** TABLE: events that name somebody and yet go beside all chats, with the reason. */
const BESIDE: Partial<Record<EventType, string>> = {
  "contact.presence": "what somebody does just now is soon over, and waits for no message",
};

/** The ordering keys that the fields of an event offer. */
const offeredBy = (fields: Fields): string[] =>
  Object.entries(NAMING)
    .map(([field, toKey]) => (field in fields ? personKeyOf(toKey(fields[field])) : ""))
    .filter((key) => key !== "");

const misordered = (type: string, fields: Fields, key: string): string[] => {
  const offered = offeredBy(fields);
  if (offered.length === 0 || offered.includes(key)) return [];
  return [`${type} is ordered by ${key}, but belongs to ${offered.join(" or ")}`];
};

test("an event that names a person, a group or a call is ordered by it, or overtakes what is said there", () => {
  const found = EVENT_TYPES.filter((type) => !(type in BESIDE)).flatMap((type) =>
    samplesOf(type).flatMap((sample) => misordered(type, { ...sample }, chatOf(sample))),
  );
  expect(found).toEqual([]);
  expect(misordered("x", { chat: { canonicalKey: "pn:1" } }, "channel")).toHaveLength(1);
  expect(misordered("x", { percent: 1 }, "channel")).toEqual([]);
});

test("a message that the owner wrote elsewhere is outbound", () => {
  const [received] = samplesOf("message.received");
  if (!received) throw new Error("there is no sample");
  expect(directionOf({ ...received, direction: "outbound" })).toBe("outbound");
});

test("a post of a newsletter is ordered by the newsletter, a spent budget without a contact by its channel", () => {
  const [, post] = samplesOf("broadcast.received");
  const [spent] = samplesOf("agent.budget_exhausted");
  if (!post || !spent) throw new Error("there is no sample");
  expect(chatOf(post)).toBe("newsletter:120363000000000001");
  expect(chatOf({ ...spent, contactKey: null })).toBe("channel");
});

test("only the report of a lost event is kept from a subscription: from the one that lost it", () => {
  const kept = EVENT_TYPES.flatMap((type) => samplesOf(type).map((sample) => [type, exceptIn(sample)] as const)).filter(
    ([, subscription]) => subscription !== null,
  );
  expect(kept).toEqual([["subscription.failed", "01a5c0de-0000-4000-8000-000000000013"]]);
});

test("every type of the table is published to somebody, but for what starts work of this server alone", () => {
  const silent = EVENT_TYPES.filter((type) => DEFINITIONS[type].publishedTo.length === 0);
  expect(silent).toEqual(["message.priced"]);
});
