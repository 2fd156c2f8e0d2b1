import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type Issue, issue, issuesOf, OneOf, Text } from "../kernel/schema.ts";

/** The types a message may have, whatever the network. */
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
export type ContentType = (typeof CONTENT_TYPES)[number];

const MediaSource = { mediaUrl: Type.Optional(Text(1, 2048)), mediaHandle: Type.Optional(Text(1, 2048)) };
const caption = Type.Optional(Text(0, 1024));
const mimeType = Type.Optional(Text(1, 120));

const TextContent = Type.Object({ text: Text(1, 4096) });
const ImageContent = Type.Object({ ...MediaSource, caption, mimeType });
const DocumentContent = Type.Object({ ...MediaSource, caption, mimeType, filename: Type.Optional(Text(1, 255)) });

const TemplateButton = Type.Object({
  subType: Type.Optional(OneOf(["url", "copy_code", "quick_reply"])),
  index: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  parameters: Type.Array(Text(1, 2000), { minItems: 1, maxItems: 3 }),
});
const TemplateContent = Type.Object({
  name: Text(1, 512),
  language: Type.Optional(Text(2, 20)),
  variables: Type.Optional(Type.Array(Text(0, 4096), { maxItems: 100 })),
  headerMedia: Type.Optional(Type.Object({ type: OneOf(["image", "video", "document"]), url: Text(1, 2048) })),
  buttons: Type.Optional(Type.Array(TemplateButton, { maxItems: 10 })),
});

/** The schemas of what can be sent today, per type. One source: faces refuse by it, plugins are typed by it. */
const CONTENT = { text: TextContent, image: ImageContent, document: DocumentContent, template: TemplateContent } as const satisfies Partial<Record<ContentType, TSchema>>;

export type Content =
  | { type: "text"; content: Static<typeof TextContent> }
  | { type: "image"; content: Static<typeof ImageContent> }
  | { type: "document"; content: Static<typeof DocumentContent> }
  | { type: "template"; content: Static<typeof TemplateContent> };

/** The types that have a schema here. */
export const isSendable = (type: ContentType): type is Content["type"] => type in CONTENT;

/**
 * What is wrong with `content` for its `type`: empty when nothing is. A removed field (`mediaId`) is named. Media must
 * come from exactly one of `mediaUrl` and `mediaHandle`. Whether a URL may be reached is decided when it is.
 */
export const contentIssues = (type: Content["type"], content: unknown, isUrlAllowed: (url: string) => boolean): Issue[] => {
  const issues = issuesOf(CONTENT[type], content, "content");
  if (issues.length > 0 || typeof content !== "object" || content === null) return issues;
  if ("mediaId" in content) issues.push(issue("content.mediaId", "forbidden", "is no longer a field; use mediaHandle"));
  if (type === "image" || type === "document") issues.push(...mediaIssues(content, isUrlAllowed));
  if (type === "template") issues.push(...headerIssues(content, isUrlAllowed));
  return issues;
};

const mediaIssues = (content: { mediaUrl?: unknown; mediaHandle?: unknown }, isUrlAllowed: (url: string) => boolean): Issue[] => {
  const { mediaUrl, mediaHandle } = content;
  if (mediaUrl === undefined && mediaHandle === undefined) return [issue("content.mediaUrl", "required", "one of mediaUrl and mediaHandle is required")];
  if (mediaUrl !== undefined && mediaHandle !== undefined) return [issue("content.mediaUrl", "forbidden", "only one of mediaUrl and mediaHandle may be given")];
  return typeof mediaUrl === "string" && !isUrlAllowed(mediaUrl) ? [issue("content.mediaUrl", "format", "must be a public HTTPS URL")] : [];
};

const headerIssues = (content: { headerMedia?: { url: string } }, isUrlAllowed: (url: string) => boolean): Issue[] =>
  content.headerMedia && !isUrlAllowed(content.headerMedia.url) ? [issue("content.headerMedia.url", "format", "must be a public HTTPS URL")] : [];
