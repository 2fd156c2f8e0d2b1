import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { described, FileName, type Issue, issue, issuesOf, OneOf, Text } from "../../kernel/schema.ts";
import { isRecord } from "../../kernel/texts/json.ts";
import { firstLinkIn } from "../../kernel/texts/links.ts";
import { type IsUrlAllowed, publicUrlIssues } from "../ports/public-url.ts";
import { withoutNulls } from "./further-fields.ts";
import {
  AddressContent,
  ButtonContent,
  CarouselContent,
  CopyCodeContent,
  CtaUrlContent,
  carouselIssues,
  copyCodeIssues,
  ctaUrlIssues,
  EventContent,
  eventIssues,
  FlowContent,
  ListContent,
  LocationRequestContent,
  listIssues,
  PollContent,
  pollIssues,
  QuickReplies,
  quickReplyIssues,
  replyIssues,
} from "./interactive.ts";
import { OrderDetailsContent, OrderStatusContent, orderIssues } from "./orders.ts";
import { RichTextContent, richTextIssues } from "./rich-text.ts";
import { TemplateContent, templateIssues } from "./template-content.ts";

/** The content types that a client may send, whatever the network. */
export const CONTENT_TYPES = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contact",
  "button",
  "list",
  "template",
  "cta_url",
  "location_request",
  "address_message",
  "flow",
] as const;

/** Content types that few networks have. A client may send them if the channel's kind declares them. */
export const FURTHER_TYPES = [
  "poll",
  "event",
  "copy_code",
  "carousel",
  "phone_number_request",
  "phone_number_share",
  "order_details",
  "order_status",
  "rich_text",
] as const;

/** A content type that only Recado creates, after a client's request. Clients cannot send it. */
type OwnType = "call_permission_request";
export type SendableType = (typeof CONTENT_TYPES)[number] | (typeof FURTHER_TYPES)[number];
export type ContentType = SendableType | OwnType;

/**
 * How a message goes out after the answer window has ended. `HUMAN_AGENT`: a person answers; never for an AI agent or a
 * batch. `UTILITY`: a utility message without a template, which the network charges as one.
 */
export const MESSAGE_TAGS = ["HUMAN_AGENT", "UTILITY"] as const;
export type MessageTag = (typeof MESSAGE_TAGS)[number];

const tag = Type.Optional(OneOf(MESSAGE_TAGS));
const TAG_TEXT =
  "How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message without a " +
  "template";
const source = {
  mediaUrl: Type.Optional(
    described(Text(1, 2048), "A public HTTPS address of the file", "https://padaria-estrela.example/bolo.jpg"),
  ),
  mediaHandle: Type.Optional(
    described(Text(1, 2048), "The handle of an uploaded file, in place of `mediaUrl`", "4::aW1hZ2UvanBlZw==:ARZ9x"),
  ),
};
const file = {
  ...source,
  mimeType: Type.Optional(described(Text(1, 120), "The media type; the file's own by default", "image/jpeg")),
};
/** The longest caption that any message may have, in characters. */
export const LONGEST_CAPTION = 1024;
const caption = Type.Optional(Text(0, LONGEST_CAPTION));

const viewOnce = Type.Optional(
  Type.Boolean({ description: "Whether it can be opened once only, if the network has that; false by default" }),
);

/** The most people, groups and `all` that one message mentions. */
const MAX_MENTIONS = 256;
/** The most groups among them: the network is asked for the name of each. */
export const MAX_MENTIONED_GROUPS = 5;
const mentions = Type.Optional(
  Type.Array(Text(1, 256), {
    maxItems: MAX_MENTIONS,
    description:
      "The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same " +
      "community, or `all`. `@` and the number in the text becomes the name. If the network has mentions",
    examples: [["5511988887777", "all"]],
  }),
);

