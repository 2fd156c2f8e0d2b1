import { type TSchema, Type } from "@sinclair/typebox";
import { AnyText, type Issue, issue, issuesOf, Nullable, OneOf, Text } from "../kernel/schema.ts";
import { isRecord } from "../kernel/texts/json.ts";
import { PRESENCES } from "./abilities/people.ts";
import { INBOUND_CONTENT, type InboundContent, MOST_OPTIONS } from "./content/inbound-content.ts";
import { type ChannelEvent, EVENT_RESPONSES, LINK_STATES, TEMPLATE_CATEGORIES, TEMPLATE_STATUSES } from "./events.ts";
import { MEASURED } from "./outcome-shapes.ts";

/** The maximum length of one event as JSON. A synced address book and a message of several contents may be larger. */
const MAX_EVENT_CHARS = 256 * 1024;
const MAX_LIST_CHARS = 4 * 1024 * 1024;
/** The most chats of one list, and the most labels. */
const MOST_SHOWN = 10_000;
const MOST_LABELS_SHOWN = 1000;

const Key = Text(1, 512);
const At = Type.Number({ minimum: 0, maximum: 8_640_000_000_000_000 });
const Flag = Type.Optional(Type.Boolean());
const Fields = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 });
/** At least one id of a person, each a text. `Identity` lists the ids. */
const Person = Type.Record(Type.String(), Text(1, 256), { minProperties: 1, maxProperties: 16 });
/** The role of the app that leads a conversation. */
const Holder = Type.Object({ role: Type.Optional(Text(1, 60)) });
const People = Type.Optional(Type.Array(Person, { maxItems: MOST_SHOWN }));
const optionalText = (max: number) => Type.Optional(Text(0, max));

const Totals = Type.Array(Type.Object({ option: AnyText(), votes: Type.Integer({ minimum: 0 }) }), {
  maxItems: MOST_OPTIONS,
});

