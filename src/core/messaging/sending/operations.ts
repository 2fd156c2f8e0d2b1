import type { Action, OperationOutcome } from "../../../contract/abilities/operations.ts";
import { broadcastKindOf, type OperationLimits, type SendLimits } from "../../../contract/capabilities.ts";
import { LONGEST_CAPTION } from "../../../contract/content/content.ts";
import { FILE_TYPES } from "../../../contract/content/inbound-content.ts";
import { isOpenState } from "../../../contract/events.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { ChannelId, MessageId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { findKnown, type KnownMessage } from "../../../store/tables/messaging/messages.ts";
import { pausedUntil } from "../../../store/tables/queues.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import { type AccountState, findAccountState } from "../../../store/tables/tenancy/tenants.ts";
import { getChannel } from "../../channels/channel.ts";
import { noteRefusedToken } from "../../channels/links/refused-token.ts";
import { notConnected } from "../../channels/refusals.ts";
import { keepAct } from "../../conversations/acts.ts";
import { findChatHolder } from "../../conversations/holders.ts";
import { recordMessageLabel } from "../../conversations/message-labels.ts";
import { contactOfKey, type DomainEvent } from "../../domain-event.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";
import { endWithKeep } from "../receiving/expiry.ts";
import { type AskedAction, completedAction, operationUnsupported } from "./asked-actions.ts";
import { checkTexts } from "./content-limits.ts";
import { tryLater, waitForChannel, waitForHold } from "./queue.ts";
import { findHold, waitingSince } from "./send-waits.ts";

type Name = Action["name"];
type OperatePayload = { messageId: MessageId; channelId: ChannelId; chat: string; action: Action };
type OperateJob = Job<OperatePayload>;

/** Only the app that leads a conversation shows that it reads, hears and writes. */
const MARKS: ReadonlySet<Name> = new Set(["read", "played", "typing"]);
/** How long an operation may wait for its channel. A typing indicator would be over after this time. */
const TTL_MS: Record<Name, number> = {
  react: DAY_MS,
  edit: DAY_MS,
  delete: DAY_MS,
  read: HOUR_MS,
  played: HOUR_MS,
  star: DAY_MS,
  label: DAY_MS,
  "delete-for-me": DAY_MS,
  typing: 25 * SECOND_MS,
  pin: DAY_MS,
  keep: DAY_MS,
  vote: DAY_MS,
  respond: DAY_MS,
};

/**
 * Accepts an operation on a message; its job is on disk when this resolves. A newer operation replaces a waiting one of
 * the same name, or of the same label, on the message. An operation that is too late for its network is accepted without effect. Checks in
 * this order: the channel is the tenant's and connected, the network knows the message, the kind supports the operation
 * on a message of its type.
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, MESSAGE_KEY_UNKNOWN, OPERATION_UNSUPPORTED, CAPTION_TOO_LARGE, or
 *   THREAD_HELD
 */
export const acceptOperation = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, messageId, action: asked }: { channelId: string; messageId: string; action: AskedAction },
): Promise<void> => {
  const channel = await getChannel(env, scope, channelId);
  const plugin = env.registry.of(channel.kind, "live");
  if (!plugin || !isOpenState(channel.state)) throw notConnected(channel);
  const known = await env.db.read((reader) => findKnown(reader, channel.id, messageId));
  const now = env.clock.now();
  const { messageIdTtlMs = Number.POSITIVE_INFINITY } = env.registry.declared(channel.kind)?.network ?? {};
  if (!isOperable(known) || now - known.at > messageIdTtlMs)
    throw new AppError("MESSAGE_KEY_UNKNOWN", { message: "The message is not known to this channel, or too old." });
  const limits = plugin.capabilities.operations[asked.name];
  if (!limits || !isAllowed(limits, known)) throw operationUnsupported(asked.name);
  if (asked.name === "edit" && isFileType(known.type))
    checkTexts({ caption: asked.text }, captionLimits(plugin.capabilities.send[known.type]));
  const action = await completedAction(env, scope, { channelId: channel.id, messageId }, asked);
  if (now > endOfWindow(known, limits)) return;
  if (MARKS.has(action.name) && (await env.db.read((reader) => findChatHolder(env, reader, channel.id, known.chat))))
    throw new AppError("THREAD_HELD", { message: "Another app leads the conversation: it marks what it has read." });
  const payload: OperatePayload = {
    messageId: messageId as MessageId,
    channelId: channel.id,
    chat: known.chat,
    action,
  };
  await env.db.write(async (tx) => env.jobs.replace(tx, "message.operate", payload));
};

