import type { Presence } from "../abilities/people.ts";
import type { Identity } from "./identity.ts";
import type { HolderRole } from "./messages.ts";

/**
 * Ids that belong to one person, according to the network. `before`: an id that the person no longer has. With a `group`
 * in both, a group has another id from now on.
 */
export type Known = { kind: "known"; at: number; identity: Identity; before?: Identity; name?: string };

/** Entries of the owner's address book. `nativeId` is the same when the network repeats them. */
export type ContactsSynced = {
  kind: "contacts";
  nativeId: string;
  at: number;
  contacts: { identity: Identity; name: string | null; firstName: string | null; action: "add" | "remove" }[];
};

/**
 * Another app leads a conversation from now on, or no longer does. `heldBy` is null if this app leads it. `isRequest`:
 * another app only asks to lead it. `note`: a text of the app that made the change.
 */
export type HolderChanged = {
  kind: "holder";
  at: number;
  nativeId: string;
  chat: Identity;
  heldBy: HolderRole | null;
  isRequest?: boolean;
  note?: string;
};

/**
 * A person's presence in a chat, reported for people whom a client watches (`people.watch`). Missing an event does no
 * harm.
 */
export type PresenceChanged = {
  kind: "presence";
  at: number;
  from: Identity;
  chat: Identity;
  state: Presence;
  lastSeenAt?: number;
};

/**
 * A person or group takes no messages of this channel any more (a person blocked it, a group removed it), or takes them
 * again. `nativeId` is the same when the network repeats the report. `reason`: the network's word.
 */
export type ReachChanged = {
  kind: "reach";
  at: number;
  nativeId: string;
  chat: Identity;
  isReachable: boolean;
  reason?: string;
};

/**
 * A person wants no messages but answers any more, or wants all again, as a network that reads such words itself
 * reports. `word`: what the person wrote. `nativeId`: as above.
 */
export type ConsentChanged = {
  kind: "consent";
  at: number;
  nativeId: string;
  from: Identity;
  state: "opted_out" | "opted_in";
  word?: string;
};

/**
 * A person lets this channel read and answer the person's own chats, changed that, or ended it. `id` names the
 * connection in the addresses of these chats. `mayWrite`: whether the channel may answer. `nativeId`: as above.
 */
export type DelegationChanged = {
  kind: "delegation";
  at: number;
  nativeId: string;
  id: string;
  from: Identity;
  pushName: string | null;
  isActive: boolean;
  mayWrite: boolean;
};
