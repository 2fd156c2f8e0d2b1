import {
  keptPart,
  type UpstreamReceiver,
  type WebhookAnswer,
  type WebhookHead,
  type WebhookRequest,
} from "../contract/webhooks.ts";
import { createKeyedSemaphore, firstThat } from "../kernel/async.ts";
import { othersServed } from "../kernel/clock.ts";
import { sha256 } from "../kernel/crypto.ts";
import { AppError } from "../kernel/errors.ts";
import { type ChannelId, lowerIn } from "../kernel/ids.ts";
import { OWN_JSON, parsedJson, SIGNED_JSON } from "../kernel/texts/json.ts";
import { confirmVerifyToken, findChannel, isVerifyToken } from "../store/tables/channels/channels.ts";
import { bodyBytes, type EnvelopeRow, encodedBody, insertEnvelope } from "../store/tables/channels/upstream.ts";
import { EVERY_TENANT } from "../store/tables/scope.ts";
import { isReceiverAwaited } from "./channels/links/adapters.ts";
import { adapterMissing, adapterSilent, receiverAway } from "./channels/refusals.ts";
import { vaultOf } from "./channels/settings/vault.ts";
import type { Env } from "./env.ts";

// What networks send to this server's webhooks: verified, stored, and answered. `inbound.ts` reads it later.

/** The receivers that have a secret to verify with. */
const configuredReceivers = (env: Env) => env.registry.receivers().filter(({ receiver }) => receiver.isConfigured);

/** The answer to a stored request where the network reads none. */
const RECEIVED: WebhookAnswer = { body: JSON.stringify({ received: true }) };

const forged = (): AppError => new AppError("SIGNATURE_REFUSED", { message: "The signature is missing or wrong." });

/**
 * Answers an upstream's handshake; undefined for an unknown token. The token is the server's or a channel's; a
 * channel's token also confirms that channel. An unknown token causes no write.
 */
export const answerHandshake = async (env: Env, head: WebhookHead): Promise<WebhookAnswer | undefined> => {
  const answers = env.registry.receivers().map(async ({ receiver }) => {
    const handshake = await receiver.handshake?.(head);
    const isKnown = handshake && ((await isConfirmed(env, handshake.token)) || handshake.isOperators);
    return isKnown ? handshake.answer : undefined;
  });
  return firstThat(answers, (answer) => answer !== undefined);
};

const isConfirmed = async (env: Env, token: string): Promise<boolean> => {
  const hash = sha256(token);
  return (
    (await env.db.read((reader) => isVerifyToken(reader, hash))) &&
    (await env.db.write((tx) => confirmVerifyToken(tx, hash)))
  );
};

/**
 * The refusal of an envelope that no receiver verifies. It is temporary if the adapter of stored channels is away: a
 * network would take 403 as final, and drop its events.
 */
const unverified = async (env: Env): Promise<AppError> => {
  if (await isReceiverAwaited(env)) return receiverAway();
  if (configuredReceivers(env).length > 0) return forged();
  return new AppError("RECEIVER_NOT_CONFIGURED", {
    message: "No app secret is configured, so nothing can be verified.",
  });
};

/**
 * Refuses a request without a signature, before its body is read.
 * @throws AppError RECEIVER_NOT_CONFIGURED, SIGNATURE_REFUSED, ADAPTER_MISSING while the adapter of channels is away.
 */
export const refuseUnsigned = async (env: Env, head: WebhookHead): Promise<void> => {
  const signed = configuredReceivers(env).map(async ({ receiver }) => receiver.isSigned(head));
  if (!(await firstThat(signed, (isSigned) => isSigned))) throw await unverified(env);
};

/** Bodies up to this size are verified at once. Verifying a longer one blocks the event loop for milliseconds. */
const QUICK_BYTES = 64 * 1024;
const verifying = createKeyedSemaphore();