const captioned = {
  ...file,
  caption: described(caption, "A text below the file; at most 1,024 characters", "Bolo de cenoura"),
  tag: described(tag, TAG_TEXT),
  mentions,
  viewOnce,
};
/** The most images that any network takes in one message. */
export const MAX_IMAGES = 10;
const Images = Type.Array(
  Type.Object(
    {
      mediaUrl: described(
        Text(1, 2048),
        "A public HTTPS address of the file",
        "https://padaria-estrela.example/bolo.jpg",
      ),
    },
    { title: "ImageLink" },
  ),
  {
    minItems: 2,
    maxItems: MAX_IMAGES,
    description: "Several images in one message, in place of mediaUrl, if the network supports it",
  },
);
const QUALITIES = ["standard", "hd"] as const;
const Contact = Type.Object(
  {
    name: described(Text(1, 120), "The name of the person", "Maria Souza"),
    phone: described(Text(5, 30), "The person's telephone number", "5511988887777"),
    email: Type.Optional(described(Text(1, 320), "The person's e-mail address", "maria@example.com")),
  },
  { title: "ContactCard" },
);

const LinkPreview = described(
  Type.Union([
    Type.Boolean(),
    Type.Object(
      {
        title: described(Text(1, 200), "The title of the preview; at most 200 characters", "Bolo de cenoura"),
        description: Type.Optional(
          described(Text(0, 500), "The text below the title; at most 500 characters", "Com cobertura de chocolate"),
        ),
        url: Type.Optional(
          described(
            Text(1, 2048),
            "The address that the preview belongs to, as it stands in the text; the first one by default",
            "https://padaria-estrela.example/bolo",
          ),
        ),
        image: Type.Optional(
          described(
            Type.Object(
              {
                mediaUrl: described(
                  Text(1, 2048),
                  "A public HTTPS address of the file",
                  "https://padaria-estrela.example/bolo.jpg",
                ),
              },
              { title: "LinkPreviewImage" },
            ),
            "The picture, which is shown small",
          ),
        ),
      },
      { title: "LinkPreview" },
    ),
  ]),
  "The preview of the first address in the text, if the network has that. True: Recado asks the page for its " +
    "title, text and picture, for five seconds at most. False: none. An object: this one, whose address stands in " +
    "the text. By default the phone's setting `linkPreviews` decides",
  true,
);

/**
 * The schema of each content type. The APIs publish it, the core validates by it, and the types of plugins derive from
 * it.
 */
export const CONTENT = {
  text: Type.Object(
    {
      text: described(Text(1, 4096), "The text to send; 1 to 4,096 characters", "Olá, Maria! Seu bolo está pronto."),
      quickReplies: Type.Optional(QuickReplies),
      tag: described(tag, TAG_TEXT),
      mentions,
      linkPreview: Type.Optional(LinkPreview),
    },
    { title: "TextContent" },
  ),
  image: Type.Object(
    {
      ...captioned,
      images: Type.Optional(Images),
      quality: Type.Optional(
        OneOf(QUALITIES, {
          description:
            "`standard`: at most 1600 pixels a side. `hd`: people get that, and the whole picture when they open it. By " +
            "default the picture goes as it is. If the network has that",
          examples: ["hd"],
        }),
      ),
    },
    { title: "ImageContent" },
  ),
  video: Type.Object(
    {
      ...captioned,
      videoNote: Type.Optional(
        Type.Boolean({
          description:
            "Whether it plays as a round video note, if the network has those; false by default. A note has no caption",
        }),
      ),
      gifPlayback: Type.Optional(
        Type.Boolean({
          description:
            "Whether the MP4 plays as a GIF, without sound and again and again, if the network has that; false by default",
        }),
      ),
    },
    { title: "VideoContent" },
  ),
  audio: Type.Object(
    {
      ...file,
      ptt: Type.Optional(Type.Boolean({ description: "Whether it plays as a voice note; false by default" })),
      tag: described(tag, TAG_TEXT),
      viewOnce: Type.Optional(
        Type.Boolean({
          description:
            "Whether a voice note (`ptt`) can be played once only, if the network has that; false by default",
        }),
      ),
    },
    { title: "AudioContent" },
  ),
  document: Type.Object(
    {
      ...file,
      caption: described(caption, "A text below the document; at most 1,024 characters", "Bolo de cenoura"),
      mentions,
      tag: described(tag, TAG_TEXT),
      filename: Type.Optional(
        described(FileName(), "The shown name: the name of a file alone, without folders", "cardapio.pdf"),
      ),
      thumbnail: Type.Optional(
        described(
          Type.Object(source, { title: "Thumbnail" }),
          "A picture of the first page, which is shown small, if the network has that; one of `mediaUrl` and `mediaHandle`",
        ),
      ),
    },
    { title: "DocumentContent" },
  ),
  sticker: Type.Object(
    {
      ...source,
      mimeType: Type.Optional(OneOf(["image/webp"], { description: "The media type; the file's own by default" })),
    },
    { title: "StickerContent" },
  ),
  location: Type.Object(
    {
      latitude: Type.Number({
        minimum: -90,
        maximum: 90,
        description: "Degrees north of the equator, -90 to 90",
        examples: [-23.55052],
      }),
      longitude: Type.Number({
        minimum: -180,
        maximum: 180,
        description: "Degrees east of Greenwich, -180 to 180",
        examples: [-46.633308],
      }),
      name: Type.Optional(described(Text(0, 120), "The name of the place", "Padaria Estrela")),
      address: Type.Optional(
        described(Text(0, 255), "The postal address of the place", "Rua das Flores, 100, São Paulo"),
      ),
    },
    { title: "LocationContent" },
  ),
  contact: Type.Object(
    { contacts: Type.Array(Contact, { minItems: 1, maxItems: 10, description: "The cards that are sent" }) },
    { title: "ContactContent" },
  ),
  button: ButtonContent,
  list: ListContent,
  template: described(TemplateContent, "The approved template that is sent in place of the message"),
  cta_url: CtaUrlContent,
  location_request: LocationRequestContent,
  address_message: AddressContent,
  flow: FlowContent,
  copy_code: CopyCodeContent,
  carousel: CarouselContent,
  poll: PollContent,
  event: EventContent,
  phone_number_request: Type.Object(
    {
      text: Type.Optional(described(Text(1, 1024), "The text above the button", "Olá, Maria! Seu bolo está pronto.")),
    },
    { title: "PhoneNumberRequestContent" },
  ),
  phone_number_share: Type.Object({}),
  order_details: OrderDetailsContent,
  order_status: OrderStatusContent,
  rich_text: RichTextContent,
  call_permission_request: Type.Object({}),
} as const satisfies Record<ContentType, TSchema>;

