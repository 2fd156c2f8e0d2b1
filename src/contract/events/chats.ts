import type { Identity, ProviderMessageId } from "./identity.ts";

/**
 * The fields of a chat that the account's own apps show. `mutedUntil`: the end of the mute; null if the chat is not
 * muted. `gone`: its messages, or the chat as well, were removed there.
 */
export type ChatChanges = {
  archived?: boolean;
  pinned?: boolean;
  markedUnread?: boolean;
  mutedUntil?: number | null;
  gone?: "cleared" | "deleted";
};

/**
 * The owner has changed a chat in the network's own app. `isHistory`: it was so before the channel was connected; it is
 * stored and not published.
 */
export type ChatChanged = { kind: "chat"; at: number; chat: Identity; changes: ChatChanges; isHistory?: boolean };

/** A label of the account was made, changed or deleted. `color`: its place in the app's palette. */
export type LabelChanged = {
  kind: "label";
  at: number;
  id: string;
  name: string;
  color: number;
  isDeleted?: boolean;
  isHistory?: boolean;
};

/** A chat got a label, or lost it. */
export type ChatLabelled = {
  kind: "labelled";
  at: number;
  chat: Identity;
  labelId: string;
  isLabelled: boolean;
  isHistory?: boolean;
};

/** A message got a label, or lost it. */
export type MessageLabelled = {
  kind: "message-labelled";
  at: number;
  key: ProviderMessageId;
  labelId: string;
  isLabelled: boolean;
  isHistory?: boolean;
};

/**
 * All chats and messages that the account's own app shows so, and all its labels: every other one is shown as usual. An
 * absent list says nothing. It follows the changes of the same reading.
 */
export type ChatsShown = {
  kind: "shown";
  at: number;
  archived?: readonly Identity[];
  pinned?: readonly Identity[];
  markedUnread?: readonly Identity[];
  muted?: readonly Identity[];
  labels?: readonly string[];
  labelled?: readonly { chat: Identity; labelId: string }[];
  starred?: readonly ProviderMessageId[];
  labelledMessages?: readonly { key: ProviderMessageId; labelId: string }[];
  isHistory?: boolean;
};
