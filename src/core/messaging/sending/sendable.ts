import { broadcastKindOf, linksKeptFiles, type Sends, takesKeptFiles } from "../../../contract/capabilities.ts";
import {
  type Content,
  type ContentType,
  contentIssues,
  contentOf,
  MAX_MENTIONED_GROUPS,
  type MessageTag,
} from "../../../contract/content/content.ts";
import { fileHandlesOf, fileLinksOf } from "../../../contract/content/content-files.ts";
import { furtherFieldsIn } from "../../../contract/content/further-fields.ts";
import type { PixCharge } from "../../../contract/content/pix.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { asDigits, recipientDigits } from "../../../kernel/numbers/phone-numbers.ts";
import { issue } from "../../../kernel/schema.ts";
import { isOwnHandle } from "../../../kernel/texts/file-names.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, readVault } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { getChannel } from "../../channels/channel.ts";
import { adapterMissing } from "../../channels/refusals.ts";
import { vaultOf } from "../../channels/settings/vault.ts";
import { findUsableKey, isKept, isStored } from "../../media/kept.ts";
import type { MessagingEnv } from "../env.ts";
import type { FallbackInput } from "../fallback/fallback-input.ts";
import { requireFittingValues } from "../templates/fitting-values.ts";
import { upstreamFlowId } from "../templates/flows.ts";
import { checkedPix, pixContent } from "../templates/pix.ts";
import { checkDeclaredType, checkKeptFile, checkTexts } from "./content-limits.ts";
import { checkOptions, type SendOptions } from "./send-options.ts";

/** A message that a client asks to send. */
export type Envelope = {
  channelId: string;
  to: string;
  /** `pix` is a charge, which becomes a content of the channel's network. */
  type: ContentType | "pix";
  content: unknown;
  quotedMessageId?: string;
  /** `quotedMessageId` is a comment, and the message a private answer to its author. */
  answersComment?: boolean;
  /** It answers the recipient, who may have opted out. A message that quotes the recipient is an answer too. */
  isAnswer?: boolean;
  idempotencyKey?: string;
  /** What a repeat under the key has in common with its first request in place of the file's handle, if each keeps the file anew. */
  fileHash?: string;
  /** The content is that of an earlier message, and was made here. */
  isForward?: true;
  /** A text of the client that its statuses repeat. */
  callbackData?: string;
  fallback?: FallbackInput;
  sendOptions?: SendOptions;
  /** It is a status of the account, for these people and in this form: `statuses.ts` has checked it. */
  status?: SendOptions;
};

/**
 * `mustBeConnected` refuses a channel that is not connected; without it a message waits for the channel. `hidden`:
 * kinds whose channels do not exist for the caller. `isDryRun`: everything is checked and nothing is done; the network
 * is not asked either.
 */
export type Sending = {
  environment: Environment;
  mustBeConnected: boolean;
  hidden?: readonly ChannelKind[];
  isDryRun?: boolean;
  /** It is only compared with other ways: values beside their template are left to the send itself. */
  isComparison?: boolean;
  /** It was accepted earlier, and keeps the file that its content names. */
  holdsFile?: boolean;
};

/** The content of a message, its channel, and its recipient (a canonical key). */
export type Sendable = { channel: ChannelRow; content: Content; recipient: string };

/**
 * Checks a message in this order: content, the tenant's channel, the abilities and recipients of the kind, the owner's
 * consent.
 * @throws AppError VALIDATION for the content or a handle, CHANNEL_NOT_FOUND, ADAPTER_MISSING, CONTENT_UNSUPPORTED,
 *   TEMPLATE_UNSUPPORTED, CAPTION_TOO_LARGE, RECIPIENT_INVALID, ADDRESS_INVALID, or SOCIAL_CREDENTIALS_MISSING
 */