type Examined = {
  name: string;
  receiver: UpstreamReceiver;
  isSigner: boolean;
  isMeant: boolean;
  /** Whether the request has a signature in this network's form, and a wrong one. */
  isRefused: boolean;
};

type Named = ReturnType<typeof configuredReceivers>[number];

const examine = async ({ name, receiver }: Named, request: WebhookRequest): Promise<Examined> => {
  const isSigner = await receiver.verify(request);
  const isMeant = isSigner && (await receiver.isFor(request));
  return { name, receiver, isSigner, isMeant, isRefused: !isSigner && (await receiver.isSigned(request)) };
};

/**
 * The examinations of a request, begun. Long bodies are taken up one at a time, and the loop serves other requests
 * between two of them. A receiver that answers later holds no place.
 */
const beginExamining = async (env: Env, request: WebhookRequest): Promise<{ examined: Promise<Examined>[] }> => {
  const begin = () => ({ examined: configuredReceivers(env).map((one) => examine(one, request)) });
  if (request.rawBody.length <= QUICK_BYTES) return begin();
  return verifying.run("", async () => {
    await othersServed();
    return begin();
  });
};

/**
 * The receiver that has signed a request and that it is for, or else one that has signed it. A receiver that is slow
 * holds up no other's webhooks.
 * @throws AppError OVERLOADED when a receiver is silent; its cause is SIGNATURE_REFUSED if another one has refused the
 *   request
 */
const signerOf = async (env: Env, request: WebhookRequest): Promise<Examined | undefined> => {
  const { examined } = await beginExamining(env, request);
  try {
    return (
      (await firstThat(examined, ({ isMeant }) => isMeant)) ?? (await firstThat(examined, ({ isSigner }) => isSigner))
    );
  } catch (silence) {
    const ended = await Promise.allSettled(examined);
    const isRefused = ended.some((one) => one.status === "fulfilled" && one.value.isRefused);
    throw isRefused ? adapterSilent(forged()) : silence;
  }
};

/**
 * Stores an upstream's envelope, which a job reads later. When this resolves, the envelope is on disk. Equal requests
 * are stored once. Resolves with the answer for the network.
 * @throws AppError RECEIVER_NOT_CONFIGURED if no receiver can verify it, SIGNATURE_REFUSED, VALIDATION for a body that
 *   is not the JSON that its type says or its network sends, ADAPTER_MISSING when it may be for an adapter that is away,
 *   OVERLOADED when its adapter is silent.
 */
export const acceptUpstream = async (env: Env, request: WebhookRequest): Promise<WebhookAnswer> => {
  const signer = await signerOf(env, request);
  if (!signer) throw await unverified(env);
  // one secret may sign for several networks, so the envelope may be for the adapter that is away
  if (!signer.isMeant && (await isReceiverAwaited(env))) throw receiverAway();
  const { name, receiver } = signer;
  const { keeps, takesJsonAlone } = receiver;
  await storeEnvelope(env, request, { plugin: name, channelId: null, keeps, takesJsonAlone });
  return (await receiver.answer?.(request)) ?? RECEIVED;
};

/**
 * Stores an envelope whose address names its channel. Resolves with the answer for the network. An unknown channel, or
 * a channel that receives no envelopes, is refused like a wrong signature.
 * @throws AppError SIGNATURE_REFUSED, VALIDATION for a body that is not the JSON that its type says, ADAPTER_MISSING
 *   while the channel has no adapter, OVERLOADED when its adapter is silent.
 */
export const acceptForChannel = async (env: Env, id: string, request: WebhookRequest): Promise<WebhookAnswer> => {
  const { channel, adapter, webhook } = await webhookFor(env, id);
  if (!(await webhook.verify(request, await vaultOf(env, channel.id).read()))) throw forged();
  await storeEnvelope(env, request, { plugin: adapter.name, channelId: channel.id, keeps: webhook.keeps });
  return (await webhook.answer?.(request)) ?? RECEIVED;
};

