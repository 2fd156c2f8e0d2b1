import type { CallPermissionUpdate, CallUpdate } from "./events/calls.ts";
import type { ChatChanged, ChatLabelled, ChatsShown, LabelChanged, MessageLabelled } from "./events/chats.ts";
import type { GroupUpdate } from "./events/groups.ts";
import type { ClientUpdate, HealthChanged, SyncProgress } from "./events/links.ts";
import type {
  Broadcast,
  Commented,
  DeletedForMe,
  DeliveredUpTo,
  Edited,
  Kept,
  Pinned,
  PollCounted,
  Reacted,
  ReadUpTo,
  Receipt,
  Received,
  Responded,
  Revoked,
  Starred,
  Voted,
} from "./events/messages.ts";
import type { NewsletterChanged, NewsletterCounted } from "./events/newsletters.ts";
import type {
  ConsentChanged,
  ContactsSynced,
  DelegationChanged,
  HolderChanged,
  Known,
  PresenceChanged,
  ReachChanged,
} from "./events/people.ts";
import type { TemplateChanged } from "./events/templates.ts";

export type * from "./events/calls.ts";
export type * from "./events/chats.ts";
export type * from "./events/groups.ts";
export * from "./events/identity.ts";
export * from "./events/links.ts";
export * from "./events/messages.ts";
export type * from "./events/newsletters.ts";
export type * from "./events/people.ts";
export * from "./events/templates.ts";

/** A report of a network. `at` is the network's time in milliseconds; 0 if it gives none. */
export type ChannelEvent =
  | Received
  | Receipt
  | DeliveredUpTo
  | ReadUpTo
  | Reacted
  | Edited
  | Revoked
  | Voted
  | Pinned
  | Kept
  | Responded
  | Broadcast
  | Known
  | TemplateChanged
  | HealthChanged
  | ContactsSynced
  | SyncProgress
  | GroupUpdate
  | CallUpdate
  | CallPermissionUpdate
  | HolderChanged
  | Commented
  | ClientUpdate
  | PresenceChanged
  | ReachChanged
  | ConsentChanged
  | DelegationChanged
  | PollCounted
  | NewsletterChanged
  | NewsletterCounted
  | ChatChanged
  | LabelChanged
  | ChatLabelled
  | MessageLabelled
  | ChatsShown
  | Starred
  | DeletedForMe
  | UnknownEvent;

/** An event that the plugin cannot read. The raw envelope stays stored. It is logged once per `what`. */
export type UnknownEvent = { kind: "unknown"; at: number; what: string };