const isFileType = (type: string | null): type is (typeof FILE_TYPES)[number] => FILE_TYPES.some((one) => one === type);

/** A new caption may have what the caption of a send may have. */
const captionLimits = ({ captionMaxChars = LONGEST_CAPTION, ...limits }: SendLimits = {}): SendLimits => ({
  ...limits,
  captionMaxChars: Math.min(captionMaxChars, LONGEST_CAPTION),
});

type Operable = KnownMessage & { direction: "inbound" | "outbound"; at: number };

/**
 * A live message that was sent or received here. A row from before chats were stored lacks the chat that its operation
 * needs.
 */
const isOperable = (known: KnownMessage | undefined): known is Operable =>
  known !== undefined &&
  known.direction !== "elsewhere" &&
  known.environment === "live" &&
  known.at !== null &&
  known.chat !== "";

const isAllowed = ({ types, ...sides }: OperationLimits, { direction, type }: Operable): boolean =>
  sides[direction] === true && (direction === "inbound" || !types || types.some((one) => one === type));

const endOfWindow = ({ at, chat }: Operable, { withinMs, broadcastsWithinMs = {} }: OperationLimits): number => {
  const kind = broadcastKindOf(chat);
  return at + ((kind && broadcastsWithinMs[kind]) ?? withinMs ?? Number.POSITIVE_INFINITY);
};

/** The job and the rows of an operation. */
type Subject = {
  job: OperateJob;
  channel: ChannelRow;
  known: Operable;
  account: AccountState | undefined;
  limits: OperationLimits;
};

/**
 * Does an operation. After a crash before its end is on disk it is repeated, which changes nothing on any network. An
 * operation on a deleted channel or message is dropped.
 */
export const operateOnMessage = async (env: MessagingEnv, job: OperateJob): Promise<JobOutcome> => {
  const { messageId, channelId, action } = job.payload;
  const [channel, known, pausedUntilMs] = await env.db.read(async (reader) => [
    await findChannel(reader, EVERY_TENANT, channelId),
    await findKnown(reader, channelId, messageId),
    await pausedUntil(reader, job.queue),
  ]);
  const now = env.clock.now();
  if (!channel || !isOperable(known)) return { is: "done" };
  // the network slowed the channel down while the job waited
  if (pausedUntilMs > now) return { is: "snooze", atMs: job.createdAt };
  const account = await env.db.read((reader) => findAccountState(reader, channel.tenantId));
  const from = { tenantId: channel.tenantId, channelId, account };
  const hold = await env.db.read((reader) => findHold(env, reader, from));
  if (hold) return settle(env, (tx) => waitForHold({ env, tx, job }, from, { place: job.createdAt, hold }));
  const limits = env.registry.of(channel.kind, "live")?.capabilities.operations[action.name] ?? {};
  const subject = { job, channel, known, account, limits };
  const turn = turnOf(subject);
  const link = isOpenState(channel.state) ? env.supervisor.linkOf(channel, "live") : undefined;
  if (link ? now > turn.until : now >= turn.until)
    return settle(env, (tx) =>
      giveUp(env, tx, subject, { code: "CHANNEL_UNAVAILABLE", reason: "no connection to the network in time" }),
    );
  if (!link) return settle(env, (tx) => waitForChannel({ env, tx, job }, channelId, { ...turn, environment: "live" }));
  const { key, chat, sender, at } = known;
  const operationId = `${messageId}:${action.name}:${job.createdAt}:${job.claim.id}`;
  const outcome = (await link.operate?.({ ...action, key, chat, sender, at, operationId })) ?? NOT_OFFERED;
  return settle(env, async (tx) => {
    await recordOutcome(env, tx, subject, outcome);
    if (!outcome.ok) await noteRefusedToken(env, tx, channelId, { code: outcome.code, begunAt: now });
  });
};

/** The outcome for an adapter that declares an operation but does not have it. */
const NOT_OFFERED: OperationOutcome = {
  ok: false,
  kind: "refused",
  code: "UPSTREAM_UNSUPPORTED",
  reason: "the adapter of the network does not operate on messages",
};

const settle = async (env: MessagingEnv, write: (tx: Tx) => Promise<void>): Promise<JobOutcome> => {
  await env.db.write(write);
  return { is: "settled" };
};

