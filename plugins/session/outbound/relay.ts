import type { MessageRelayOptions, proto } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { PlainerForm, SendOutcome } from "../../../src/contract/outcome.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyRow } from "../../../src/contract/ports/key-store.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Stanza } from "../active-socket.ts";
import { isGroup, isLid, isSameUser, isStatusJid, userOf } from "../address.ts";
import { completed, unpairedRows } from "../inbound/people.ts";
import { forgetGroup } from "../lifecycle/group-cache.ts";
import type { Ack, Acks, LateRefusal } from "./acks.ts";
import { aliasAttributes, type Destination } from "./addressing.ts";
import { contactTokenFor } from "./contact-token.ts";
import { FORM_REFUSALS, nativeNodes, refusalRow } from "./content/native.ts";
import type { NewChats } from "./limits/new-chats.ts";
import type { RestrictionWatch } from "./limits/restriction.ts";
import { forgottenRows, isNamedNow } from "./numbers.ts";
import {
  ACCOUNT_RESTRICTED,
  type Failure,
  later,
  NEW_CHATS_CAPPED,
  NOT_CONNECTED,
  rejection,
  STALE_ADDRESSING,
  STALE_DEVICES,
  UNKNOWN_DEVICE,
  unknown,
} from "./outcomes.ts";

/**
 * An outgoing message: `attributes` and `nodes` are further ones of its stanza. It does not leave before `onDisk` has
 * resolved. `native`: its form with native buttons, which is tried first. `audience`: the chat addresses of all who get
 * a status.
 */
export type OutgoingMessage = {
  to: Destination;
  key: ProviderMessageId;
  message: proto.IMessage;
  native?: proto.IMessage;
  onDisk?: Promise<void>;
  attributes?: Record<string, string>;
  nodes?: Stanza[];
  audience?: readonly string[];
};

/**
 * An attempt with one form of a message. `repeatedAs`: the form for devices that ask again, because a repeat has no
 * place for the nodes.
 */
type Attempt = Omit<OutgoingMessage, "native"> & { repeatedAs?: proto.IMessage; lateRefusal?: LateRefusal };

/** An option that the patched library knows. */
type Ready = { ready: Promise<void> | undefined };

/** Encrypts a message for every device, hands it to the network, and waits for its answer. Never throws. */
export type Relay = (activeSocket: ActiveSocket, outgoing: OutgoingMessage) => Promise<SendOutcome>;

type Ports = {
  host: Pick<ChannelHost, "clock" | "log" | "channelId">;
  acks: Acks;
  restriction: Pick<RestrictionWatch, "explain">;
  newChats: Pick<NewChats, "refused">;
};

/** The last answer to a form of a message. `isRefreshed`: the network found its addresses old before that. */
type Relayed = { answer: Ack | Failure; isRefreshed: boolean };

/** Makes one attempt with one form of a message, and waits for the network's answer. */
const createAttempt = ({ host: { clock, log, channelId }, acks }: Pick<Ports, "host" | "acks">) => {
  const attempt = async (activeSocket: ActiveSocket, outgoing: Attempt): Promise<Ack | Failure> => {
    if (!activeSocket.isCurrent()) return NOT_CONNECTED;
    const expected = acks.expect(activeSocket, outgoing.key, outgoing.lateRefusal);
    try {
      await handOver(activeSocket, outgoing);
    } catch (thrown) {
      expected.drop();
      return isLibraryError(thrown) && thrown.data === UNKNOWN_DEVICE
        ? { is: "rejected", error: UNKNOWN_DEVICE }
        : sendFailureOf(thrown);
    }
    return expected.within();
  };

  /** Missing keys of a device come with the next question, so one failure of all devices is tried again. */
  const handOver = async (
    activeSocket: ActiveSocket,
    { to, key, message, attributes, onDisk, audience, nodes = [], repeatedAs }: Attempt,
  ): Promise<void> => {
    const { sock } = activeSocket;
    const { jid } = to;
    const additionalNodes = [...(await contactTokenFor(activeSocket, jid, clock)), ...nodes];
    const options: MessageRelayOptions & Ready = {
      messageId: key,
      ready: onDisk,
      ...(additionalNodes.length > 0 ? { additionalNodes } : {}),
      additionalAttributes: { ...attributes, ...aliasAttributes(to) },
      ...(audience ? { statusJidList: [...audience] } : {}),
    };
    try {
      await sock.relayMessage(jid, message, options);
    } catch (thrown) {
      if (!isNothingEncrypted(thrown)) throw thrown;
      log.warn({ channelId }, "a message could be encrypted for no device, and is tried once more");
      await sock.relayMessage(jid, message, options);
    }
    // the library would repeat a status as a message of the chat with the person who asks for it again
    if (audience) sock.messageRetryManager?.markRetrySuccess(key);
    if (repeatedAs) sock.messageRetryManager?.addRecentMessage(jid, key, repeatedAs);
  };

  return attempt;
};

