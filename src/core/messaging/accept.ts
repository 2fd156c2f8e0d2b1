import type { SendLimits } from "../../contract/capabilities.ts";
import { type Content, type ContentType, contentIssues, contentOf } from "../../contract/content.ts";
import { DEFAULT_LANGUAGE } from "../../contract/templates.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type MessageId, newId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import type { ChannelRow } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import type { Environment } from "../../store/keys.ts";
import { claimIdempotencyKey, findQuotedKey, insertMessage, type NewMessage } from "../../store/messages.ts";
import type { TenantScope } from "../../store/scope.ts";
import { findTemplateByName } from "../../store/templates.ts";
import { countDailySend } from "../../store/tenants.ts";
import { getChannel } from "../channels/channel.ts";
import type { Env } from "../env.ts";
import { upstreamFlowId } from "./flows.ts";

const IDEMPOTENCY_LIFE_MS = DAY_MS;

export type Envelope = { channelId: string; to: string; type: ContentType; content: unknown; quotedMessageId?: string; idempotencyKey?: string };
export type AcceptOptions = {
  environment: Environment;
  /** Refuses a channel that is not connected; without it the message waits until the channel is. */
  mustBeConnected: boolean;
  /** Live sends that the tenant may have accepted per UTC day. */
  messagesPerDay?: number;
};

/** `accepted` is new; `repeat` was accepted before under its idempotency key; `processing` is being accepted at this moment. */
export type Accepted = { is: "accepted" | "repeat"; messageId: MessageId } | { is: "processing" };

/**
 * Promises to send a message: the row and its job are on disk when this resolves, and nothing has touched the network. Checked in this order:
 * content (VALIDATION), the channel is the tenant's (CHANNEL_NOT_FOUND), its kind can send this (CONTENT_UNSUPPORTED, TEMPLATE_UNSUPPORTED,
 * VALIDATION for a handle, CAPTION_TOO_LARGE) to there (RECIPIENT_INVALID, ADDRESS_INVALID), it is connected (CHANNEL_NOT_CONNECTED), the network
 * has approved its template (TEMPLATE_NOT_APPROVED) or has its flow (FLOW_NOT_FOUND, FLOW_NOT_SYNCED), the quoted message is known
 * (MESSAGE_KEY_UNKNOWN), idempotency, the day's limit (DAY_LIMIT_REACHED).
 */
export const acceptMessage = async (env: Env, scope: TenantScope, envelope: Envelope, options: AcceptOptions): Promise<Accepted> => {
  const content = checkedContent(env, envelope);
  const channel = await getChannel(env, scope, envelope.channelId);
  checkForKind(env, channel, content);
  const recipient = recipientOf(env, channel, envelope.to, options);
  if (options.mustBeConnected && channel.state !== "CONNECTED") throw notConnected(channel);
  if (content.type === "template") await requireApproval(env, channel, content.content, options);
  const quotedKey = await quotedKeyOf(env, channel, envelope.quotedMessageId);
  const message: NewMessage = {
    id: newId<MessageId>(env),
    tenantId: scope.tenantId,
    channelId: channel.id,
    environment: options.environment,
    ...(await named(env, channel, content)),
    recipient,
    quotedKey: quotedKey ?? null,
    createdAt: env.clock.now(),
  };
  return once(env, message, envelope.idempotencyKey, (tx) => queue(env, tx, message, options.messagesPerDay));
};

const checkedContent = (env: Env, { type, content }: Envelope): Content => {
  const issues = contentIssues(type, content, env.http.isUrlAllowed);
  if (issues.length > 0) throw invalid(...issues);
  return contentOf(type, content);
};

/** What a channel of this kind can never send is refused whatever its state, and whether or not its adapter is installed. */
const checkForKind = (env: Env, { kind }: ChannelRow, message: Content): void => {
  const { send, mediaHandles } = env.registry.sends(kind);
  const { type, content } = message;
  const limits = send[type];
  if (!limits) {
    const code = type === "template" && kind === "SESSION" ? "TEMPLATE_UNSUPPORTED" : "CONTENT_UNSUPPORTED";
    throw new AppError(code, { message: `A channel of this kind does not send ${type}.`, details: { type } });
  }
  if ("mediaHandle" in content && !mediaHandles) throw invalid(issue("content.mediaHandle", "forbidden", "is not taken by a channel of this kind; use mediaUrl"));
  checkBytes(message, limits);
};

