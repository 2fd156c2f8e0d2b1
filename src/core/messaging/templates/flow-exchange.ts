import type { FlowCipher, FlowRequest, SealedExchange } from "../../../contract/abilities/flows.ts";
import type { WebhookRequest } from "../../../contract/webhooks.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError, reasonOf } from "../../../kernel/errors.ts";
import { parsedJson } from "../../../kernel/texts/json.ts";
import { type ChannelRow, findChannel, writeVault } from "../../../store/tables/channels/channels.ts";
import { findPhoneSubscription, findSubscription } from "../../../store/tables/events/subscriptions.ts";
import { type FlowRow, findFlow } from "../../../store/tables/messaging/flows.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../../channels/channel.ts";
import { requireValue } from "../../channels/links/upstream.ts";
import { sealedFields, vaultOf } from "../../channels/settings/vault.ts";
import { type SigningSecrets, signatureHeaders } from "../../domain-event.ts";
import { signingSecretsOf } from "../../events/outgoing.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import type { MessagingEnv } from "../env.ts";

/** The key of a phone's flows, as its owner sees it. */
export type FlowKey = { publicKey: string; uploadedAt: number };
type StoredKey = FlowKey & { privateKey: string };

/** The key that the network confirmed, and a newer one that it may have, because its answer was lost. */
const FIELDS = { current: "flowKey", next: "flowKeyNext" } as const;
/** The network waits 10 s in all. */
const FORWARD_TIMEOUT_MS = 8 * SECOND_MS;
const TOKEN_NO_LONGER_VALID = 427;

const cipherOf = (env: MessagingEnv, channel: ChannelRow): FlowCipher => {
  const cipher = env.registry.ofKind(channel.kind)?.flowCipher;
  if (!cipher) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel that has flows." });
  return cipher;
};

/**
 * The possible keys of a request, the confirmed one first.
 * @throws AppError FLOW_KEY_INVALID when they cannot be read
 */
const keysOf = async (
  env: MessagingEnv,
  channel: ChannelRow,
): Promise<{ current: StoredKey | undefined; next: StoredKey | undefined }> => {
  try {
    const fields = await vaultOf(env, channel.id).read();
    // as `createFlowKey` wrote it
    const read = (field: string) => (fields[field] ? (JSON.parse(fields[field]) as StoredKey) : undefined);
    return { current: read(FIELDS.current), next: read(FIELDS.next) };
  } catch (cause) {
    throw new AppError("FLOW_KEY_INVALID", { message: "The stored key pair cannot be read; make a new one.", cause });
  }
};

/**
 * The public key of the phone's flows.
 * @throws AppError CHANNEL_NOT_FOUND, FLOW_KEY_MISSING, or FLOW_KEY_INVALID
 */
export const getFlowKey = async (env: MessagingEnv, scope: TenantScope, channelId: string): Promise<FlowKey> => {
  const channel = await getChannel(env, scope, channelId);
  cipherOf(env, channel);
  const { current } = await keysOf(env, channel);
  if (!current) throw noKey();
  return current;
};

const noKey = () => new AppError("FLOW_KEY_MISSING", { message: "The phone has no key pair for flows." });

/**
 * Creates a key pair and gives the network its public half. The old pair stays valid until the network has accepted the
 * new one.
 * @throws AppError CHANNEL_NOT_FOUND, and what `requireValue` throws
 */
export const createFlowKey = async (env: MessagingEnv, caller: Caller, channelId: string): Promise<FlowKey> => {
  const channel = await getChannel(env, caller, channelId);
  const cipher = cipherOf(env, channel);
  const { next: unanswered } = await keysOf(env, channel).catch(() => ({ next: undefined }));
  // the network may have that key already: a third pair would lose it
  const key: StoredKey = { ...(unanswered ?? (await cipher.newKeyPair())), uploadedAt: env.clock.now() };
  await vaultOf(env, channel.id).write({ [FIELDS.next]: JSON.stringify(key) });
  const uploaded = await env.supervisor.linkOf(channel, "live")?.flows?.uploadKey(key.publicKey);
  if (uploaded) requireValue(uploaded);
  await env.db.write(async (tx) => {
    if (!(await findChannel(tx, caller, channel.id))) return; // deleted meanwhile
    const fields = { [FIELDS.current]: JSON.stringify(key), [FIELDS.next]: "" };
    await writeVault(tx, sealedFields(env, channel.id, fields));
    await recordAct(env, tx, caller, { action: "flow-key.create", target: channel.id, tenantId: caller.tenantId });
  });
  return key;
};

/** The answer to the network: a sealed text, with a status that the network understands. */
export type ExchangeAnswer = { status: 200 | typeof TOKEN_NO_LONGER_VALID; sealed: string };

/**
 * Answers a user's step in a flow. A ping is answered here, everything else by the flow's endpoint. After
 * FLOW_UNREADABLE the network fetches the key again.
 * @throws AppError FLOW_NOT_FOUND, FLOW_KEY_MISSING, FLOW_KEY_INVALID, APP_NOT_CONFIGURED, FLOW_SIGNATURE_REFUSED,
 *   FLOW_UNREADABLE, FLOW_ENDPOINT_FAILED, and what `sealedIn` throws
 */
