import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { AnyText, described, Nullable, OneOf, Text } from "../../kernel/schema.ts";

/**
 * The content of an inbound message: one schema for the adapters that read it and for the events that publish it.
 * Additional keys are allowed.
 */

/** A poll of a network may have more options than Recado sends. */
export const MOST_OPTIONS = 100;

const text = Type.String();
const optional = Type.Optional(AnyText());
const optionalText = (max: number) => Type.Optional(Text(0, max));

const word = Type.Optional(text);
const Referral = Type.Object(
  {
    sourceUrl: described(word, "The post or advertisement that led here", "https://fb.me/1042"),
    sourceId: described(word, "The network's id of the post or advertisement"),
    sourceType: described(word, "The kind of source, such as ad, post or link", "ad"),
    headline: described(word, "The title of the advertisement", "Bolos da Padaria Estrela"),
    body: described(word, "The text of the advertisement", "Encomende pelo WhatsApp"),
    mediaType: described(word, "The kind of its media: an image or a video", "image"),
    imageUrl: described(
      word,
      "The address of the advertisement's image",
      "https://padaria-estrela.example/anuncio.jpg",
    ),
    videoUrl: described(
      word,
      "The address of the advertisement's video",
      "https://padaria-estrela.example/anuncio.mp4",
    ),
    thumbnailUrl: described(word, "The preview of its video", "https://padaria-estrela.example/anuncio-mini.jpg"),
    ctwaClid: described(word, "The network's id of the click", "ARAkLkA8rmlFeiCktEJQ"),
    ref: described(word, "The business's own word in the link or advertisement", "natal-2026"),
    welcomeText: described(word, "The text that greeted the person", "Olá! Como podemos ajudar?"),
  },
  { title: "Referral", description: "The advertisement, post or link that led the person here" },
);
export type ReferralField = keyof Static<typeof Referral>;

/**
 * TABLE: the Cloud API's names for the texts of a referral, and ours. The Cloud API puts `welcomeText` into an object
 * of its own.
 */
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
    forwarded: Type.Optional(described(Type.Literal(true), "True: the message was forwarded")),
    frequentlyForwarded: Type.Optional(Type.Literal(true, { description: "Forwarded more than five times" })),
    referral: Type.Optional(described(Referral, "The advertisement, post or link that led to the message")),
    referredProduct: Type.Optional(
      described(
        Type.Object(
          {
            catalogId: described(Nullable(text), "The network's id of the catalogue; null if it names none"),
            productId: described(text, "The seller's id of the product"),
          },
          { title: "ReferredProduct", description: "The product that the person asks about" },
        ),
        "The product that the message is about",
      ),
    ),
    mentions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            phoneNumber: described(
              Nullable(text),
              "Digits with country code; null or absent if unknown",
              "5511999990001",
            ),
            lid: described(Nullable(text), "The hidden id; null if unknown", "98765432@lid"),
            isMe: Type.Boolean({ description: "Whether it is this phone" }),
          },
          { title: "Mention", description: "A person whom the message names" },
        ),
        { maxItems: 1024, description: "The people whom the message mentions" },
      ),
    ),
    mentionsMe: Type.Optional(
      Type.Literal(true, { description: "True: the message mentions this phone, or everybody in the group" }),
    ),
    mentionsAll: Type.Optional(
      Type.Literal(true, { description: "True: the message mentions everybody in the group" }),
    ),
    groupMentions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: described(text, "The chat address of the group", "120363041234567890@g.us"),
            name: described(word, "The name of the group, as the message has it", "Equipe"),
          },
          { title: "GroupMention", description: "A group that the message names" },
        ),
        { maxItems: 100, description: "The groups of the community that the message mentions" },
      ),
    ),
    quoted: Type.Optional(
      described(
        Type.Object(
          {
            id: described(text, "The network's id of the quoted message", "3EB0C431C26A1916E07A"),
            text: described(word, "The beginning of the quoted message", "Olá, Maria! Seu bolo está pronto."),
          },
          { title: "QuotedMessage", description: "The message that is answered, if Recado does not know it" },
        ),
        "The message that this one answers",
      ),
    ),
    story: Type.Optional(
      described(
        Type.Object(
          {
            relation: OneOf(["reply", "mention"], {
              description: "`reply` answers the story; `mention` is the person's story, which names the account",
            }),
            id: described(word, "The network's id of the story; absent if it names none", "18022334455667788"),
            url: Type.Optional(
              Type.String({ description: "Where the network shows the story, until the story ends after a day" }),
            ),
          },
          { title: "Story", description: "A story that the message belongs to" },
        ),
        "The story that the message answers or that mentions the account",
      ),
    ),
    album: Type.Optional(
      described(
        Type.Object(
          { id: described(text, "The id of the album", "3EB0C431C26A1916E07A") },
          {
            title: "Album",
            description: "Files of one album have the same id, and so have the contents of a message that had several",
          },
        ),
        "The album that the file belongs to, or the other contents of the same message",
      ),
    ),
    hdOf: Type.Optional(
      described(
        Type.Object(
          { id: described(text, "The network's id of that message", "3EB0C431C26A1916E07A") },
          { title: "HdOf", description: "The message that came before with the same file in lower quality" },
        ),
        "The message whose file this one is in HD: apps send both",
      ),
    ),
    entryPoint: Type.Optional(
      described(
        Type.Object(
          {
            source: described(text, "Where the person found the chat, in the network's word", "global_search_new_chat"),
            app: Type.Optional(Type.String({ description: "The app that the person came from" })),
          },
          {
            title: "EntryPoint",
            description: "The entry that the person tapped to open the chat, in the network's words",
          },
        ),
        "Where the person found the chat",
      ),
    ),
    ephemeral: Type.Optional(
      Type.Literal(true, {
        description:
          "True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any " +
          "other answer by the whole group.",
      }),
    ),
    topic: Type.Optional(
      described(
        Type.Object(
          {
            id: described(text, "The network's id of the topic, as the address of its chat ends with it", "45"),
            name: Type.Optional(
              Type.String({ description: "The name of the topic; absent where the message does not bring it" }),
            ),
          },
          { title: "Topic", description: "A part of a group's chat with a name of its own" },
        ),
        "The topic of the group that the message was written in",
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
  caption: described(optional, "The text below the file; absent without one"),
  mimeType: described(Text(1, 200), "The media type of the file"),
  filename: described(optionalText(1024), "The name of the file, as the sender gave it"),
  voice: Type.Optional(Type.Boolean({ description: "Recorded as a voice note" })),
  animated: Type.Optional(Type.Boolean({ description: "True for a sticker that moves" })),
  viewOnce: Type.Optional(Type.Boolean({ description: "True for a file that its sender wants to be opened once" })),
  videoNote: Type.Optional(Type.Boolean({ description: "True for a round video note" })),
  gifPlayback: Type.Optional(Type.Boolean({ description: "True for a film that plays as a GIF" })),
});