const turnOf = ({ job: { createdAt, payload }, known, account, limits }: Subject) => {
  const { name } = payload.action;
  const since = name === "typing" ? createdAt : waitingSince(createdAt, account);
  return { place: createdAt, until: Math.min(since + TTL_MS[name], endOfWindow(known, limits)) };
};

const recordOutcome = async (env: MessagingEnv, tx: Tx, subject: Subject, outcome: OperationOutcome): Promise<void> => {
  const { job, channel, known } = subject;
  if (outcome.ok) {
    const { messageId, action } = job.payload;
    if (action.name === "label") {
      const labelled = { ...action, messageId, chat: contactOfKey(known.chat), at: env.clock.now() };
      await recordMessageLabel(env, tx, { channel, environment: "live" }, labelled);
    }
    const domainEvent = doneEvent(env, job.payload, known);
    if (domainEvent) {
      await keepAct(env, tx, channel, { domainEvent, author: "" });
      await endWithKeep(env, tx, channel, { domainEvent, environment: "live" });
      await publish(env, tx, { tenantId: channel.tenantId, channel }, domainEvent);
    }
    return job.end(tx);
  }
  const { code, upstreamCode } = outcome;
  env.log.warn(
    {
      messageId: job.payload.messageId,
      channelId: channel.id,
      operation: job.payload.action.name,
      attempt: job.attempt,
      outcome: outcome.kind,
      code,
      upstreamCode,
    },
    "operation failed",
  );
  if (outcome.kind === "refused" || !tryLater({ env, tx, job }, outcome, turnOf(subject)))
    return giveUp(env, tx, subject, outcome);
};

/** The domain event of a finished operation; undefined for an operation that only the other side sees. */
const doneEvent = (
  env: MessagingEnv,
  { messageId, action }: OperatePayload,
  known: Operable,
): DomainEvent | undefined => {
  const at = env.clock.now();
  const chat = contactOfKey(known.chat);
  switch (action.name) {
    case "react":
      return { type: "message.reacted", messageId, at, emoji: action.emoji, chat, from: null };
    case "edit":
      return { type: "message.edited", messageId, at, text: action.text, chat, from: null };
    case "delete":
      return { type: "message.deleted", messageId, at, to: chat, error: null };
    case "star":
      return { type: "message.starred", messageId, at, isStarred: action.isStarred, chat };
    case "delete-for-me":
      return { type: "message.deleted_for_me", messageId, at, chat };
    case "pin": {
      const { seconds } = action;
      const until = seconds === null ? null : at + seconds * SECOND_MS;
      return { type: "message.pinned", messageId, at, until, chat, from: null };
    }
    case "keep":
      return { type: "message.kept", messageId, at, isKept: action.isKept, chat, from: null };
    case "respond": {
      const { response, extraGuests } = action;
      return { type: "message.event_response", messageId, at, response, extraGuests, chat, from: null };
    }
    case "label": // it is published where it is stored
    case "vote": // the link reports it, with the totals
    case "read":
    case "played":
    case "typing":
      return undefined;
  }
};

type Failure = { code: string; reason: string };

const giveUp = async (env: MessagingEnv, tx: Tx, { job, channel }: Subject, failure: Failure): Promise<void> => {
  await publishFailure(env, tx, { channel, payload: job.payload }, failure);
  job.end(tx);
};

const publishFailure = async (
  env: MessagingEnv,
  tx: Tx,
  { channel, payload }: { channel: ChannelRow; payload: OperatePayload },
  { code, reason }: Failure,
): Promise<void> => {
  const { messageId, chat, action } = payload;
  if (action.name === "read" || action.name === "typing") return;
  const domainEvent: DomainEvent = {
    type: "message.operation_failed",
    messageId,
    operation: action.name,
    code,
    reason,
    chat: contactOfKey(chat),
  };
  await publish(env, tx, { tenantId: channel.tenantId, channel }, domainEvent);
};

/** Publishes the failure of an operation when its job is discarded. */
export const discardOperation = async (
  env: MessagingEnv,
  tx: Tx,
  payload: OperatePayload,
  reason: string,
): Promise<void> => {
  const channel = await findChannel(tx, EVERY_TENANT, payload.channelId);
  if (channel) await publishFailure(env, tx, { channel, payload }, { code: "INTERNAL_ERROR", reason });
};
