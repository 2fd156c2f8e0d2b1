import type { Identity } from "./identity.ts";

/**
 * An update of a call. `connect`: an inbound call with its offer, or the answer to an outbound call. `ended`:
 * `startedAt` is null if nobody answered. `callId` is Recado's id, if the network repeats it. An inbound call without an
 * offer rings on the owner's device: the channel cannot take it, and Recado never ends it by itself. `group`: the group
 * that is called. `isElsewhere`: the owner answered it on another device, and the network reports nothing more.
 * `reply`: a text for the caller, which the channel's settings name; Recado sends it as a message.
 */
export type CallUpdate = { kind: "call"; at: number; nativeId: string; callId?: string } & (
  | {
      what: "connect";
      direction: "INBOUND";
      from: Identity;
      sdpOffer?: string;
      isVideo?: boolean;
      group?: string;
    }
  | { what: "connect"; direction: "OUTBOUND"; sdpAnswer: string }
  | { what: "ringing" | "accepted" }
  | { what: "rejected"; reason?: string; reply?: string }
  | {
      what: "ended";
      isFailure: boolean;
      startedAt: number | null;
      endedAt: number | null;
      durationSeconds: number | null;
      reason?: string;
      isElsewhere?: boolean;
    }
);

/** A person granted or refused the permission to be called. `expiresAt` is null for a permission without an end. */
export type CallPermissionUpdate = {
  kind: "call-permission";
  at: number;
  from: Identity;
  isGranted: boolean;
  expiresAt: number | null;
};