/** The outcome of a send by the network's answer. */
const createOutcomes =
  ({ restriction, newChats }: Pick<Ports, "restriction" | "newChats">) =>
  async (activeSocket: ActiveSocket, { key }: Pick<OutgoingMessage, "key">, ack: Ack): Promise<SendOutcome> => {
    if (ack.is === "taken") return { ok: true, key };
    if (ack.is === "lost") return unknown(ack.reason);
    if (ack.error === ACCOUNT_RESTRICTED) return restriction.explain(activeSocket, key);
    if (ack.error === NEW_CHATS_CAPPED) await newChats.refused(activeSocket);
    return rejection(ack.error);
  };

export const createRelay = (ports: Ports): Relay => {
  const { clock, log, channelId } = ports.host;
  const attempt = createAttempt(ports);
  const outcomeOf = createOutcomes(ports);
  const prepare = createPreparation(clock);

  /** An attempt, and one more if the network found the addresses of the message old. */
  const relay = async (activeSocket: ActiveSocket, outgoing: Attempt): Promise<Relayed> => {
    const { to } = outgoing;
    const answer = await attempt(activeSocket, outgoing);
    if (!("is" in answer) || answer.is !== "rejected" || !isOld(to.jid, answer.error))
      return { answer, isRefreshed: false };
    log.warn(
      { channelId, key: outgoing.key, error: answer.error },
      "the network found the addresses of a message old: it is sent once more to those of now",
    );
    const stillUnready = await prepare(activeSocket, to, { isRefresh: true });
    return { answer: stillUnready ?? (await attempt(activeSocket, outgoing)), isRefreshed: true };
  };

  const ended = async (activeSocket: ActiveSocket, outgoing: Attempt, answer: Ack | Failure): Promise<SendOutcome> =>
    "is" in answer ? outcomeOf(activeSocket, outgoing, answer) : answer;

  const rememberRefusal = (activeSocket: ActiveSocket, refusedWith: number): Promise<void> =>
    activeSocket.keyStore.write({ rows: [refusalRow(refusedWith, clock.now())] });

  /** Tries the form with native buttons. The network's code if it refuses this form, else the outcome. */
  const tryNative = async (
    activeSocket: ActiveSocket,
    outgoing: Omit<OutgoingMessage, "native">,
    message: proto.IMessage,
  ): Promise<SendOutcome | { refusedWith: number }> => {
    const nodes = nativeNodes(clock.now(), { isGroup: isGroup(outgoing.to.jid) });
    // the send is repeated, then as a text
    const lateRefusal: LateRefusal = (error) =>
      FORM_REFUSALS.has(error) && error !== STALE_DEVICES ? rememberRefusal(activeSocket, error) : undefined;
    const native: Attempt = { ...outgoing, message, nodes, repeatedAs: outgoing.message, lateRefusal };
    const { answer } = await relay(activeSocket, native);
    const isFormRefused = "is" in answer && answer.is === "rejected" && FORM_REFUSALS.has(answer.error);
    return isFormRefused ? { refusedWith: answer.error } : ended(activeSocket, outgoing, answer);
  };

  /** Sends a refused menu as its text, under the same id, which the network has not taken. */
  const asText = async (activeSocket: ActiveSocket, outgoing: Attempt, refusedWith: number): Promise<SendOutcome> => {
    log.warn({ channelId, key: outgoing.key, error: refusedWith }, "the network refused a menu: a text follows");
    const { answer, isRefreshed } = await relay(activeSocket, outgoing);
    // old addresses have the code of a form that is refused
    const wasOld = isRefreshed && refusedWith === STALE_DEVICES;
    if (!wasOld) await rememberRefusal(activeSocket, refusedWith);
    const outcome = await ended(activeSocket, outgoing, answer);
    return outcome.ok ? { ...outcome, plainer: wasOld ? OLD_ADDRESSES : refusedForm(refusedWith) } : outcome;
  };

  return async (activeSocket, { native, ...outgoing }) => {
    const unready = await prepare(activeSocket, outgoing.to, { isRefresh: false });
    if (unready) return unready;
    if (!native) return ended(activeSocket, outgoing, (await relay(activeSocket, outgoing)).answer);
    const tried = await tryNative(activeSocket, outgoing, native);
    return "refusedWith" in tried ? asText(activeSocket, outgoing, tried.refusedWith) : tried;
  };
};