const checkBytes = ({ type, content }: Content, { textMaxBytes, captionMaxBytes }: SendLimits): void => {
  const caption = "caption" in content ? content.caption : undefined;
  const [field, text = "", maxBytes] = type === "text" ? ["text", content.text, textMaxBytes] : ["caption", caption, captionMaxBytes];
  const bytes = Buffer.byteLength(text);
  if (maxBytes !== undefined && bytes > maxBytes)
    throw new AppError("CAPTION_TOO_LARGE", { message: `${field} is too long for this network.`, details: { bytes, maxBytes, field } });
};

const notConnected = ({ state }: ChannelRow) => new AppError("CHANNEL_NOT_CONNECTED", { message: "The channel is not connected.", details: { status: state } });

const recipientOf = (env: Env, channel: ChannelRow, to: string, { environment, mustBeConnected }: AcceptOptions): string => {
  const plugin = env.registry.of(channel.kind, environment);
  if (!plugin && mustBeConnected) throw notConnected(channel);
  if (!plugin) return `pn:${to}`; // nothing here can send it yet: it waits like one whose channel is not connected
  const address = plugin.address(to);
  if (!address.ok) throw new AppError(address.code, { message: "The recipient is not one that this channel can send to.", details: { to } });
  return address.to;
};

/** A flow is named by its id here or at the network, which gets its own. */
const named = async (env: Env, channel: ChannelRow, message: Content): Promise<Content> =>
  message.type === "flow" ? { ...message, content: { ...message.content, flowId: await upstreamFlowId(env, channel, message.content.flowId) } } : message;

/** By what the network last told of it here. Where there are no templates to review, as behind test keys, any will do. */
const requireApproval = async (
  env: Env,
  channel: ChannelRow,
  { name, language = DEFAULT_LANGUAGE }: { name: string; language?: string },
  { environment }: AcceptOptions,
): Promise<void> => {
  if (!env.registry.of(channel.kind, environment)?.capabilities.templates) return;
  const template = await env.db.read((reader) => findTemplateByName(reader, channel.id, { name, language }));
  if (template?.status === "APPROVED") return;
  throw new AppError("TEMPLATE_NOT_APPROVED", { message: "The template is not approved for this channel.", details: { name, language, status: template?.status ?? null } });
};

const quotedKeyOf = async (env: Env, channel: ChannelRow, quotedMessageId: string | undefined) => {
  if (quotedMessageId === undefined) return undefined;
  const key = await env.db.read((reader) => findQuotedKey(reader, channel.id, quotedMessageId));
  if (!key) throw new AppError("MESSAGE_KEY_UNKNOWN", { message: "The quoted message is not known to this channel." });
  return key;
};

/** Runs the acceptance once per idempotency key. Repeats that come while the first is being answered are told so. */
const once = async (env: Env, { id: messageId, tenantId }: NewMessage, key: string | undefined, accept: (tx: Tx) => Promise<void>): Promise<Accepted> => {
  if (key === undefined) {
    await env.db.write(accept);
    return { is: "accepted", messageId };
  }
  const claim = `${tenantId}/${key}`;
  if (env.beingAccepted.has(claim)) return { is: "processing" };
  env.beingAccepted.add(claim);
  try {
    const nowMs = env.clock.now();
    return await env.db.write<Accepted>(async (tx) => {
      const earlier = claimIdempotencyKey(tx, { tenantId, key, messageId, nowMs, expiresAt: nowMs + IDEMPOTENCY_LIFE_MS });
      if (earlier) return { is: "repeat", messageId: earlier };
      await accept(tx);
      return { is: "accepted", messageId };
    });
  } finally {
    env.beingAccepted.delete(claim);
  }
};

const queue = async (env: Env, tx: Tx, message: NewMessage, messagesPerDay: number | undefined): Promise<void> => {
  const day = Math.floor(message.createdAt / DAY_MS);
  if (messagesPerDay !== undefined && message.environment === "live" && !countDailySend(tx, message.tenantId, day, messagesPerDay)) {
    const retryAfterSeconds = Math.ceil(((day + 1) * DAY_MS - message.createdAt) / 1000);
    throw new AppError("DAY_LIMIT_REACHED", { message: `The plan's messages of today are used up; try again in ${retryAfterSeconds} seconds.`, retryAfterSeconds });
  }
  await insertMessage(tx, message);
  env.jobs.enqueue(tx, "message.deliver", { messageId: message.id, channelId: message.channelId, chat: message.recipient, environment: message.environment });
};