/** The maximum number of contents of one message beside its first one. */
const MOST_FURTHER_PARTS = 100;
const Content = Type.Object({ type: OneOf(Object.keys(INBOUND_CONTENT)), content: Type.Object({}) });
const Media = Type.Object({
  nativeId: Text(1, 8192),
  contentType: Text(1, 200),
  sizeBytes: Type.Optional(Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  filename: optionalText(1024),
  sha256: optionalText(64),
});

const act = { key: Key, nativeId: Key, at: At, from: Person, isOwn: Flag };

/** TABLE: the schema of each kind of event. */
const EVENT: Readonly<Record<ChannelEvent["kind"], TSchema>> = {
  received: Type.Object({
    key: Key,
    at: At,
    from: Person,
    chat: Person,
    pushName: Nullable(Text(0, 1024)),
    content: Content,
    media: Type.Optional(Media),
    furtherParts: Type.Optional(
      Type.Array(Type.Object({ content: Content, media: Type.Optional(Media) }), { maxItems: MOST_FURTHER_PARTS }),
    ),
    quotedProviderMessageId: Type.Optional(Key),
    isOwn: Flag,
    isHistory: Flag,
    isPlaceholder: Flag,
    heldBy: Type.Optional(Holder),
    isImported: Flag,
    raw: optionalText(MAX_EVENT_CHARS),
  }),
  receipt: Type.Object({
    key: Key,
    at: At,
    status: OneOf(["sent", "delivered", "read", "failed"]),
    messageId: optionalText(64),
    to: Type.Optional(Person),
    by: Type.Optional(Person),
    isPlayed: Flag,
    error: Type.Optional(Type.Object({ code: Type.Number(), reason: Text(0, 4096) })),
    ...MEASURED,
    pricing: Type.Optional(
      Type.Object({
        isBillable: Type.Boolean(),
        category: Text(0, 100),
        type: Type.Optional(Text(0, 100)),
        cost: Type.Optional(Type.Object({ micros: Type.Integer({ minimum: 0 }), currency: Text(3, 3) })),
      }),
    ),
  }),
  "delivered-up-to": Type.Object({ at: At, to: Person }),
  "read-up-to": Type.Object({ at: At, from: Person, key: Type.Optional(Key) }),
  reacted: Type.Object({ ...act, emoji: Nullable(Text(1, 64)) }),
  edited: Type.Object({ ...act, text: AnyText() }),
  revoked: Type.Object(act),
  broadcast: Type.Object({
    key: Key,
    at: At,
    from: Type.Optional(Person),
    newsletter: Type.Optional(Text(1, 64)),
    pushName: Nullable(Text(0, 1024)),
    content: Content,
  }),
  newsletter: Type.Object({
    nativeId: Key,
    at: At,
    newsletterId: Text(1, 64),
    what: OneOf(["followed", "unfollowed", "muted", "unmuted", "updated", "deleted"]),
    name: optionalText(1024),
    description: optionalText(8192),
  }),
  "newsletter-counts": Type.Object({
    at: At,
    newsletterId: Text(1, 64),
    serverId: Text(1, 64),
    key: Type.Optional(Key),
    views: Nullable(Type.Integer({ minimum: 0 })),
    reactions: Type.Array(Type.Object({ emoji: Text(1, 64), count: Type.Integer({ minimum: 0 }) }), { maxItems: 500 }),
  }),
  voted: Type.Object({
    ...act,
    options: Type.Array(AnyText(), { maxItems: MOST_OPTIONS }),
    positions: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: MOST_OPTIONS - 1 }), { maxItems: MOST_OPTIONS }),
    ),
    totals: Type.Optional(Totals),
  }),
  pinned: Type.Object({ ...act, until: Nullable(At) }),
  kept: Type.Object({ ...act, isKept: Type.Boolean() }),
  responded: Type.Object({
    ...act,
    response: OneOf(EVENT_RESPONSES),
    extraGuests: Type.Integer({ minimum: 0, maximum: 1000 }),
  }),
  "poll-results": Type.Object({ key: Key, nativeId: Key, at: At, totals: Totals, isClosed: Type.Boolean() }),
  known: Type.Object({ at: At, identity: Person, before: Type.Optional(Person), name: optionalText(1024) }),
  template: Type.Object({
    at: At,
    nativeId: Key,
    name: Text(1, 512),
    language: Text(1, 20),
    status: Type.Optional(OneOf(TEMPLATE_STATUSES)),
    category: Type.Optional(OneOf(TEMPLATE_CATEGORIES)),
    reason: optionalText(4096),
  }),
  health: Type.Object({
    at: At,
    state: Type.Optional(OneOf(LINK_STATES)),
    reason: optionalText(512),
    profile: Type.Optional(Fields),
    isInDoubt: Flag,
  }),
  contacts: Type.Object({
    nativeId: Key,
    at: At,
    contacts: Type.Array(
      Type.Object({
        identity: Person,
        name: Nullable(Text(0, 1024)),
        firstName: Nullable(Text(0, 1024)),
        action: OneOf(["add", "remove"]),
      }),
      { maxItems: 10_000 },
    ),
  }),
  sync: Type.Object({
    at: At,
    what: OneOf(["contacts", "history"]),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    refusal: optionalText(512),
    imported: Type.Optional(Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  group: Type.Object({ at: At, nativeId: Key, what: Text(1, 40) }),
  call: Type.Object({
    at: At,
    nativeId: Key,
    what: Text(1, 40),
    callId: optionalText(64),
    sdpOffer: Type.Optional(AnyText()),
    isVideo: Flag,
    group: optionalText(256),
    reply: optionalText(4096),
    isElsewhere: Flag,
  }),
  "call-permission": Type.Object({
    at: At,
    from: Person,
    isGranted: Type.Boolean(),
    expiresAt: Nullable(At),
  }),
  commented: Type.Object({
    key: Key,
    at: At,
    from: Person,
    text: AnyText(),
    postId: optionalText(256),
    parentKey: Type.Optional(Key),
  }),
  holder: Type.Object({
    at: At,
    nativeId: Key,
    chat: Person,
    heldBy: Nullable(Holder),
    isRequest: Flag,
    note: optionalText(2000),
  }),
  client: Type.Object({ at: At, version: Text(1, 64), expiresAt: Type.Optional(Nullable(At)) }),
  presence: Type.Object({
    at: At,
    from: Person,
    chat: Person,
    state: OneOf(PRESENCES),
    lastSeenAt: Type.Optional(At),
  }),
  reach: Type.Object({
    at: At,
    nativeId: Key,
    chat: Person,
    isReachable: Type.Boolean(),
    reason: optionalText(512),
  }),
  consent: Type.Object({
    at: At,
    nativeId: Key,
    from: Person,
    state: OneOf(["opted_out", "opted_in"]),
    word: optionalText(512),
  }),
  delegation: Type.Object({
    at: At,
    nativeId: Key,
    id: Text(1, 256),
    from: Person,
    pushName: Nullable(Text(0, 1024)),
    isActive: Type.Boolean(),
    mayWrite: Type.Boolean(),
  }),
  chat: Type.Object({
    at: At,
    chat: Person,
    changes: Type.Object({
      archived: Flag,
      pinned: Flag,
      markedUnread: Flag,
      mutedUntil: Type.Optional(Nullable(At)),
      gone: Type.Optional(OneOf(["cleared", "deleted"])),
    }),
    isHistory: Flag,
  }),
  label: Type.Object({
    at: At,
    id: Text(1, 200),
    name: Text(0, 200),
    color: Type.Integer({ minimum: 0, maximum: 1000 }),
    isDeleted: Flag,
    isHistory: Flag,
  }),
  labelled: Type.Object({
    at: At,
    chat: Person,
    labelId: Text(1, 200),
    isLabelled: Type.Boolean(),
    isHistory: Flag,
  }),
  "message-labelled": Type.Object({
    at: At,
    key: Key,
    labelId: Text(1, 200),
    isLabelled: Type.Boolean(),
    isHistory: Flag,
  }),
  shown: Type.Object({
    at: At,
    archived: People,
    pinned: People,
    markedUnread: People,
    muted: People,
    labels: Type.Optional(Type.Array(Text(1, 200), { maxItems: MOST_LABELS_SHOWN })),
    labelled: Type.Optional(Type.Array(Type.Object({ chat: Person, labelId: Text(1, 200) }), { maxItems: MOST_SHOWN })),
    starred: Type.Optional(Type.Array(Key, { maxItems: MOST_SHOWN })),
    labelledMessages: Type.Optional(
      Type.Array(Type.Object({ key: Key, labelId: Text(1, 200) }), { maxItems: MOST_SHOWN }),
    ),
    isHistory: Flag,
  }),
  starred: Type.Object({ at: At, key: Key, isStarred: Type.Boolean(), isHistory: Flag }),
  hidden: Type.Object({ at: At, key: Key, isHistory: Flag }),
  unknown: Type.Object({ at: At, what: Text(1, 512) }),
};

const sizeOf = (value: unknown): number | undefined => {
  try {
    return JSON.stringify(value).length;
  } catch {
    return undefined; // a circular value, or a number that JSON cannot hold
  }
};

/**
 * The issues that keep a value from being an event of the contract; empty when there are none. Never repeats a part of
 * the value.
 */
export const eventIssues = (event: unknown): Issue[] => {
  if (!isRecord(event)) return [issue("", "type", "must be an object")];
  const { kind } = event;
  const kinds = Object.keys(EVENT);
  if (typeof kind !== "string" || !Object.hasOwn(EVENT, kind))
    return [issue("kind", "enum", `must be one of ${kinds.join(", ")}`)];
  const issues = issuesOf(EVENT[kind as ChannelEvent["kind"]], event);
  if (issues.length > 0) return issues;
  const furtherParts = furtherPartsOf(event);
  const isList = kind === "contacts" || kind === "shown" || furtherParts.length > 0;
  const tooLarge = sizeIssues(event, "", isList ? MAX_LIST_CHARS : MAX_EVENT_CHARS);
  if (tooLarge.length > 0 || (kind !== "received" && kind !== "broadcast")) return tooLarge;
  const { furtherParts: _, ...first } = event;
  return [
    ...partIssues(first as GivenPart, ""), // as its schema has it
    ...furtherParts.flatMap((part, place) => partIssues(part, `furtherParts.${place}.`)),
  ];
};

/** A received message may have further contents. On any other event, the field is unknown and of any form. */
const furtherPartsOf = ({ kind, furtherParts = [] }: Record<string, unknown>): readonly GivenPart[] =>
  kind === "received" ? (furtherParts as GivenPart[]) : []; // as its schema has it

const sizeIssues = (value: unknown, path: string, limit: number): Issue[] => {
  const size = sizeOf(value);
  if (size === undefined) return [issue(path, "type", "must be JSON")];
  return size > limit ? [issue(path, "maxLength", `must be at most ${limit} characters as JSON`)] : [];
};

type GivenPart = { content: { type: InboundContent["type"]; content: unknown } };

const partIssues = (part: GivenPart, path: string): Issue[] => [
  ...sizeIssues(part, `${path}content`, MAX_EVENT_CHARS),
  ...issuesOf(INBOUND_CONTENT[part.content.type], part.content.content, `${path}content.content`),
];
