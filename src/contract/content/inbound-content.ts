import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { AnyText, Nullable, OneOf, Text } from "../../kernel/schema.ts";

/**
 * What an inbound message says: one schema for the adapters that read it and for the events that publish it. Additional
 * keys are allowed.
 */

/** A poll of a network may have more options than Recado sends. */
export const MOST_OPTIONS = 100;

const text = Type.String();
const optional = Type.Optional(AnyText());
const optionalText = (max: number) => Type.Optional(Text(0, max));

const word = Type.Optional(text);
const Referral = Type.Object(
  {
    sourceUrl: word,
    sourceId: word,
    sourceType: word,
    headline: word,
    body: word,
    mediaType: word,
    imageUrl: word,
    videoUrl: word,
    thumbnailUrl: word,
    ctwaClid: word,
    welcomeText: word,
  },
  { title: "Referral", description: "The advertisement or post that led the person here" },
);
export type ReferralField = keyof Static<typeof Referral>;

/** TABLE: the Cloud API's names for the texts of a referral, and ours. It has `welcomeText` in an object of its own. */
export const REFERRAL_NAMES: readonly (readonly [string, ReferralField])[] = [
  ["source_url", "sourceUrl"],
  ["source_id", "sourceId"],
  ["source_type", "sourceType"],
  ["headline", "headline"],
  ["body", "body"],
  ["media_type", "mediaType"],
  ["image_url", "imageUrl"],
  ["video_url", "videoUrl"],
  ["thumbnail_url", "thumbnailUrl"],
  ["ctwa_clid", "ctwaClid"],
];

/** The context of a message, whatever its content. */
const Context = Type.Object(
  {
    origin: Type.Optional(
      Type.String({
        description: "Why the person sends a contact: `contact_request` answers a request for the number",
      }),
    ),
    forwarded: Type.Optional(Type.Literal(true)),
    frequentlyForwarded: Type.Optional(Type.Literal(true, { description: "Forwarded more than five times" })),
    referral: Type.Optional(Referral),
    referredProduct: Type.Optional(
      Type.Object(
        { catalogId: Nullable(text), productId: text },
        { title: "ReferredProduct", description: "The product that the person asks about" },
      ),
    ),
    mentions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            phoneNumber: Nullable(text),
            lid: Nullable(text),
            isMe: Type.Boolean({ description: "Whether it is this phone" }),
          },
          { title: "Mention", description: "A person whom the message names" },
        ),
        { maxItems: 1024 },
      ),
    ),
    quoted: Type.Optional(
      Type.Object(
        { id: text, text: word },
        { title: "QuotedMessage", description: "The message that is answered, where Recado does not know it" },
      ),
    ),
    album: Type.Optional(
      Type.Object({ id: text }, { title: "Album", description: "Files of one album have the same id" }),
    ),
    entryPoint: Type.Optional(
      Type.Object(
        { source: text, app: Type.Optional(Type.String({ description: "The app that the person came from" })) },
        { title: "EntryPoint", description: "What the person tapped to open the chat, in the network's words" },
      ),
    ),
    disappearsAfter: Type.Optional(
      Type.Integer({ minimum: 1, description: "Seconds after which the message disappears from the chat" }),
    ),
  },
  { title: "MessageContext" },
);
export type Circumstances = Static<typeof Context>;

const said = <Fields extends TProperties>(title: string, fields: Fields) =>
  Type.Intersect([Context, Type.Object(fields)], { title });

/** A file. Its bytes are in the media of the message. */
const File = said("ReceivedFile", {
  caption: optional,
  mimeType: Text(1, 200),
  filename: optionalText(1024),
  voice: Type.Optional(Type.Boolean({ description: "Recorded as a voice note" })),
  animated: Type.Optional(Type.Boolean()),
});

const InboundErrorShape = Type.Object({ code: Type.Number(), title: text, details: word }, { title: "ReceivedError" });
export type InboundError = Static<typeof InboundErrorShape>;

