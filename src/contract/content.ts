import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { FileName, type Issue, issue, issuesOf, OneOf, Text } from "../kernel/schema.ts";
import {
  AddressContent,
  ButtonContent,
  CtaUrlContent,
  ctaUrlIssues,
  FlowContent,
  ListContent,
  LocationRequestContent,
  listIssues,
  replyIssues,
} from "./interactive.ts";
import { type IsUrlAllowed, publicUrlIssues } from "./public-url.ts";
import { TemplateContent, templateIssues } from "./template-content.ts";

/** The types that a message of a customer's may have, whatever the network. */
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

/** What only we write, because a customer asked for what it brings: no message of theirs is of this type. */
type OwnType = "call_permission_request";
export type ContentType = (typeof CONTENT_TYPES)[number] | OwnType;

const source = { mediaUrl: Type.Optional(Text(1, 2048)), mediaHandle: Type.Optional(Text(1, 2048)) };
const file = { ...source, mimeType: Type.Optional(Text(1, 120)) };
const caption = Type.Optional(Text(0, 1024));

const CaptionedContent = Type.Object({ ...file, caption });
const Contact = Type.Object({ name: Text(1, 120), phone: Text(5, 30), email: Type.Optional(Text(1, 320)) });

/**
 * The schemas of what can be sent, per type. One source: faces describe it, the core refuses by it, plugins are typed
 * by it.
 */
export const CONTENT = {
  text: Type.Object({ text: Text(1, 4096) }),
  image: CaptionedContent,
  video: CaptionedContent,
  audio: Type.Object({ ...file, ptt: Type.Optional(Type.Boolean()) }),
  document: Type.Object({ ...file, caption, filename: Type.Optional(FileName()) }),
  sticker: Type.Object({ ...source, mimeType: Type.Optional(OneOf(["image/webp"])) }),
  location: Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    name: Type.Optional(Text(0, 120)),
    address: Type.Optional(Text(0, 255)),
  }),
  contact: Type.Object({ contacts: Type.Array(Contact, { minItems: 1, maxItems: 10 }) }),
  button: ButtonContent,
  list: ListContent,
  template: TemplateContent,
  cta_url: CtaUrlContent,
  location_request: LocationRequestContent,
  address_message: AddressContent,
  flow: FlowContent,
  call_permission_request: Type.Object({}),
} as const satisfies Record<ContentType, TSchema>;

type ContentOf<Kind extends ContentType> = Static<(typeof CONTENT)[Kind]>;
export type Content = { [Kind in ContentType]: { type: Kind; content: ContentOf<Kind> } }[ContentType];

/** The links to files that a content has, with the names of their fields. */
export const fileLinksOf = (content: object): { path: string; url: string }[] => {
  const { mediaUrl, header, headerMedia } = content as {
    mediaUrl?: string;
    header?: { mediaUrl?: string };
    headerMedia?: { url: string };
  }; // as the schemas above name them
  const links = { mediaUrl, "header.mediaUrl": header?.mediaUrl, "headerMedia.url": headerMedia?.url };
  return Object.entries(links).flatMap(([path, url]) => (url === undefined ? [] : [{ path: `content.${path}`, url }]));
};

/** Whether a message is a recording that plays as a voice note; networks take those in one format alone. */
export const isVoiceNote = ({ type, content }: { type: string; content: object }): boolean =>
  type === "audio" && "ptt" in content && content.ptt === true;

const sourceIssues = (
  { mediaUrl, mediaHandle }: { mediaUrl?: string; mediaHandle?: string },
  isUrlAllowed: IsUrlAllowed,
): Issue[] => {
  if (mediaUrl === undefined && mediaHandle === undefined)
    return [issue("content.mediaUrl", "required", "one of mediaUrl and mediaHandle is required")];
  if (mediaUrl === undefined) return [];
  if (mediaHandle !== undefined)
    return [issue("content.mediaUrl", "forbidden", "only one of mediaUrl and mediaHandle may be given")];
  return publicUrlIssues("content.mediaUrl", mediaUrl, isUrlAllowed);
};

/** What no schema says: fields that depend on each other, ids that must differ, URLs that may be reached. */
const FURTHER_ISSUES: { [Kind in ContentType]?: (content: ContentOf<Kind>, isUrlAllowed: IsUrlAllowed) => Issue[] } = {
  image: sourceIssues,
  video: sourceIssues,
  audio: sourceIssues,
  document: sourceIssues,
  sticker: sourceIssues,
  button: replyIssues,
  list: listIssues,
  template: templateIssues,
  cta_url: ctaUrlIssues,
};

/**
 * What is wrong with `content` for its `type`: empty when nothing is. A removed field (`mediaId`) is named. Whether an
 * allowed URL can be reached is found out when somebody reaches for it.
 */
export const contentIssues = (type: ContentType, content: unknown, isUrlAllowed: IsUrlAllowed): Issue[] => {
  const issues = issuesOf(CONTENT[type], content, "content");
  if (issues.length > 0 || typeof content !== "object" || content === null) return issues;
  if ("mediaId" in content) issues.push(issue("content.mediaId", "forbidden", "is no longer a field; use mediaHandle"));
  // the schema of its type has been checked
  const further = FURTHER_ISSUES[type] as ((content: unknown, isUrlAllowed: IsUrlAllowed) => Issue[]) | undefined;
  return [...issues, ...(further?.(content, isUrlAllowed) ?? [])];
};

/**
 * The content of a type in which nothing is wrong, without the keys that its schema does not know: they are neither
 * stored nor sent.
 */
export const contentOf = (type: ContentType, content: unknown): Content =>
  ({ type, content: Value.Clean(CONTENT[type], structuredClone(content)) }) as Content;