/** The note on a menu that went out as a text, because the network refuses its native form. */
export const refusedForm = (upstreamCode: number): PlainerForm => ({
  sentAs: "text",
  reason: `the network refuses native buttons (${upstreamCode}); the message went out as a text`,
  upstreamCode,
});

/** The note on a menu that went out as a text, because the network found its addresses old again and again. */
const OLD_ADDRESSES: PlainerForm = {
  sentAs: "text",
  reason: `the network found the addresses of the message old (${STALE_DEVICES}); the message went out as a text`,
  upstreamCode: STALE_DEVICES,
};

/** Whether a refused stanza was made from old data, which can be requested again. */
const isOld = (jid: string, error: number): boolean =>
  error === STALE_DEVICES || error === UNKNOWN_DEVICE || (error === STALE_ADDRESSING && isGroup(jid));

/** Our own address in a chat, in the chat's kind of addresses. */
export const ownJid = ({ sock }: ActiveSocket, jid: string): string => {
  const { id = "", lid } = sock.user ?? {};
  const isByLid = isLid(jid) && lid !== undefined;
  return `${userOf(isByLid ? lid : id)}@${isByLid ? "lid" : "s.whatsapp.net"}`;
};

type Preparation = (
  activeSocket: ActiveSocket,
  to: Destination,
  options: { isRefresh: boolean },
) => Promise<Failure | undefined>;

/**
 * Requests the devices of the recipient, and ours. Without a device of the recipient a message reaches no device,
 * although the network accepts it. The library keeps the answer, so that the send does not ask a second time.
 * `isRefresh`: the kept answer is old, and so are the sessions. Returns why nothing can be sent; the library itself
 * asks about groups. For a person who is written to by LID the same question covers the number: it may belong to
 * another person by now.
 */
const createPreparation = (clock: Clock): Preparation => {
  const begun = new WeakMap<ActiveSocket, Promise<unknown>>();

  /** The first sends on a socket go out at once, and each would begin a session with our other devices. */
  const beginOwn = (activeSocket: ActiveSocket, addresses: string[]): Promise<unknown> => {
    const known = begun.get(activeSocket);
    if (known || addresses.length === 0) return known ?? Promise.resolve();
    const beginning = activeSocket.sock.assertSessions(addresses);
    begun.set(activeSocket, beginning);
    beginning.catch(() => begun.delete(activeSocket));
    return beginning;
  };

  return async (activeSocket, to, { isRefresh }) => {
    const { jid, alias } = to;
    if (isGroup(jid) && isRefresh) return refreshGroup(activeSocket, jid);
    if (isGroup(jid) || isStatusJid(jid)) return undefined;
    const own = ownJid(activeSocket, jid);
    try {
      const asked = [own, jid, ...(alias === undefined ? [] : [alias])];
      const named = (await activeSocket.sock.getUSyncDevices(asked, !isRefresh, false)).map((device) => device.jid);
      const stale =
        alias === undefined ? undefined : await staleRows(activeSocket, { number: userOf(alias), jid, named });
      if (stale && (isRefresh || stale.isCertain || !(await isNamedNow(activeSocket.keyStore, stale.pair, clock)))) {
        await activeSocket.keyStore.write({ rows: stale.rows });
        if (!stale.isCertain) forgetPair(activeSocket, stale.pair);
        return HOLDER_CHANGED;
      }
      const addresses = named.filter((address) => alias === undefined || !isSameUser(address, alias));
      if (!addresses.some((address) => isSameUser(address, jid)))
        return later("the network named no device of the recipient");
      if (isRefresh) await activeSocket.sock.assertSessions(addresses, true);
      else
        await beginOwn(
          activeSocket,
          addresses.filter((address) => isSameUser(address, own)),
        );
      return undefined;
    } catch (thrown) {
      return later(`the devices of the recipient could not be learned: ${reasonOf(thrown)}`);
    }
  };
};

