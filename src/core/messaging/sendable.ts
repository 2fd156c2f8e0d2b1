import type { SendLimits, Sends } from "../../contract/capabilities.ts";
import { type Content, type ContentType, contentIssues, contentOf, fileLinksOf } from "../../contract/content.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { DEFAULT_LANGUAGE } from "../../contract/templates.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { recipientDigits } from "../../kernel/phone-numbers.ts";
import { issue } from "../../kernel/schema.ts";
import { type ChannelRow, readVault } from "../../store/channels.ts";
import type { Environment } from "../../store/keys.ts";
import type { TenantScope } from "../../store/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { adapterMissing } from "../channels/refusals.ts";
import type { MessagingEnv } from "./env.ts";
import { upstreamFlowId } from "./flows.ts";
import { findOrSync } from "./template-sync.ts";

/** What somebody wants to have sent. */
export type Envelope = {
  channelId: string;
  to: string;
  type: ContentType;
  content: unknown;
  quotedMessageId?: string;
  idempotencyKey?: string;
};

/**
 * `mustBeConnected` refuses a channel that is not connected; without it a message waits until the channel is. `hidden`:
 * kinds whose channels do not exist for the caller.
 */
export type Sending = { environment: Environment; mustBeConnected: boolean; hidden?: readonly ChannelKind[] };

/** What a message says, through which channel, and to whom (a canonical key). */
export type Sendable = { channel: ChannelRow; content: Content; recipient: string };

/**
 * What a message says and where it goes, checked in this order: content (VALIDATION), the channel is the tenant's
 * (CHANNEL_NOT_FOUND), its kind can send this (CONTENT_UNSUPPORTED, TEMPLATE_UNSUPPORTED, VALIDATION for a handle,
 * CAPTION_TOO_LARGE) to there (RECIPIENT_INVALID, ADDRESS_INVALID), its owner has consented
 * (SOCIAL_CREDENTIALS_MISSING).
 */
export const checkEnvelope = async (
  env: MessagingEnv,
  scope: TenantScope,
  envelope: Envelope,
  sending: Sending,
): Promise<Sendable> => {
  const content = checkedContent(env, envelope);
  const channel = await getChannel(env, scope, envelope.channelId, sending.hidden);
  checkForKind(env, channel, content);
  const recipient = recipientOf(env, channel, envelope.to, sending);
  await checkConsent(env, channel, sending);
  return { channel, content, recipient };
};

const checkedContent = (env: MessagingEnv, { type, content }: Envelope): Content => {
  const issues = contentIssues(type, content, env.http.isUrlAllowed);
  if (issues.length > 0) throw invalid(...issues);
  return contentOf(type, content);
};

/**
 * What a channel of this kind can never send is refused whatever its state, and whether or not its adapter is
 * installed.
 */
const checkForKind = (env: MessagingEnv, { kind }: ChannelRow, message: Content): void => {
  const declared = env.registry.declared(kind);
  if (!declared) throw adapterMissing(kind);
  const sends = declared.capabilities;
  const { send, mediaHandles } = sends;
  const { type, content } = message;
  const limits = send[type];
  if (!limits) {
    const code = type === "template" ? (declared.refusals?.template ?? "CONTENT_UNSUPPORTED") : "CONTENT_UNSUPPORTED";
    throw new AppError(code, { message: `A channel of this kind does not send ${type}.`, details: { type } });
  }
  if ("mediaHandle" in content && !mediaHandles)
    throw invalid(issue("content.mediaHandle", "forbidden", "is not taken by a channel of this kind; use mediaUrl"));
  if (sends.fetchesLinks) checkLinks(env, content, sends);
  checkBytes(message, limits);
};

/**
 * What the network fetches itself must be where the network can reach it, whatever the operator allows this server to
 * reach.
 */
const checkLinks = ({ http }: MessagingEnv, content: object, { mediaHandles = false }: Sends): void => {
  const issues = fileLinksOf(content).flatMap(({ path, url }) => {
    const way =
      mediaHandles && path === "content.mediaUrl"
        ? "upload the file with POST /v1/media/upload of the gateway API, and send its mediaHandle"
        : "use a public address";
    return http.isPrivateUrl(url)
      ? [issue(path, "format", `is a private address, which the network that fetches the file cannot reach; ${way}`)]
      : [];
  });
  if (issues.length > 0) throw invalid(...issues);
};

const checkBytes = ({ type, content }: Content, { textMaxBytes, captionMaxBytes }: SendLimits): void => {
  const caption = "caption" in content ? content.caption : undefined;
  const [field, text = "", maxBytes] =
    type === "text" ? ["text", content.text, textMaxBytes] : ["caption", caption, captionMaxBytes];
  const bytes = Buffer.byteLength(text);
  if (maxBytes !== undefined && bytes > maxBytes)
    throw new AppError("CAPTION_TOO_LARGE", {
      message: `${field} is too long for this network.`,
      details: { bytes, maxBytes, field },
    });
};

const recipientOf = (env: MessagingEnv, channel: ChannelRow, given: string, { environment }: Sending): string => {
  const declared = env.registry.declared(channel.kind);
  const plugin = env.registry.of(channel.kind, environment);
  if (!declared || !plugin) throw adapterMissing(channel.kind);
  const hasIds = declared.network.recipients === "ids"; // which only the network's own adapter can read
  const address = hasIds ? declared.address(given) : plugin.address(recipientDigits(given));
  if (!address.ok)
    throw new AppError(address.code, {
      message: "The recipient is not one that this channel can send to.",
      details: { to: given },
    });
  return address.to;
};

/**
 * A channel that is made by its owner's consent and has no credentials: whatever its state, nothing but that consent
 * helps.
 */
const checkConsent = async (
  env: MessagingEnv,
  { id, kind, numberId }: ChannelRow,
  { environment }: Sending,
): Promise<void> => {
  if (!env.registry.of(kind, environment)?.oauth) return;
  const secrets = await env.db.read((reader) => readVault(reader, id));
  if (numberId === null || !secrets.some(({ field }) => field === "accessToken"))
    throw new AppError("SOCIAL_CREDENTIALS_MISSING", {
      message: "The account has no credentials: its owner has to consent.",
    });
};

/**
 * The content as the network is to get it. Throws TEMPLATE_NOT_APPROVED, FLOW_NOT_FOUND and FLOW_NOT_SYNCED for what
 * the network would not know, by what it last told of it here.
 */
export const knownToNetwork = async (
  env: MessagingEnv,
  { channel, content }: Sendable,
  environment: Environment,
): Promise<Content> => {
  switch (content.type) {
    case "template":
      await requireApproval(env, channel, content.content, environment);
      return content;
    case "flow":
      return {
        ...content,
        content: { ...content.content, flowId: await upstreamFlowId(env, channel, content.content.flowId) },
      };
    default:
      return content;
  }
};

/** Where there are no templates to review, as behind test keys, any will do. */
const requireApproval = async (
  env: MessagingEnv,
  channel: ChannelRow,
  { name, language = DEFAULT_LANGUAGE }: { name: string; language?: string },
  environment: Environment,
): Promise<void> => {
  if (!env.registry.of(channel.kind, environment)?.capabilities.templates) return;
  const template = await findOrSync(env, channel, { name, language });
  if (template?.status === "APPROVED") return;
  throw new AppError("TEMPLATE_NOT_APPROVED", {
    message: "The template is not approved for this channel.",
    details: { name, language, status: template?.status ?? null },
  });
};