export const checkEnvelope = async (
  env: MessagingEnv,
  scope: TenantScope,
  envelope: Envelope,
  sending: Sending,
): Promise<Sendable> => {
  const asked = checkedContent(env, envelope);
  const channel = await getChannel(env, scope, envelope.channelId, sending.hidden);
  const declared = env.registry.declared(channel.kind);
  if (!declared) throw adapterMissing(channel.kind);
  const content = asked.type === "pix" ? pixContent(asked.content, channel, declared.capabilities) : asked;
  checkForKind(env, declared, content);
  checkOptions(declared, envelope.sendOptions);
  await checkTag(env, channel, content.content, declared.capabilities);
  await checkKeptFiles(env, channel, content, sending);
  const recipient = await requireRecipient(env, channel, envelope.to, sending);
  checkBroadcast(declared, recipient, content, envelope);
  await checkMentions(env, channel, { content: content.content, recipient }, sending);
  await checkConsent(env, channel, sending);
  return { channel, content, recipient };
};

type Asked = Content | { type: "pix"; content: PixCharge };

/** @throws AppError VALIDATION for a fault of the content on any channel */
export const checkedContent = (
  env: Pick<MessagingEnv, "http">,
  { type, content, isForward }: Pick<Envelope, "type" | "content" | "isForward">,
): Asked => {
  if (isForward) return { type, content } as Content;
  if (type === "pix") return { type, content: checkedPix(content) };
  const issues = contentIssues(type, content, env.http.isUrlAllowed);
  if (issues.length > 0) throw invalid(...issues);
  return contentOf(type, content);
};

/** Refuses content that a kind of channel can never send, in any state of the channel, and even without its adapter. */
const checkForKind = (env: MessagingEnv, declared: ChannelPlugin, message: Content): void => {
  const sends = declared.capabilities;
  const { send, mediaHandles } = sends;
  const { type, content } = message;
  const limits = send[type];
  if (!limits) {
    const code = type === "template" ? (declared.refusals?.template ?? "CONTENT_UNSUPPORTED") : "CONTENT_UNSUPPORTED";
    throw new AppError(code, { message: `A channel of this kind does not send ${type}.`, details: { type } });
  }
  if ("mediaHandle" in content && !mediaHandles && !takesKeptFiles(sends))
    throw invalid(
      issue("content.mediaHandle", "forbidden", "is not accepted by a channel of this kind: send a link of the file"),
    );
  checkFurtherFields(message, sends);
  checkFeatures(content, sends);
  if (sends.fetchesLinks && !sends.fetchesFromHere) checkLinks(env, content, sends);
  checkTexts(content, limits);
  checkDeclaredType(content, limits);
};

/** Refuses fields that this kind does not declare for the type. Without them the message would be another one. */
const checkFurtherFields = ({ type, content }: Content, { furtherFields = {} }: Sends): void => {
  const declared = furtherFields[type] ?? [];
  const others = furtherFieldsIn(content).filter((field) => !declared.includes(field));
  if (others.length > 0)
    throw invalid(...others.map((field) => issue(`content.${field}`, "forbidden", "is not for this type of phone")));
};

/** Refuses content that a recipient of many people does not take. */
const checkBroadcast = (
  { capabilities }: ChannelPlugin,
  recipient: string,
  { type, content }: Content,
  { quotedMessageId, status, to, isForward }: Pick<Envelope, "quotedMessageId" | "status" | "to" | "isForward">,
): void => {
  const kind = broadcastKindOf(recipient);
  if (kind === undefined) return;
  if (kind === "broadcast" && !status)
    throw new AppError("ADDRESS_INVALID", {
      message: "A status is posted by a call of its own, which says for whom it is.",
      details: { to },
    });
  if (isForward) throw invalid(issue("to", "forbidden", "is a newsletter, to which nothing is forwarded"));
  if (!capabilities.broadcasts?.[kind]?.includes(type))
    throw new AppError("CONTENT_UNSUPPORTED", {
      message: `This recipient takes no ${type} messages.`,
      details: { type },
    });
  if ("images" in content && content.images !== undefined)
    throw invalid(issue("content.images", "forbidden", "a message to a newsletter or a status has one picture"));
  if (quotedMessageId !== undefined)
    throw invalid(issue("quotedMessageId", "forbidden", "a message to a newsletter or a status quotes nothing"));
};

