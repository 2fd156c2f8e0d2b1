import type { CallsApi, NewCallLink } from "../../../src/contract/abilities/calls.ts";
import type { CallUpdate, Identity } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { createKeyedMutex, type KeyedMutex } from "../../../src/kernel/async.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { type ActiveSocket, type Attach, childOf, type Stanza } from "../active-socket.ts";
import { ask, Ended, node, onSocket, refusal } from "../ask.ts";
import { millisecondsOf } from "../inbound/origin.ts";
import { completed, namesOf, personOf } from "../inbound/people.ts";
import type { PhoneSettings } from "../phone-settings.ts";
import { endIn, isOffer, missedAway, type Signal, signalIn } from "./stanzas.ts";

/** The calls of a session. It signals; the owner talks on the phone. */
export type SessionCalls = Required<Pick<CallsApi, "reject" | "createLink">> & { readonly attach: Attach };

type Deps = { activeSocket(): ActiveSocket | undefined; settings: Pick<PhoneSettings, "current"> };

/** The rows of calls that ring, by the network's id. Only their caller, and the owner, can change them. */
const RINGING = "call";
const RINGING_MS = 5 * MINUTE_MS;
/** The rows of callers who got the text of the settings. */
const REPLIED = "call-replied";
const REPLIED_MS = 10 * MINUTE_MS;
/** An offer that waited longer at the network rings nowhere any more. */
const STALE_MS = 60 * SECOND_MS;

export const createCalls = (host: ChannelHost, { activeSocket, settings }: Deps): SessionCalls => {
  const ports: Ports = { host, settings, replies: createKeyedMutex() };
  const failed = (what: string) => (thrown: unknown) =>
    host.log.warn({ channelId: host.channelId, error: reasonOf(thrown) }, what);
  return {
    attach(attached) {
      const { sock } = attached;
      // the library acknowledges a call before it is on disk, and makes messages of missed ones
      sock.ws.removeAllListeners("CB:call");
      let turn: Promise<void> = Promise.resolve();
      sock.ws.on("CB:call", (stanza: Stanza) => {
        turn = turn.then(async () => {
          const rings = await take(ports, attached, stanza).catch(failed("a call could not be recorded"));
          // outside of the turn: the network may take long to answer, and the next signal does not wait for that
          if (rings) void rejectBySetting(ports, attached, rings).catch(failed("a rejection could not be recorded"));
        });
      });
    },
    reject: (nativeId) => onSocket(activeSocket(), (active) => rejectAt(active, nativeId)),
    createLink: (link) => onSocket(activeSocket(), (active) => newLink(active, link)),
  };
};

/** `replies`: those to one caller are counted one after the other. */
type Ports = { host: ChannelHost; settings: Deps["settings"]; replies: KeyedMutex };

/**
 * Records a signal, and gives the call that rings by it. A stanza that could not be written is not acknowledged: the
 * network sends it again.
 */
const take = async (ports: Ports, active: ActiveSocket, stanza: Stanza): Promise<Ringing | undefined> => {
  if (!active.isCurrent()) return undefined;
  const signal = signalIn(stanza);
  const rings = signal && (await record(ports, active, stanza, signal));
  await active.sock.sendMessageAck(stanza);
  return rings;
};

/** A call that rings now. `caller`: the canonical key of the caller. */
type Ringing = { signal: Signal; at: number; caller: string };

/**
 * The row of a call that rings. `to`, `creator`: the addresses that the network wants in a rejection. `names`: the
 * canonical keys of whoever offers it; the network does not promise that ids of different people differ.
 */
type Kept = { to: string; creator: string; names: string[] };

const keptOf = async (keyStore: Pick<KeyStore, "read">, callId: string): Promise<Kept | undefined> => {
  const kept = (await keyStore.read(RINGING, [callId])).get(callId);
  return kept === undefined ? undefined : (JSON.parse(kept) as Kept); // written here
};

const record = async (
  { host }: Ports,
  active: ActiveSocket,
  stanza: Stanza,
  signal: Signal,
): Promise<Ringing | undefined> => {
  const { keyStore } = active;
  const at = millisecondsOf(stanza.attrs["t"] ?? "") || host.clock.now();
  const sender = await completed(keyStore, personOf(signal.from, isOffer(signal) ? signal.callerPn : undefined));
  const kept = await keptOf(keyStore, signal.id);
  const isOwner = isOwn(active, signal.from);
  if (kept && !isOwner && !isFrom(kept, signal.from, sender)) {
    host.log.info({ channelId: host.channelId, tag: signal.tag }, "a signal about somebody else's call was left out");
    return undefined;
  }
  if (isOffer(signal)) return recordOffer(host, active, { signal, sender, at, stanza });
  const end = endIn(signal, at, signal.id, isOwner);
  if (end) await keyStore.write({ events: [end], rows: [{ kind: RINGING, id: signal.id, value: null }] });
  return undefined;
};

type Offered = { signal: Signal; sender: Identity; at: number; stanza: Stanza };