/**
 * Refuses a request without a signature, before its body is read.
 * @throws AppError SIGNATURE_REFUSED, ADAPTER_MISSING while the channel has no adapter, OVERLOADED when it is silent.
 */
export const refuseUnsignedFor = async (env: Env, id: string, head: WebhookHead): Promise<void> => {
  if (!(await (await webhookFor(env, id)).webhook.isSigned(head))) throw forged();
};

/**
 * Answers a GET at the address of a channel: its network's handshake, or events in the query, which are stored.
 * Undefined: its network sends none.
 * @throws AppError as `acceptForChannel`
 */
export const answerGetFor = async (env: Env, id: string, head: WebhookHead): Promise<WebhookAnswer | undefined> => {
  const { channel, webhook } = await webhookFor(env, id);
  const { handshake, takesGet = false } = webhook;
  if (!handshake && !takesGet) return undefined;
  const answer = await handshake?.(head, await vaultOf(env, channel.id).read());
  if (answer) return answer;
  const hasEvents = takesGet && head.method === "GET" && (await webhook.isSigned(head));
  if (!hasEvents) throw forged();
  return acceptForChannel(env, id, { ...head, rawBody: new Uint8Array() });
};

const webhookFor = async (env: Env, id: string) => {
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, lowerIn(id)));
  if (!channel) throw forged();
  const adapter = env.registry.ofKind(channel.kind);
  if (!adapter) throw adapterMissing(channel.kind); // a network would take 403 as final, and drop its events
  if (!adapter.webhook) throw forged();
  return { channel, adapter, webhook: adapter.webhook };
};

type EnvelopeInput = {
  plugin: string;
  channelId: ChannelId | null;
  keeps: readonly string[] | undefined;
  takesJsonAlone?: boolean | undefined;
};

/** Stores an envelope with the job that reads it, unless it is stored already. */
const storeEnvelope = async (
  env: Env,
  request: WebhookRequest,
  { plugin, channelId, keeps, takesJsonAlone = false }: EnvelopeInput,
): Promise<void> => {
  const { rawBody, receivedAt } = request;
  const mustBeJson = takesJsonAlone || isJson(request);
  if (mustBeJson && parsedJson(new TextDecoder().decode(rawBody), SIGNED_JSON) === undefined)
    throw new AppError("VALIDATION", { message: "The body is not JSON." });
  const head = JSON.stringify(headOf(keptPart(request, keeps)));
  const hash = sha256(`${channelId ?? ""}\n${head}\n${sha256(rawBody)}`);
  await env.db.write(async (tx) => {
    const row = { plugin, channelId, hash, head, ...encodedBody(rawBody), receivedAt };
    const envelopeId = await insertEnvelope(tx, row);
    if (envelopeId !== undefined) env.jobs.enqueue(tx, "upstream.process", { envelopeId });
  });
};

const CONTENT_TYPE = "content-type";
const JSON_TYPE = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

const isJson = ({ headers }: WebhookHead): boolean => JSON_TYPE.test(headers.get(CONTENT_TYPE) ?? "");

/** The part of a request that is stored beside its body. */
type StoredHead = { method: string; url: string; headers: Record<string, string> };

const headOf = ({ method, url, headers }: WebhookRequest): StoredHead => ({
  method,
  url,
  headers: Object.fromEntries(headers),
});

/** What rows of an earlier version have instead of a head: they came by POST, and as JSON. */
const EARLIER: StoredHead = { method: "POST", url: "", headers: { [CONTENT_TYPE]: "application/json" } };

/** The request of a stored envelope, as its adapter reads it. */
export const requestIn = ({ head, receivedAt, ...envelope }: EnvelopeRow): WebhookRequest => {
  const stored = head === "" ? EARLIER : parsedJson(head, OWN_JSON);
  const { method, url, headers } = stored as StoredHead; // as `storeEnvelope` wrote it
  const query = new URLSearchParams(url.split("?")[1]);
  return { method, url, query, headers: new Headers(headers), receivedAt, rawBody: bodyBytes(envelope) };
};