type Features = { images?: unknown[]; quickReplies?: unknown[]; tag?: MessageTag };

/** Refuses features of a common content that only some networks support. */
const checkFeatures = (content: object, { imagesPerMessage = 1, quickReplies: most = 0, tags = [] }: Sends): void => {
  const { images = [], quickReplies = [], tag } = content as Features; // the schema has been checked
  if (images.length > imagesPerMessage)
    throw invalid(
      issue(
        "content.images",
        "forbidden",
        `a message on a channel of this kind has at most ${imagesPerMessage} image(s)`,
      ),
    );
  if (quickReplies.length > most)
    throw invalid(
      issue("content.quickReplies", "forbidden", `a text on a channel of this kind has at most ${most} quick replies`),
    );
  if (tag !== undefined && !tags.includes(tag))
    throw invalid(
      issue("content.tag", "forbidden", "is not granted to this server's app, or not known to this network"),
    );
};

/** Refuses a tag that the phone's owner has not chosen by its setting. */
const checkTag = async (
  env: MessagingEnv,
  { id }: ChannelRow,
  content: object,
  { tagSettings = {} }: Sends,
): Promise<void> => {
  const { tag } = content as { tag?: MessageTag }; // the schema has been checked
  const setting = tag && tagSettings[tag];
  if (setting !== undefined && !(await vaultOf(env, id).read())[setting])
    throw invalid(issue("content.tag", "forbidden", `is not for this phone until its setting ${setting} is set`));
};

/**
 * Refuses a mention of what is no person or group of the network, of too many groups, and of all outside a group.
 * @throws AppError VALIDATION
 */
const checkMentions = async (
  env: MessagingEnv,
  channel: ChannelRow,
  { content, recipient }: { content: object; recipient: string },
  sending: Sending,
): Promise<void> => {
  const { mentions = [] } = content as { mentions?: string[] }; // the schema has been checked
  let groups = 0;
  const plugin = env.registry.of(channel.kind, sending.environment);
  for (const [at, given] of mentions.entries()) {
    if (given === "all" && recipient.startsWith("group:")) continue;
    const path = `content.mentions.${at}`;
    if (given === "all") throw invalid(issue(path, "forbidden", "mentions everybody, which only a group has"));
    const found = await plugin?.address(asDigits(given));
    if (!found) continue;
    if (!found.ok) throw invalid(issue(path, "format", "is no number and no address of this network"));
    if (broadcastKindOf(found.to) !== undefined)
      throw invalid(issue(path, "format", "is neither a person nor a group, and cannot be mentioned"));
    if (found.to.startsWith("group:")) groups += 1;
    if (groups > MAX_MENTIONED_GROUPS)
      throw invalid(
        issue(path, "maxItems", `is one group too many: a message mentions at most ${MAX_MENTIONED_GROUPS}`),
      );
  }
};

type FileHandle = { path: string; handle: string };

/**
 * The handles of files that the channel's account must keep here, if the kind takes such files. A kind that also takes
 * the network's handles gets those unchecked.
 */
const ownHandlesIn = (env: MessagingEnv, kind: ChannelKind, content: object): FileHandle[] => {
  const sends = env.registry.declared(kind)?.capabilities;
  if (!sends || !takesKeptFiles(sends)) return [];
  return fileHandlesOf(content).filter(({ handle }) => !sends.mediaHandles || isOwnHandle(handle));
};

const checkKeptFiles = async (
  env: MessagingEnv,
  { kind, tenantId }: ChannelRow,
  { type, content }: Content,
  { holdsFile = false, environment }: Sending,
): Promise<void> => {
  const limits = env.registry.declared(kind)?.capabilities.send[type] ?? {};
  for (const { path, handle } of ownHandlesIn(env, kind, content)) {
    if (!(await (holdsFile ? isStored : isKept)(env, tenantId, handle))) throw notKept(path);
    if (isOutOfReach(env, kind, environment)) throw invalid(issue(path, "forbidden", OUT_OF_REACH));
    if (path === "content.mediaHandle") await checkKeptFile(env, { tenantId, handle, content, limits });
  }
};