const recordOffer = async (
  host: ChannelHost,
  active: ActiveSocket,
  { signal, sender, at, stanza }: Offered,
): Promise<Ringing | undefined> => {
  const { keyStore } = active;
  const from = await completed(keyStore, personOf(signal.creator, signal.callerPn, signal.from));
  const [caller] = namesOf(from);
  if (caller === undefined || isOwn(active, signal.creator)) return undefined;
  // only the call of a group may come from another address than its caller's
  if (signal.group === undefined && isOther(sender, from)) return undefined;
  const isStale = stanza.attrs["offline"] !== undefined && host.clock.now() - at > STALE_MS;
  const offer = offerOf(signal, at, from);
  const value = JSON.stringify({ to: signal.from, creator: signal.creator, names: namesOf(sender) } satisfies Kept);
  await keyStore.write(
    isStale
      ? { events: [missedAway(at, signal.id), offer] }
      : { events: [offer], rows: [{ kind: RINGING, id: signal.id, value, until: host.clock.now() + RINGING_MS }] },
  );
  return isStale ? undefined : { signal, at, caller };
};

const isFrom = (kept: Kept, jid: string, sender: Identity): boolean =>
  kept.to === jid || namesOf(sender).some((name) => kept.names.includes(name));

/** Whether two people have different addresses of one kind. */
const isOther = (one: Identity, other: Identity): boolean =>
  (["pn", "lid"] as const).some(
    (name) => one[name] !== undefined && other[name] !== undefined && one[name] !== other[name],
  );

const offerOf = ({ id, isVideo, group }: Signal, at: number, from: Identity): CallUpdate => ({
  kind: "call",
  at,
  nativeId: id,
  what: "connect",
  direction: "INBOUND",
  from,
  isVideo,
  ...(group === undefined ? {} : { group }),
});

const isOwn = ({ sock }: ActiveSocket, jid: string): boolean => {
  const { me } = sock.authState.creds;
  const own = namesOf(personOf(me?.id, me?.lid));
  return namesOf(personOf(jid)).some((name) => own.includes(name));
};

/** Rejects a call as the settings want it. A call of a group rings on: its caller waits for others too. */
const rejectBySetting = async (
  { host, settings, replies }: Ports,
  active: ActiveSocket,
  { signal, caller }: Ringing,
): Promise<void> => {
  const { rejectCalls, rejectCallsText } = await settings.current();
  if (!rejectCalls || signal.group !== undefined) return;
  const rejected = await onSocket(active, (open) => rejectAt(open, signal.id));
  if (!rejected.ok) return host.log.warn({ channelId: host.channelId }, "a call could not be rejected");
  await replies.run([caller], async () => {
    const now = host.clock.now();
    const known = (await active.keyStore.read(REPLIED, [caller])).get(caller);
    const isReplied = rejectCallsText !== undefined && Number(known ?? 0) + REPLIED_MS <= now;
    await active.keyStore.write({
      events: [
        {
          kind: "call",
          at: now,
          nativeId: signal.id,
          what: "rejected",
          reason: "REJECT_CALLS",
          ...(isReplied ? { reply: rejectCallsText } : {}),
        },
      ],
      rows: isReplied ? [{ kind: REPLIED, id: caller, value: String(now), until: now + REPLIED_MS }] : [],
    });
  });
};

/** @throws Ended for a call that does not ring */
const rejectAt = async ({ sock, keyStore }: ActiveSocket, callId: string): Promise<true> => {
  const kept = await keptOf(keyStore, callId);
  if (kept === undefined) throw new Ended(refusal("the call does not ring here"));
  const { to, creator } = kept;
  const part = node("reject", { "call-id": callId, "call-creator": creator, count: "0" });
  const from = sock.authState.creds.me?.id ?? "";
  const { error } = (await ask(sock, node("call", { id: sock.generateMessageTag(), from, to }, [part]))).attrs;
  if (error !== undefined) throw new Ended(refusal(`the network refused the rejection (${error})`, Number(error)));
  await keyStore.write({ rows: [{ kind: RINGING, id: callId, value: null }] });
  return true;
};

const LINKS = "https://call.whatsapp.com";

const newLink = async ({ sock }: ActiveSocket, { isVideo, startsAt }: NewCallLink): Promise<string> => {
  const media = isVideo ? "video" : "audio";
  const event = startsAt === undefined ? [] : [node("event", { start_time: String(Math.floor(startsAt / SECOND_MS)) })];
  const question = node("call", { id: sock.generateMessageTag(), to: "@call" }, [
    node("link_create", { media }, event),
  ]);
  const answer = await ask(sock, question);
  const { error } = answer.attrs;
  const token = childOf(answer, "link_create")?.attrs["token"];
  if (error !== undefined || !token)
    throw new Ended(refusal(`the network made no link${error === undefined ? "" : ` (${error})`}`));
  return `${LINKS}/${isVideo ? "video" : "voice"}/${token}`;
};
