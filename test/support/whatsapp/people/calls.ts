import { linkedOf } from "../messages/messages.ts";
import { type Account, accountOf, jidOf, type Network } from "../model.ts";
import { child, firstChild, type Stanza, stanza } from "../wire/stanza.ts";
import type { Linked } from "./linked.ts";
import { type Chat, targetOf } from "./sending.ts";

/** A call that somebody makes. `end`: null while it rings. */
export type Call = { id: string; by: Account; to: Account; isGroup: boolean; end: string | null };

/** What the caller, and the owner's phone, do with a call that rings. */
export type Calling = {
  readonly call: Call;
  /** The caller gives up, or waited too long. */
  hangUp(reason?: string): void;
  /** The owner takes it, or rejects it, on the phone. */
  acceptElsewhere(): void;
  rejectElsewhere(): void;
};

/** `in`: the group that is called. `time`: seconds. */
export type CallOptions = { video?: boolean; in?: Chat; id?: string; time?: number };

/** Ids of calls are the callers' own: two people may have calls of the same id. */
const placeOf = (id: string, by: Account | undefined): string => `${id} ${by && jidOf(by, "lid")}`;

/** Tells the linked devices of the called account what the caller says. */
const deliver = (network: Network, call: Call, part: Stanza, time = network.now()): void => {
  const from = jidOf(call.by, "lid");
  for (const device of linkedOf(call.to))
    device.deliver(stanza("call", { from, id: network.newId(), t: String(time) }, [part]));
};

const named = (call: Call, more: Record<string, string | undefined> = {}) => ({
  "call-id": call.id,
  "call-creator": jidOf(call.by, "lid"),
  ...more,
});

const endCall = (network: Network, call: Call, reason: string | undefined): void => {
  if (call.end !== null) throw new Error(`the call has ended: ${call.end}`);
  call.end = reason ?? "hung up";
  deliver(network, call, stanza("terminate", named(call, { reason })));
  network.changed();
};

/** Somebody calls an account: its phone rings, and its linked devices learn of it. */
export const placeCall = (network: Network, by: Account, to: Account, options: CallOptions = {}): Calling => {
  const { video = false, in: chat, id = network.newId(), time } = options;
  const group = chat && targetOf(chat);
  const call: Call = { id, by, to, isGroup: group !== undefined, end: null };
  network.calls.set(placeOf(id, by), call);
  const media = [stanza("audio", { enc: "opus", rate: "16000" }), ...(video ? [stanza("video", { enc: "vp8" })] : [])];
  // a linked device is not offered the call of a group, but learns of it
  const offer =
    group && "members" in group
      ? stanza("offer_notice", named(call, { "group-jid": group.jid, type: "group", media: video ? "video" : "audio" }))
      : stanza("offer", named(call, { caller_pn: by.pn && jidOf(by, "pn") }), media);
  deliver(network, call, offer, time);
  return {
    call,
    hangUp: (reason) => endCall(network, call, reason),
    acceptElsewhere: () => endCall(network, call, "accepted_elsewhere"),
    rejectElsewhere: () => endCall(network, call, "rejected_elsewhere"),
  };
};

/** The code by which the network refuses a rejection; undefined once the call has ended by it. */
const reject = (network: Network, device: Linked, { attrs: { to } }: Stanza, part: Stanza): number | undefined => {
  const call = network.calls.get(placeOf(part.attrs["call-id"] ?? "", accountOf(network, part.attrs["call-creator"])));
  if (!call || call.to !== device.account || call.end !== null) return 404;
  if (accountOf(network, to) !== call.by) return 400;
  call.end = "rejected";
  for (const other of linkedOf(call.to))
    if (other !== device)
      other.deliver(
        stanza("call", { from: jidOf(call.by, "lid"), id: network.newId(), t: String(network.now()) }, [
          stanza("terminate", named(call, { reason: "rejected_elsewhere" })),
        ]),
      );
  return undefined;
};

const linkFor = (network: Network, part: Stanza): Stanza | number => {
  const start = child(part, "event")?.attrs["start_time"];
  if (part.attrs["media"] !== "audio" && part.attrs["media"] !== "video") return 400;
  if (start !== undefined && !(Number(start) > network.now())) return 400;
  const token = network.newId();
  network.callLinks.push({ token, media: part.attrs["media"], startsAt: start });
  return stanza("link_create", { token, media: part.attrs["media"] });
};

/** Takes the signalling of a linked device: it rejects a call, or wants a link. */
export const takeCall = (network: Network, device: Linked, sent: Stanza): void => {
  const { id, to } = sent.attrs;
  const part = firstChild(sent);
  const answer =
    part?.tag === "reject"
      ? reject(network, device, sent, part)
      : part?.tag === "link_create"
        ? linkFor(network, part)
        : 400;
  const names = { class: "call", id, from: to, type: part?.tag };
  network.changed();
  if (network.rules.lostAcks.take(sent, device.account)) return;
  device.link?.send(
    typeof answer === "number"
      ? stanza("ack", { ...names, error: String(answer) })
      : stanza("ack", names, answer && [answer]),
  );
};