/** TABLE: the content of each type of inbound message. */
export const INBOUND_CONTENT = {
  text: said("ReceivedText", { text: AnyText() }),
  image: File,
  video: File,
  audio: File,
  document: File,
  sticker: File,
  location: said("ReceivedLocation", {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    name: optionalText(1024),
    address: optionalText(1024),
    url: optionalText(2048),
  }),
  contact: said("ReceivedContacts", { contacts: Type.Array(Type.Unknown(), { maxItems: 1000 }) }),
  button_reply: said("ReceivedReply", {
    selectedId: AnyText(),
    text: AnyText(),
    description: optional,
  }),
  /** A submitted form. `name` is its kind. */
  flow_reply: said("ReceivedForm", {
    name: AnyText(),
    text: optional,
    response: Type.Unknown({ description: "What was entered; as text where it is not JSON" }),
  }),
  order: said("ReceivedOrder", {
    catalogId: Nullable(text),
    orderId: Type.Optional(Type.String({ description: "The network's id of the order" })),
    text: word,
    items: Type.Array(
      Type.Object(
        {
          productId: text,
          quantity: Nullable(Type.Number()),
          price: Nullable(Type.Number()),
          currency: Nullable(text),
        },
        { title: "ReceivedOrderItem" },
      ),
      { maxItems: 1000 },
    ),
  }),
  /** Whether the customer may be called. */
  call_permission_reply: said("ReceivedCallPermission", {
    response: OneOf(["accept", "reject"]),
    isPermanent: Type.Boolean(),
    expiresAt: Nullable(Type.String({ description: "Null for a permission without an end" })),
    source: word,
  }),
  /** A question with options. */
  poll: said("ReceivedPoll", {
    question: AnyText(),
    options: Type.Array(AnyText(), { minItems: 1, maxItems: MOST_OPTIONS }),
    maxSelections: Type.Integer({ minimum: 1, description: "How many options each person may choose" }),
  }),
  /** The person asks for our number, which the network does not show them. */
  phone_number_request: said("ReceivedNumberRequest", {}),
  /** The person gives us their number. */
  phone_number_share: said("ReceivedNumber", {
    phoneNumber: Nullable(Type.String({ description: "Digits; null where the network does not name it here" })),
  }),
  /** The person wants to pay an order with a stored card. The ids are as the business named them. */
  payment_method: said("ReceivedPaymentMethod", {
    referenceId: Text(1, 512),
    credentialId: Nullable(text),
    lastFourDigits: Nullable(text),
  }),
  /** A person opened the chat for the first time and has not written yet. */
  request_welcome: said("ReceivedWelcomeRequest", {}),
  /** A message of a type that has no shape here, with what the network says of it. */
  unsupported: said("UnsupportedContent", {
    originalType: Text(1, 200, "The network's name of the type"),
    url: Type.Optional(
      Type.String({ description: "Where the network shows the message, for a while, or where the message leads" }),
    ),
    title: word,
    text: Type.Optional(Type.String({ description: "The words that can be read in it" })),
    errors: Type.Optional(Type.Array(InboundErrorShape)),
  }),
} as const satisfies Record<string, TSchema>;

/** The content of an inbound message, in the shapes of message:received. */
export type InboundContent = {
  [Kind in keyof typeof INBOUND_CONTENT]: { type: Kind; content: Static<(typeof INBOUND_CONTENT)[Kind]> };
}[keyof typeof INBOUND_CONTENT];

/** The types of message that consist of a file. */
export const FILE_TYPES = ["image", "video", "audio", "document", "sticker"] as const;

/** The content of any inbound message. */
export const ReceivedContent = Type.Unsafe<InboundContent["content"]>({
  title: "ReceivedContent",
  anyOf: [...new Set(Object.values(INBOUND_CONTENT))],
});

type FileType = (typeof FILE_TYPES)[number];
/** Whether a message consists of a file. */
export const isFile = (content: InboundContent): content is Extract<InboundContent, { type: FileType }> =>
  FILE_TYPES.some((type) => type === content.type);
