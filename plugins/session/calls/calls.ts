import type { CallsApi, NewCallLink } from "../../../src/contract/abilities/calls.ts";
import type { CallUpdate, Identity } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
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

/** The rows of calls that ring: the address of the caller, which the network wants in a rejection. */
const RINGING = "call";
const RINGING_MS = 5 * MINUTE_MS;
/** The rows of callers who got the text of the settings. */
const REPLIED = "call-replied";
const REPLIED_MS = 10 * MINUTE_MS;
/** An offer that waited longer at the network rings nowhere any more. */
const STALE_MS = 60 * SECOND_MS;

export const createCalls = (host: ChannelHost, { activeSocket, settings }: Deps): SessionCalls => ({
  attach(attached) {
    const { sock } = attached;
    // the library acknowledges a call before it is on disk, and makes messages of missed ones
    sock.ws.removeAllListeners("CB:call");
    let turn: Promise<void> = Promise.resolve();
    sock.ws.on("CB:call", (stanza: Stanza) => {
      turn = turn.then(() =>
        take({ host, settings }, attached, stanza).catch((thrown: unknown) =>
          host.log.warn({ channelId: host.channelId, error: reasonOf(thrown) }, "a call could not be recorded"),
        ),
      );
    });
  },
  reject: (nativeId) => onSocket(activeSocket(), (active) => rejectAt(active, nativeId)),
  createLink: (link) => onSocket(activeSocket(), (active) => newLink(active, link)),
});

type Ports = { host: ChannelHost; settings: Deps["settings"] };

/** A stanza that could not be written is not acknowledged: the network sends it again. */
const take = async (ports: Ports, active: ActiveSocket, stanza: Stanza): Promise<void> => {
  if (!active.isCurrent()) return;
  const signal = signalIn(stanza);
  const rings = signal && (await record(ports, active, stanza, signal));
  await active.sock.sendMessageAck(stanza);
  if (rings) await rejectBySetting(ports, active, rings);
};

/** A call that rings now. `caller`: the canonical key of the caller. */
type Ringing = { signal: Signal; at: number; caller: string };

const record = async (
  { host }: Ports,
  active: ActiveSocket,
  stanza: Stanza,
  signal: Signal,
): Promise<Ringing | undefined> => {
  const { keyStore } = active;
  const at = millisecondsOf(stanza.attrs["t"] ?? "") || host.clock.now();
  if (!isOffer(signal)) {
    const end = endIn(signal, at, signal.id, isOwn(active, signal.from));
    if (end) await keyStore.write({ events: [end], rows: [{ kind: RINGING, id: signal.id, value: null }] });
    return undefined;
  }
  const from = await completed(keyStore, personOf(signal.creator, signal.callerPn, signal.from));
  const [caller] = namesOf(from);
  if (caller === undefined || isOwn(active, signal.creator)) return undefined;
  const isStale = stanza.attrs["offline"] !== undefined && host.clock.now() - at > STALE_MS;
  const offer = offerOf(signal, at, from);
  const value = JSON.stringify({ to: signal.from, creator: signal.creator });
  await keyStore.write(
    isStale
      ? { events: [missedAway(at, signal.id), offer] }
      : { events: [offer], rows: [{ kind: RINGING, id: signal.id, value, until: host.clock.now() + RINGING_MS }] },
  );
  return isStale ? undefined : { signal, at, caller };
};

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
  { host, settings }: Ports,
  active: ActiveSocket,
  { signal, caller }: Ringing,
): Promise<void> => {
  const { rejectCalls, rejectCallsText } = await settings.current();
  if (!rejectCalls || signal.group !== undefined) return;
  const rejected = await onSocket(active, (open) => rejectAt(open, signal.id));
  if (!rejected.ok) return host.log.warn({ channelId: host.channelId }, "a call could not be rejected");
  const now = host.clock.now();
  const known = (await active.keyStore.read(REPLIED, [caller])).get(caller);
  const replies = rejectCallsText !== undefined && Number(known ?? 0) + REPLIED_MS <= now;
  await active.keyStore.write({
    events: [
      {
        kind: "call",
        at: now,
        nativeId: signal.id,
        what: "rejected",
        reason: "REJECT_CALLS",
        ...(replies ? { reply: rejectCallsText } : {}),
      },
    ],
    rows: replies ? [{ kind: REPLIED, id: caller, value: String(now), until: now + REPLIED_MS }] : [],
  });
};

/** @throws Ended for a call that does not ring */
const rejectAt = async ({ sock, keyStore }: ActiveSocket, callId: string): Promise<true> => {
  const kept = (await keyStore.read(RINGING, [callId])).get(callId);
  if (kept === undefined) throw new Ended(refusal("the call does not ring here"));
  const { to, creator } = JSON.parse(kept) as { to: string; creator: string }; // written here
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