type ContentOf<Kind extends ContentType> = Static<(typeof CONTENT)[Kind]>;
export type Content = { [Kind in ContentType]: { type: Kind; content: ContentOf<Kind> } }[ContentType];

/** Whether a message is sent as a voice note. Networks accept voice notes in one format only. */
export const isVoiceNote = ({ type, content }: { type: string; content: object }): boolean =>
  type === "audio" && "ptt" in content && content.ptt === true;

const sourceIssues = (
  { mediaUrl, mediaHandle, images }: { mediaUrl?: string; mediaHandle?: string; images?: { mediaUrl: string }[] },
  isUrlAllowed: IsUrlAllowed,
): Issue[] => {
  if (images !== undefined && (mediaUrl !== undefined || mediaHandle !== undefined))
    return [issue("content.images", "forbidden", "only one of images, mediaUrl and mediaHandle may be given")];
  if (images !== undefined)
    return images.flatMap((one, index) =>
      publicUrlIssues(`content.images.${index}.mediaUrl`, one.mediaUrl, isUrlAllowed),
    );
  if (mediaUrl === undefined && mediaHandle === undefined)
    return [issue("content.mediaUrl", "required", "one of mediaUrl and mediaHandle is required")];
  if (mediaUrl === undefined) return [];
  if (mediaHandle !== undefined)
    return [issue("content.mediaUrl", "forbidden", "only one of mediaUrl and mediaHandle may be given")];
  return publicUrlIssues("content.mediaUrl", mediaUrl, isUrlAllowed);
};

/** A video plays in one way alone. */
const playedIssues = ({ caption, videoNote, gifPlayback, viewOnce }: ContentOf<"video">): Issue[] => {
  const others = { caption: Boolean(caption), gifPlayback, viewOnce };
  if (videoNote)
    return Object.entries(others)
      .filter(([, isGiven]) => isGiven)
      .map(([field]) => issue(`content.${field}`, "forbidden", "is not for a video note"));
  return gifPlayback && viewOnce
    ? [issue("content.viewOnce", "forbidden", "is not for a video that plays as a GIF")]
    : [];
};

