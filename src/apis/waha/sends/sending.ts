import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { status } from "elysia";
import type { ContentType } from "../../../contract/content/content.ts";
import type { Channel } from "../../../core/channels/channel.ts";
import { requireOpen } from "../../../core/channels/refusals.ts";
import { acceptMessage } from "../../../core/messaging/sending/accept.ts";
import { type Envelope, requireRecipient } from "../../../core/messaging/sending/sendable.ts";
import { invalid } from "../../../kernel/errors.ts";
import { AnyText, issue, Text } from "../../../kernel/schema.ts";
import { jidOfKey, numberOf } from "../../shared/compatible/addresses.ts";
import { withFile } from "../../shared/compatible/files.ts";
import type { Said } from "../../shared/compatible/wire-messages.ts";
import { askedBy, MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { chatIdOfKey, messageIdIn } from "../addresses.ts";
import { type Principal, sessionNamed } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { FileBody, fileTextOf, type GivenFile } from "../files.ts";
import { messageView } from "../message-views.ts";
import { routeOptions } from "../route-options.ts";
import { meOf } from "../session-views.ts";

export const optionalText = Type.Optional(Type.Union([AnyText(), Type.Null()]));
export const optionalFlag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

/** The fields of every body that names its session and its chat. */
export const OF_CHAT = { session: Type.Optional(Text(1, 120)), chatId: Text(1, 256) };

/** The fields of every send besides its content. */
export const COMMON = {
  ...OF_CHAT,
  reply_to: Type.Optional(Type.Union([Text(0, 512), Type.Null()])),
  mentions: Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: 1000 }), Type.Null()])),
};
export const sendBody = <Fields extends TProperties>(fields: Fields) => Type.Object({ ...COMMON, ...fields });
export type Common = Static<ReturnType<typeof Type.Object<typeof COMMON>>>;

export const sends = { ...routeOptions({ scope: "messages.write", countsAsSend: true, names: "body" }) };
export const sendsFile = {
  ...routeOptions({
    scope: "messages.write",
    countsAsSend: true,
    names: "body",
    maxBodyBytes: MAX_LONG_BODY_BYTES,
  }),
};

export type Asked<Body extends Common = Common> = { principal: Principal; request: Request; body: Body };
export type Content = { type: ContentType; content: object };

/** The contents whose text can mention people. */
const MENTIONING: ReadonlySet<ContentType> = new Set(["text", "image", "video", "document"]);

/** @throws AppError VALIDATION for a mention in a content without text, because it would be lost */
const mentionsOf = ({ mentions }: Pick<Common, "mentions">, type: ContentType): { mentions?: string[] } => {
  if (!mentions || mentions.length === 0) return {};
  if (MENTIONING.has(type)) return { mentions: mentions.map(numberOf) };
  throw invalid(issue("mentions", "forbidden", "is not supported: a message without a text mentions nobody"));
};

/** A word about the preview of a link has an effect where the network has previews, and none elsewhere. */
const shownOn = ({ registry }: WahaEnv, { kind }: Channel, { type, content }: Content): object => {
  const fields: readonly string[] = registry.declared(kind)?.capabilities.furtherFields?.[type] ?? [];
  const { linkPreview, ...rest } = content as { linkPreview?: unknown };
  return typeof linkPreview !== "boolean" || fields.includes("linkPreview") ? content : rest;
};

type Sent = { session: Channel; recipient: string; messageId: string; said: Said; quotedId?: string | undefined };

/**
 * A message that waits to be sent, in WAHA's shape: the fields of every message, and the key, the time and the status
 * that its engine's own answer has.
 */
const sentView = (env: WahaEnv, { session, recipient, messageId, said, quotedId }: Sent) => {
  const view = messageView({
    id: messageId,
    chatId: chatIdOfKey(recipient),
    fromMe: true,
    me: meOf(session)?.id ?? null,
    at: env.clock.now(),
    said,
    ack: "PENDING",
    source: "api",
    quotedId,
  });
  return {
    ...view,
    key: { remoteJid: jidOfKey(recipient), fromMe: true, id: messageId },
    messageTimestamp: view.timestamp,
    status: "PENDING",
  };
};

/** Accepts an envelope for a session, and answers as WAHA does for a message that was sent. */
export const sendEnvelope = async (
  env: WahaEnv,
  { principal, request }: Pick<Asked, "principal" | "request">,
  session: Channel,
  envelope: Envelope,
) => {
  const { messageId, recipient } = await acceptMessage(env, principal, envelope, {
    environment: "live",
    mustBeConnected: true,
    infersAnswers: true,
    ...askedBy(principal, request),
  });
  const { type, content, quotedMessageId: quotedId } = envelope;
  return status(201, sentView(env, { session, recipient, messageId, said: { type, content }, quotedId }));
};

/**
 * The session of a body, if it can write to the body's chat now. Nothing is kept for a message without a way out.
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, RECIPIENT_INVALID, ADDRESS_INVALID
 */
export const reachingSession = async (env: WahaEnv, { principal, body }: Asked): Promise<Channel> => {
  const session = await sessionNamed(env, principal, body.session);
  await requireRecipient(env, session, numberOf(body.chatId), { environment: "live", mustBeConnected: true });
  requireOpen(session);
  return session;
};

/** The same for a content, on the session that the path or the body names. */
export const send = async (env: WahaEnv, asked: Asked, { type, content }: Content, named?: Channel) => {
  const { principal, body } = asked;
  const session = named ?? (await sessionNamed(env, principal, body.session));
  return sendEnvelope(env, asked, session, {
    channelId: session.id,
    to: numberOf(body.chatId),
    type,
    content: { ...shownOn(env, session, { type, content }), ...mentionsOf(body, type) },
    ...(body.reply_to ? { quotedMessageId: messageIdIn(body.reply_to) } : {}),
  });
};

type Filed = Asked & { file: GivenFile };

/** Sends a file, whose address or bytes the body has. A refusal names the client's own field. */
export const sendFile = async (env: WahaEnv, { file, ...asked }: Filed, { type, content }: Content) => {
  const { mimetype, filename } = file;
  const field = file.url === undefined ? "file.data" : "file.url";
  mentionsOf(asked.body, type);
  const session = await reachingSession(env, asked);
  const given = {
    field,
    file: fileTextOf(file),
    mimetype: mimetype || undefined,
    fileName: filename ?? undefined,
  };
  return withFile(env, asked.principal, given, (source) =>
    send(env, asked, { type, content: { ...source, ...content } }, session),
  );
};

export const fileBody = <Fields extends TProperties>(fields: Fields) => sendBody({ file: FileBody, ...fields });
