import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const Id = Text(1, 64);
const Words = Text(0, 65_536);
const WaId = Type.String({ pattern: "^\\d{5,20}$" });
const At = Type.Number();

/** The result of embedded signup in the browser: a code that the app exchanges for the token, which is made then. */
export const SignupCodeSeed = Type.Object(
  {
    code: Text(1, 1000),
    token: Text(1, 500),
    businessAccountIds: Type.Array(Id),
    /** The granted objects in the token's data; by default those that the token may use. */
    grantedIds: optional(Type.Array(Id)),
    appId: Id,
    appSecret: Text(1, 200),
  },
  strict,
);
export type SignupCodeSeed = Static<typeof SignupCodeSeed>;

const text = Type.Object({ kind: Type.Literal("text"), text: Words }, strict);
const media = Type.Object(
  {
    kind: Type.Literal("media"),
    type: OneOf(["image", "video", "audio", "document", "sticker"]),
    mediaId: optional(Id),
    mimeType: optional(Text(1, 100)),
    sha256: optional(Text(1, 100)),
    caption: optional(Words),
    filename: optional(Words),
  },
  strict,
);
const other = Type.Object(
  { kind: Type.Literal("other"), type: Text(1, 60), content: optional(Type.Unknown()) },
  strict,
);
/** A message that was sent before is changed or taken back. */
const edit = Type.Object({ kind: Type.Literal("edit"), wamid: Text(1, 1000), text: Words }, strict);
const revoke = Type.Object({ kind: Type.Literal("revoke"), wamid: Text(1, 1000) }, strict);

const HistoryContent = Type.Union([text, media, other]);
export type HistoryContent = Static<typeof HistoryContent>;
const EchoContent = Type.Union([text, media, other, edit, revoke]);
export type EchoContent = Static<typeof EchoContent>;

const Contact = Type.Object(
  {
    waId: WaId,
    action: optional(OneOf(["add", "remove"])),
    fullName: optional(Words),
    firstName: optional(Words),
    at: optional(At),
  },
  strict,
);

/** Contacts of the business app: all at first, later each changed one. `perWebhook` default 100. */
export const ContactsOrder = Type.Object(
  {
    phoneNumberId: Id,
    contacts: Type.Array(Contact, { minItems: 1 }),
    perWebhook: optional(Type.Integer({ minimum: 1 })),
  },
  strict,
);
export type ContactsOrder = Static<typeof ContactsOrder>;

const HistoryMessage = Type.Object(
  {
    /** The user of the chat; `isFromBusiness` says who of the two wrote. */
    waId: WaId,
    isFromBusiness: optional(Type.Boolean()),
    at: At,
    wamid: optional(Text(1, 1000)),
    status: optional(OneOf(["DELIVERED", "ERROR", "PENDING", "PLAYED", "READ", "SENT"])),
    content: HistoryContent,
  },
  strict,
);
export type HistoryMessage = Static<typeof HistoryMessage>;

/**
 * The chats of the business app. `chunkSize`: messages of a webhook, default 50; `isReversed`: the last chunk comes
 * first.
 */
export const HistoryOrder = Type.Object(
  {
    phoneNumberId: Id,
    messages: Type.Array(HistoryMessage),
    chunkSize: optional(Type.Integer({ minimum: 1 })),
    isReversed: optional(Type.Boolean()),
  },
  strict,
);
export type HistoryOrder = Static<typeof HistoryOrder>;

/** A message written in the business app. */
export const EchoOrder = Type.Object(
  { phoneNumberId: Id, to: WaId, wamid: optional(Text(1, 1000)), at: optional(At), content: EchoContent },
  strict,
);
export type EchoOrder = Static<typeof EchoOrder>;

/** The decision on a requested display name. `reason` belongs to a rejection. */
export const NameDecision = Type.Object(
  {
    phoneNumberId: Id,
    decision: OneOf(["APPROVED", "REJECTED", "DEFERRED", "PENDING"]),
    reason: optional(Text(1, 100)),
  },
  strict,
);
export type NameDecision = Static<typeof NameDecision>;
