import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { STATUSES } from "../seeds.ts";
import { LAYOUTS } from "../values.ts";
import { Signature } from "./webhooks.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const Words = Text(0, 65_536);
const Name = Text(1, 1000);

/**
 * Every message: `to` is the phone number id it came in on, `from` the user's number or BSUID. Missing fields are made
 * up.
 */
const common = {
  to: Text(1, 64),
  from: Text(3, 160),
  name: optional(Name),
  wamid: optional(Name),
  /** When it was written, in milliseconds. */
  at: optional(Type.Number()),
  /** The wamid of the message it answers to. */
  quoted: optional(Name),
};

const media = { mediaId: optional(Name), mimeType: optional(Name), sha256: optional(Name), caption: optional(Words) };
const kind = <const Kind extends string>(name: Kind) => ({ kind: Type.Literal(name), ...common });

/**
 * An event of a user, as a test sets it up. `other`: a type that the list does not have. `status`: of a message sent
 * elsewhere.
 */
export const InboundSeed = Type.Union([
  Type.Object({ ...kind("text"), text: Words }, strict),
  Type.Object({ ...kind("image"), ...media }, strict),
  Type.Object({ ...kind("video"), ...media }, strict),
  Type.Object({ ...kind("audio"), ...media, voice: optional(Type.Boolean()) }, strict),
  Type.Object({ ...kind("document"), ...media, filename: optional(Name) }, strict),
  Type.Object({ ...kind("sticker"), ...media, animated: optional(Type.Boolean()) }, strict),
  Type.Object(
    {
      ...kind("location"),
      latitude: Type.Number(),
      longitude: Type.Number(),
      locationName: optional(Words),
      address: optional(Words),
    },
    strict,
  ),
  Type.Object({ ...kind("contacts"), contacts: Type.Array(Type.Unknown()) }, strict),
  Type.Object({ ...kind("buttonReply"), id: Name, title: Words }, strict),
  Type.Object({ ...kind("listReply"), id: Name, title: Words, description: optional(Words) }, strict),
  Type.Object({ ...kind("templateButton"), payload: Words, text: Words }, strict),
  /** Without an emoji it takes the reaction back. */
  Type.Object({ ...kind("reaction"), messageId: Name, emoji: optional(Words) }, strict),
  Type.Object({ ...kind("unsupported"), originalType: optional(Name) }, strict),
  Type.Object({ ...kind("other"), type: Name, content: optional(Type.Unknown()) }, strict),
  Type.Object(
    {
      ...kind("status"),
      wamid: Name,
      status: OneOf(STATUSES),
      code: optional(Type.Integer()),
      details: optional(Words),
      bizOpaque: optional(Words),
    },
    strict,
  ),
]);
export type InboundSeed = Static<typeof InboundSeed>;

/** How a batch is posted. `layout` default `one-change`. */
export const InboundOptions = Type.Object({ layout: optional(OneOf(LAYOUTS)), signature: optional(Signature) }, strict);
export type InboundOptions = Static<typeof InboundOptions>;