const OUT_OF_REACH =
  "is a file that the network would fetch from this server, whose address is private: the server's operator sets " +
  "RECADO_PUBLIC_URL to a public address; until then, send a public address of the file";

/** Whether the network gets kept files by links that lead to a private address of this server. */
const isOutOfReach = ({ registry, http, gatewayUrl }: MessagingEnv, kind: ChannelKind, environment: Environment) => {
  const { standsIn, capabilities } = registry.of(kind, environment) ?? {};
  if (!capabilities || standsIn || !linksKeptFiles(capabilities) || capabilities.fetchesFromHere) return false;
  return http.isPrivateUrl(gatewayUrl());
};

const notKept = (path: string) => invalid(issue(path, "format", "is not the handle of a file that is kept"));

/**
 * Refuses, in the write that accepts a message, a file that was deleted or expired since it was checked. From that write
 * on the message's row keeps the file.
 * @throws AppError VALIDATION
 */
export const requireFile = async (
  env: MessagingEnv,
  tx: Tx,
  { kind, tenantId }: Pick<ChannelRow, "kind" | "tenantId">,
  content: object,
): Promise<void> => {
  for (const { path, handle } of ownHandlesIn(env, kind, content))
    if ((await findUsableKey(tx, tenantId, handle)) === undefined) throw notKept(path);
};

/** Addresses that the network fetches must be public, even if the operator allows this server private ones. */
const checkLinks = ({ http }: MessagingEnv, content: object, { mediaHandles = false }: Sends): void => {
  const issues = fileLinksOf(content).flatMap(({ path, url }) => {
    const way =
      mediaHandles && path !== "content.header.mediaUrl"
        ? "upload the file with POST /v1/media/upload of the gateway API, and send its mediaHandle"
        : "use a public address";
    return http.isPrivateUrl(url)
      ? [issue(path, "format", `is a private address, which the network that fetches the file cannot reach; ${way}`)]
      : [];
  });
  if (issues.length > 0) throw invalid(...issues);
};

/** @throws AppError ADAPTER_MISSING, RECIPIENT_INVALID, ADDRESS_INVALID, or OVERLOADED when the adapter is silent */
export const requireRecipient = async (
  env: MessagingEnv,
  channel: ChannelRow,
  given: string,
  { environment }: Sending,
): Promise<string> => {
  const declared = env.registry.declared(channel.kind);
  const plugin = env.registry.of(channel.kind, environment);
  if (!declared || !plugin) throw adapterMissing(channel.kind);
  const hasIds = declared.network.recipients === "ids"; // only the network's own adapter can read them
  const address = await (hasIds ? declared.address(given) : plugin.address(recipientDigits(given)));
  if (!address.ok)
    throw new AppError(address.code, {
      message:
        !hasIds && /^\s*\+\d+\s*$/.test(given)
          ? `The recipient's number is written without the plus: ${given.trim().slice(1)}.`
          : "This channel cannot send to this recipient.",
      details: { to: given },
    });
  return address.to;
};

/**
 * Refuses a channel that is made by its owner's consent but has no credentials: in any state, only that consent helps.
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
 * The content as it is stored for the network. The values of a template stay as given: each attempt completes them.
 * @throws AppError TEMPLATE_NOT_APPROVED, FLOW_NOT_FOUND, or FLOW_NOT_SYNCED for a template or flow that the network
 *   does not know, as of its last report; VALIDATION for values that do not fit the template
 */
export const contentForNetwork = async (
  env: MessagingEnv,
  { channel, content }: Sendable,
  sending: Pick<Sending, "environment" | "isDryRun" | "isComparison">,
): Promise<Content> => {
  switch (content.type) {
    case "template":
      await requireFittingValues(env, channel, content.content, sending);
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