export const exchangeFlowData = async (
  env: MessagingEnv,
  flowId: string,
  asked: WebhookRequest,
  sealedIn: (text: string) => SealedExchange,
): Promise<ExchangeAnswer> => {
  const { flow, channel } = await flowAndChannel(env, flowId);
  const { current, next } = await keysOf(env, channel);
  const keys = [current, next].filter((key) => key !== undefined);
  if (keys.length === 0) throw noKey();
  await checkSignature(env, channel, asked);
  const sealed = sealedIn(new TextDecoder().decode(asked.rawBody)); // an unsigned body is not read
  const cipher = cipherOf(env, channel);
  const opened = keys.map(({ privateKey }) => cipher.open(sealed, privateKey)).find((one) => one !== undefined);
  if (!opened) throw new AppError("FLOW_UNREADABLE", { message: "The request was not sealed with the phone's key." });
  const { status, body } = await answerTo(env, flow, channel, opened.request);
  return { status, sealed: opened.seal(body) };
};

const flowAndChannel = async (env: MessagingEnv, flowId: string): Promise<{ flow: FlowRow; channel: ChannelRow }> => {
  const found = await env.db.read(async (reader) => {
    const flow = await findFlow(reader, EVERY_TENANT, flowId);
    const channel = flow && (await findChannel(reader, flow, flow.channelId));
    return flow && channel && { flow, channel };
  });
  if (!found) throw new AppError("FLOW_NOT_FOUND", { message: "There is no such flow." });
  return found;
};

const checkSignature = async (env: MessagingEnv, { kind }: ChannelRow, asked: WebhookRequest): Promise<void> => {
  const receiver = env.registry.ofKind(kind)?.receiver;
  if (!receiver?.isConfigured)
    throw new AppError("APP_NOT_CONFIGURED", { message: "No app secret is configured, so nothing can be verified." });
  if (!(await receiver.verify(asked)))
    throw new AppError("FLOW_SIGNATURE_REFUSED", { message: "The signature is missing or wrong." });
};

type Answer = { status: ExchangeAnswer["status"]; body: object };

const answerTo = async (
  env: MessagingEnv,
  flow: FlowRow,
  channel: ChannelRow,
  request: FlowRequest,
): Promise<Answer> => {
  if (request.action === "ping") return { status: 200, body: { data: { status: "active" } } };
  if (flow.endpointUrl !== null) return forward(env, flow, channel, request);
  // a fault on the user's side, reported for our information alone
  if (request.data?.["error"] !== undefined) return { status: 200, body: { data: { acknowledged: true } } };
  throw failed("the flow has no endpoint");
};

const failed = (reason: string) =>
  new AppError("FLOW_ENDPOINT_FAILED", { message: `The flow's endpoint did not answer: ${reason}.` });

/**
 * Posts a request to the flow's endpoint, signed like the phone's events. An endpoint answers 427 when it no longer
 * accepts the flow's token.
 */
const forward = async (
  env: MessagingEnv,
  flow: FlowRow,
  channel: ChannelRow,
  request: FlowRequest,
): Promise<Answer> => {
  const body = JSON.stringify({ flowId: flow.id, phoneId: channel.id, ...request });
  const secrets = await signingSecrets(env, channel);
  const answer = await env.http.guarded({
    method: "POST",
    url: flow.endpointUrl ?? "",
    headers: {
      "content-type": "application/json",
      ...(secrets ? signatureHeaders("X-Gateway-Signature", { body, ...secrets }) : {}),
    },
    body,
    timeoutMs: FORWARD_TIMEOUT_MS,
  });
  if (!answer.ok) throw failed(answer.failure);
  const isAnswer = (answer.status >= 200 && answer.status < 300) || answer.status === TOKEN_NO_LONGER_VALID;
  if (!isAnswer || answer.isCut) throw failed(answer.isCut ? "the answer is too long" : `HTTP ${answer.status}`);
  return { status: answer.status === TOKEN_NO_LONGER_VALID ? TOKEN_NO_LONGER_VALID : 200, body: objectIn(answer.body) };
};

const objectIn = (bytes: Uint8Array): object => {
  try {
    const value: unknown = parsedJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    throw new Error("no JSON object");
  } catch (thrown) {
    throw failed(reasonOf(thrown));
  }
};

/** The secrets of the phone's own webhook, or of its shared one; undefined if it has neither. */
const signingSecrets = async (env: MessagingEnv, channel: ChannelRow): Promise<SigningSecrets | undefined> => {
  const webhook = await env.db.read(
    async (reader) =>
      (await findPhoneSubscription(reader, channel, channel.id)) ??
      (channel.sharedWebhookId === null
        ? undefined
        : await findSubscription(reader, channel, { kind: "shared" }, channel.sharedWebhookId)),
  );
  return webhook && signingSecretsOf(env, webhook);
};