const EventPlace = Type.Object(
  {
    name: described(optionalText(4096), "The name of the place", "Padaria Estrela"),
    address: described(optionalText(4096), "The postal address of the place", "Rua das Flores, 100, São Paulo"),
    latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: "Degrees north of the equator" })),
    longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: "Degrees east of Greenwich" })),
  },
  { title: "EventPlace", description: "The place of a calendar event" },
);

const InboundErrorShape = Type.Object(
  {
    code: Type.Number({ description: "The network's own number", examples: [131051] }),
    title: described(text, "The network's short name of the failure", "Cardápio da semana"),
    details: described(word, "More about the failure, in the network's words", "Message type is not supported."),
  },
  { title: "ReceivedError" },
);
export type InboundError = Static<typeof InboundErrorShape>;

/** TABLE: the content of each type of inbound message. */
export const INBOUND_CONTENT = {
  text: said("ReceivedText", {
    text: described(AnyText(), "The text of the message"),
    linkPreview: Type.Optional(
      described(
        Type.Object(
          {
            url: described(Text(1, 2048), "The address in the text", "https://padaria-estrela.example/bolo"),
            title: described(optionalText(1024), "The title of the page", "Bolo de cenoura"),
            description: described(optionalText(4096), "What the page says of itself", "Com cobertura de chocolate"),
          },
          { title: "ReceivedLinkPreview" },
        ),
        "The preview of a link, as its sender made it",
      ),
    ),
  }),
  image: File,
  video: File,
  audio: File,
  document: File,
  sticker: File,
  location: said("ReceivedLocation", {
    latitude: Type.Number({ minimum: -90, maximum: 90, description: "Degrees north of the equator, -90 to 90" }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: "Degrees east of Greenwich, -180 to 180" }),
    name: described(optionalText(1024), "The name of the place"),
    address: described(optionalText(1024), "The postal address of the place"),
    url: described(optionalText(2048), "A page about the place"),
    live: Type.Optional(
      Type.Literal(true, {
        description: "True: where the person was when they began to show where they go. What follows does not come",
      }),
    ),
  }),
  contact: said("ReceivedContacts", {
    contacts: Type.Array(Type.Unknown(), { maxItems: 1000, description: "The cards, in the form of the network" }),
  }),
  button_reply: said("ReceivedReply", {
    selectedId: described(AnyText(), "The `id` of the button or row that was chosen"),
    text: described(AnyText(), "The text of the button or row"),
    description: described(optional, "The second line of the row; absent without one"),
  }),
  /** A submitted form. `name` is its kind. */
  flow_reply: said("ReceivedForm", {
    name: described(AnyText(), "The kind of form"),
    text: described(optional, "The text that the message shows of the form"),
    response: Type.Unknown({ description: "The entered data; as text if it is not JSON" }),
  }),
  order: said("ReceivedOrder", {
    catalogId: described(Nullable(text), "The network's id of the catalogue; null if it names none"),
    orderId: Type.Optional(Type.String({ description: "The network's id of the order" })),
    orderToken: Type.Optional(
      Type.String({ description: "What `GET /v1/phones/{id}/orders/{orderId}` wants to read the order's products" }),
    ),
    text: described(word, "The text that the person wrote with the order"),
    items: Type.Array(
      Type.Object(
        {
          productId: described(text, "The seller's id of the product"),
          quantity: Nullable(
            Type.Number({ description: "How many pieces; null if the network does not say it", examples: [2] }),
          ),
          price: Nullable(
            Type.Number({ description: "The price of one piece; null if none was given", examples: [25] }),
          ),
          currency: described(Nullable(text), "The currency of the price; null if none was given", "BRL"),
        },
        { title: "ReceivedOrderItem" },
      ),
      { maxItems: 1000, description: "The ordered products" },
    ),
  }),
  /** Whether the customer may be called. */
  call_permission_reply: said("ReceivedCallPermission", {
    response: OneOf(["accept", "reject"], { description: "Whether the person allows calls" }),
    isPermanent: Type.Boolean({ description: "Whether the permission has no end" }),
    expiresAt: Nullable(Type.String({ description: "When the permission ends; null for a permission without an end" })),
    source: described(word, "The person's answer, in the network's word"),
  }),
  /** A question with options. */
  poll: said("ReceivedPoll", {
    question: described(AnyText(), "The question of the poll"),
    options: Type.Array(AnyText(), {
      minItems: 1,
      maxItems: MOST_OPTIONS,
      description: "The answers that can be chosen",
    }),
    maxSelections: Type.Integer({ minimum: 1, description: "How many options each person may choose" }),
  }),
  /** A date in a calendar. */
  event: said("ReceivedCalendarEntry", {
    name: described(AnyText(), "The name of the event", "Degustação de bolos"),
    description: described(optional, "What happens there", "Traga seus amigos."),
    startsAt: Type.String({
      format: "date-time",
      description: "When it begins",
      examples: ["2026-12-05T18:00:00.000Z"],
    }),
    endsAt: Type.Optional(Type.String({ format: "date-time", description: "When it ends; absent if it says none" })),
    location: Type.Optional(described(EventPlace, "Where it takes place; absent if it says none")),
    callLink: described(optionalText(2048), "Where people join it from afar; absent without a call"),
    extraGuestsAllowed: Type.Optional(Type.Boolean({ description: "Whether people may bring others" })),
    isCanceled: Type.Optional(Type.Boolean({ description: "Whether it was called off" })),
  }),
  /** The person asks for our number, which the network does not show them. */
  phone_number_request: said("ReceivedNumberRequest", {}),
  /** The person gives us their number. */
  phone_number_share: said("ReceivedNumber", {
    phoneNumber: Nullable(Type.String({ description: "Digits; null if the network does not name it here" })),
  }),
  /** The person wants to pay an order with a stored card. The ids are as the business named them. */
  payment_method: said("ReceivedPaymentMethod", {
    referenceId: described(Text(1, 512), "The `referenceId` of the order"),
    credentialId: described(Nullable(text), "The card that the person chose; null for other methods"),
    lastFourDigits: described(Nullable(text), "The end of the card's number; null for other methods"),
  }),
  /** A person opened the chat, perhaps by a link, and has not written yet. */
  request_welcome: said("ReceivedWelcomeRequest", {}),
  /** A message of a type without a schema here, with the network's details about it. */
  unsupported: said("UnsupportedContent", {
    originalType: Text(1, 200, "The network's name of the type"),
    url: Type.Optional(
      Type.String({ description: "Where the network shows the message, for a while, or where the message leads" }),
    ),
    title: described(word, "A description of the message, in a few words"),
    text: Type.Optional(Type.String({ description: "The words that can be read in it" })),
    errors: Type.Optional(Type.Array(InboundErrorShape, { description: "Why the network did not pass it on" })),
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
