import { MINUTE_MS } from "../../../kernel/clock.ts";
import type { CallDirection, CallStatus } from "../../../store/tables/calls.ts";
import type { Contact } from "../../domain-event.ts";
import { BY_CALL, type Definitions, TO_ACCOUNTS_AND_APPS } from "./definition.ts";
import { ANA, AT, idOf } from "./samples.ts";

type Changed = {
  callId: string;
  upstreamCallId: string | null;
  direction: CallDirection;
  status: CallStatus;
  /** Of an inbound call that rings on the owner's device. `group`: the group that is called. */
  from?: Contact;
  isVideo?: boolean;
  group?: string;
  reason?: string;
  sdpAnswer?: string;
  durationSeconds?: number;
};

export type CallEvents = {
  "call.offer": { callId: string; upstreamCallId: string; from: Contact; sdpOffer: string; expiresAt: number };
  "call.changed": Changed;
};

const CALL = { callId: idOf(9), upstreamCallId: "wacid.HBgNNTUxMTk5OTk5" };
const OF_CALL = { ordering: BY_CALL, direction: null, publishedTo: TO_ACCOUNTS_AND_APPS } as const;

const changed = (change: Omit<Changed, keyof typeof CALL | "direction">): Changed => ({
  ...CALL,
  direction: "INBOUND",
  ...change,
});

export const CALL_EVENTS = {
  "call.offer": { ...OF_CALL, samples: [{ ...CALL, from: ANA, sdpOffer: "v=0…", expiresAt: AT + MINUTE_MS }] },
  "call.changed": {
    ...OF_CALL,
    samples: [
      changed({ status: "RINGING" }),
      changed({ status: "RINGING", from: ANA, isVideo: true, group: "120363025246125244" }),
      changed({ status: "ACCEPTED", sdpAnswer: "v=0…" }),
      changed({ status: "IN_PROGRESS" }),
      changed({ status: "COMPLETED", durationSeconds: 42 }),
      changed({ status: "REJECTED" }),
      changed({ status: "MISSED", reason: "RING_TIMEOUT" }),
      changed({ status: "FAILED", reason: "The network reported an error." }),
    ],
  },
} satisfies Definitions<CallEvents>;
