import { LATEST_MS } from "../../kernel/clock.ts";
import type { ProviderMessageId } from "../events.ts";
import type { UpstreamResult } from "../upstream.ts";
import type { OperationOutcome } from "./operations.ts";

/** The end of a mute that lasts until somebody ends it. */
export const MUTED_FOR_EVER = LATEST_MS;

/**
 * An act on a chat as the account's own apps show it; the other side sees nothing of it. `until`: the end of a mute;
 * null ends it now. `clear` removes the chat's messages in the apps, `delete` the chat as well.
 */
export type ChatAct =
  | { name: "archive"; isArchived: boolean }
  | { name: "pin"; isPinned: boolean }
  | { name: "mark-unread"; isUnread: boolean }
  | { name: "mute"; until: number | null }
  | { name: "label"; labelId: string; isLabelled: boolean }
  | { name: "clear" }
  | { name: "delete" };

/**
 * An act with its chat, a canonical key. `at`: the time when the act was accepted. `newest`: the newest message of the
 * chat that was known then. The act concerns no later messages, even if it is done much later.
 */
export type ChatOrder = ChatAct & { chat: string; at: number; newest: { key: ProviderMessageId; at: number } | null };

/**
 * The setting of a channel by which labels of its account are tags of people: `on` or `off`. An adapter with labels
 * declares it in its `channelSettings`.
 */
export const LABELS_AS_TAGS_FIELD = "labelsAsTags";

/** A label of the account's app. `color`: its place in the app's palette, from 0 to 19. */
export type Label = { id: string; name: string; color: number };

/** Gives an id that no known label has; undefined if there are too many labels. */
export type FreeId = () => Promise<string | undefined>;

/**
 * The chats of the account as its own apps show them. Present if the network shares that among the devices of an
 * account. An act can be repeated without harm. No function throws.
 */
export type ChatsApi = {
  act(order: ChatOrder): Promise<OperationOutcome>;
  /**
   * Makes a label. Asks for its id after every earlier label is ingested, and again if another device was faster. The
   * new label's event is ingested with it.
   */
  makeLabel(label: Omit<Label, "id">, freeId: FreeId): Promise<UpstreamResult<Label>>;
  /** Changes the label with this id. */
  putLabel(label: Label): Promise<UpstreamResult<true>>;
  removeLabel(label: Label): Promise<UpstreamResult<true>>;
  /** Forgets what is known of the account's chats, and reads everything again. */
  resync(): Promise<UpstreamResult<true>>;
};