const thumbnailIssues = ({ thumbnail }: ContentOf<"document">, isUrlAllowed: IsUrlAllowed): Issue[] =>
  thumbnail
    ? sourceIssues(thumbnail, isUrlAllowed).map((one) => ({
        ...one,
        path: one.path.replace(/^content/, "content.thumbnail"),
      }))
    : [];

/** Apps show a preview only if its address stands in the text. */
const previewIssues = ({ text, linkPreview }: ContentOf<"text">, isUrlAllowed: IsUrlAllowed): Issue[] => {
  if (typeof linkPreview !== "object") return [];
  const { url, image } = linkPreview;
  const isThere = url === undefined ? firstLinkIn(text) !== undefined : text.includes(url);
  return [
    ...(isThere ? [] : [issue("content.linkPreview.url", "forbidden", "must be an address that stands in the text")]),
    ...(image ? publicUrlIssues("content.linkPreview.image.mediaUrl", image.mediaUrl, isUrlAllowed) : []),
  ];
};

const viewOnceIssues = ({ ptt, viewOnce }: ContentOf<"audio">): Issue[] =>
  viewOnce && !ptt ? [issue("content.viewOnce", "forbidden", "is for voice notes (ptt)")] : [];

const imagesIssues = ({ images, viewOnce, quality }: ContentOf<"image">): Issue[] => [
  ...(images && viewOnce ? [issue("content.viewOnce", "forbidden", "is not for several images")] : []),
  ...(images && quality ? [issue("content.quality", "forbidden", "is not for several images")] : []),
  ...(viewOnce && quality === "hd"
    ? [issue("content.quality", "forbidden", "is not for a picture that opens once")]
    : []),
];

/** The rules that a schema cannot express: dependent fields, unique ids, allowed URLs. */
const FURTHER_ISSUES: { [Kind in ContentType]?: (content: ContentOf<Kind>, isUrlAllowed: IsUrlAllowed) => Issue[] } = {
  text: (content, isUrlAllowed) => [...quickReplyIssues(content.quickReplies), ...previewIssues(content, isUrlAllowed)],
  image: (content, isUrlAllowed) => [...sourceIssues(content, isUrlAllowed), ...imagesIssues(content)],
  video: (content, isUrlAllowed) => [...sourceIssues(content, isUrlAllowed), ...playedIssues(content)],
  audio: (content, isUrlAllowed) => [...sourceIssues(content, isUrlAllowed), ...viewOnceIssues(content)],
  document: (content, isUrlAllowed) => [
    ...sourceIssues(content, isUrlAllowed),
    ...thumbnailIssues(content, isUrlAllowed),
  ],
  sticker: sourceIssues,
  button: replyIssues,
  list: listIssues,
  template: templateIssues,
  cta_url: ctaUrlIssues,
  copy_code: copyCodeIssues,
  carousel: carouselIssues,
  poll: pollIssues,
  event: eventIssues,
  order_details: (order) => orderIssues(order),
  rich_text: (text) => richTextIssues(text),
};

/**
 * The issues of `content` for its `type`; empty when it is valid. Names a removed field (`mediaId`). Does not check
 * whether an allowed URL answers.
 */
export const contentIssues = (type: ContentType, given: unknown, isUrlAllowed: IsUrlAllowed): Issue[] => {
  const content = isRecord(given) ? withoutNulls(given) : given;
  const issues = issuesOf(CONTENT[type], content, "content");
  if (issues.length > 0 || typeof content !== "object" || content === null) return issues;
  if ("mediaId" in content) issues.push(issue("content.mediaId", "forbidden", "is no longer a field; use mediaHandle"));
  // the type's schema was checked above
  const further = FURTHER_ISSUES[type] as ((content: unknown, isUrlAllowed: IsUrlAllowed) => Issue[]) | undefined;
  return [...issues, ...(further?.(content, isUrlAllowed) ?? [])];
};

/** A valid content without the keys that its schema does not know. Unknown keys are neither stored nor sent. */
export const contentOf = (type: ContentType, content: unknown): Content =>
  ({
    type,
    content: Value.Clean(CONTENT[type], structuredClone(isRecord(content) ? withoutNulls(content) : content)),
  }) as Content;