/** The refused stanza had the group's sender key for its devices, so that nobody has it: the next stanza has it again. */
const refreshGroup = async ({ sock }: ActiveSocket, jid: string): Promise<Failure | undefined> => {
  forgetGroup(sock, jid);
  try {
    await sock.authState.keys.set({ "sender-key-memory": { [jid]: null } });
    return undefined;
  } catch (thrown) {
    return later(`the keys of the group could not be forgotten: ${reasonOf(thrown)}`);
  }
};

const HOLDER_CHANGED = later("the number belongs to another person by now: the network is asked for its holder");

type Pair = { number: string; lid: string };

/** The library has pairs in memory too. It would not store this pair again, even if the network names it once more. */
const forgetPair = ({ sock }: ActiveSocket, { number, lid }: Pair): void => {
  const { lidMapping } = sock.signalRepository as unknown as { lidMapping: { mappingCache: Map<string, string> } };
  for (const key of [`pn:${number}`, `lid:${lid}`]) lidMapping.mappingCache.delete(key);
};

/**
 * The rows to delete for a number that no longer belongs to a LID, by the devices that the network has just named.
 * Undefined if it still does. `isCertain`: the network has named another LID.
 */
const staleRows = async (
  { keyStore }: ActiveSocket,
  { number, jid, named }: { number: string; jid: string; named: readonly string[] },
): Promise<{ pair: Pair; isCertain: boolean; rows: KeyRow[] } | undefined> => {
  const pair = { number, lid: userOf(jid) };
  const { lid = pair.lid } = await completed(keyStore, { pn: number });
  if (lid === pair.lid && named.some((address) => isSameUser(address, number))) return undefined;
  const isCertain = lid !== pair.lid;
  return { pair, isCertain, rows: [...forgottenRows(number), ...(isCertain ? [] : unpairedRows(number, lid))] };
};

/** The part that the library's errors have in common. */
type LibraryError = { isBoom: true; message: string; data: unknown; output: { statusCode: number } };
const isLibraryError = (thrown: unknown): thrown is LibraryError =>
  typeof thrown === "object" && thrown !== null && "isBoom" in thrown && thrown.isBoom === true;

const isNothingEncrypted = (thrown: unknown): boolean =>
  isLibraryError(thrown) && thrown.message === "All encryptions failed";

const TIMED_OUT = 408;
const CONNECTION_CLOSED = 428;

/**
 * The meaning of a library's error for a message. It prepares everything before it writes the one stanza. Writing fails
 * in only two ways: the connection is known to be closed, or the socket did not confirm the bytes. Any foreign error
 * may come from the socket.
 */
export const sendFailureOf = (thrown: unknown): Failure => {
  if (!isLibraryError(thrown)) return unknown(`the message may have left: ${reasonOf(thrown)}`);
  const { statusCode } = thrown.output;
  if (statusCode === CONNECTION_CLOSED) return NOT_CONNECTED;
  if (statusCode === TIMED_OUT) return unknown("the connection did not take the message in time");
  const isAnswer = typeof thrown.data === "number" && thrown.data >= 400 && thrown.data < 500;
  return isAnswer ? rejection(thrown.data as number) : later(`the message could not be prepared: ${thrown.message}`);
};
