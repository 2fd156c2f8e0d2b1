import type { CallUpdate } from "../../../src/contract/events.ts";
import { childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { canonicalOf } from "../address.ts";

/** A part of a call's signalling. `creator`: the address of the caller, by which the network knows the call. */
export type Signal = {
  id: string;
  creator: string;
  tag: string;
  /** The address from which the stanza came: the caller's, or another device's of the owner. */
  from: string;
  callerPn: string | undefined;
  isVideo: boolean;
  group: string | undefined;
  reason: string | undefined;
};

/** The signal in a stanza; undefined for one that belongs to no call. */
export const signalIn = (stanza: Stanza): Signal | undefined => {
  const [part] = childrenOf(stanza);
  const id = part?.attrs["call-id"];
  const { from } = stanza.attrs;
  if (!part || !id || !from || id.length > MAX_ID) return undefined;
  const { attrs } = part;
  return {
    id,
    creator: attrs["call-creator"] ?? attrs["from"] ?? from,
    tag: part.tag,
    from,
    callerPn: attrs["caller_pn"],
    isVideo: childOf(part, "video") !== undefined || attrs["media"] === "video",
    group: canonicalOf(attrs["group-jid"] ?? "")?.match(/^group:(.+)$/)?.[1],
    reason: attrs["reason"],
  };
};

const MAX_ID = 128;

/** Linked devices get a notice in the place of the offer for a call of a group. */
export const isOffer = ({ tag }: Signal): boolean => tag === "offer" || tag === "offer_notice";

type End = Extract<CallUpdate, { what: "ended" | "rejected" }>;
type Head = Pick<CallUpdate, "kind" | "at" | "nativeId">;

/** TABLE: the reasons of a call's end that another device of the owner caused. */
const ELSEWHERE = { accepted_elsewhere: "ACCEPTED_ELSEWHERE", rejected_elsewhere: "REJECTED_ELSEWHERE" } as const;

const accepted = (head: Head): End => ({
  ...head,
  what: "ended",
  isFailure: false,
  startedAt: head.at,
  endedAt: null,
  durationSeconds: null,
  reason: ELSEWHERE.accepted_elsewhere,
  isElsewhere: true,
});
const rejected = (head: Head): End => ({ ...head, what: "rejected", reason: ELSEWHERE.rejected_elsewhere });
const missed = (head: Head): End => ({
  ...head,
  what: "ended",
  isFailure: false,
  startedAt: null,
  endedAt: head.at,
  durationSeconds: null,
});

/** The end of a call that a signal reports; undefined if the call goes on. `isOwn`: another device of the owner sent it. */
export const endIn = ({ tag, reason }: Signal, at: number, nativeId: string, isOwn: boolean): End | undefined => {
  const head = { kind: "call", at, nativeId } as const;
  if (tag === "terminate" && reason === "accepted_elsewhere") return accepted(head);
  if (tag === "terminate" && reason === "rejected_elsewhere") return rejected(head);
  if (tag === "terminate") return missed(head);
  if (tag === "accept" && isOwn) return accepted(head);
  if (tag === "reject" && isOwn) return rejected(head);
  return undefined;
};

/** The end of a call that rang while the session was away. */
export const missedAway = (at: number, nativeId: string): End => missed({ kind: "call", at, nativeId });
