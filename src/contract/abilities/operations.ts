import type { EventResponse, ProviderMessageId } from "../events.ts";
import type { SendOutcome } from "../outcome.ts";

/**
 * An operation on an existing message. An empty `emoji` removes the reaction. A pin without `seconds` is taken back.
 * `label`: the message has a label of the account's own app, or has it no longer.
 * `keep`: the message stays in a chat whose messages disappear. `played`: the account has heard
 * a voice note. `vote`: the chosen options of a poll, in the poll's words;
 * without options the vote is withdrawn. `respond`: an answer to a calendar event.
 */
export type Action =
  | { name: "react"; emoji: string }
  | { name: "edit"; text: string }
  | { name: "delete" }
  | { name: "star"; isStarred: boolean }
  | { name: "label"; labelId: string; isLabelled: boolean }
  | { name: "delete-for-me" }
  | { name: "read" }
  | { name: "played" }
  | { name: "typing" }
  | { name: "pin"; seconds: number | null }
  | { name: "keep"; isKept: boolean }
  | { name: "vote"; options: string[] }
  | { name: "respond"; response: EventResponse; extraGuests: number };

/**
 * An action with its message. `key` is the message's id at the network. `chat` is the canonical key of the
 * conversation, `sender` that of the author; null for our own messages. `at`: when the message was
 * written, where that is known. `operationId`: the same at each attempt of one operation, and of no other.
 */
export type Operation = Action & {
  key: ProviderMessageId;
  chat: string;
  sender: string | null;
  at?: number;
  operationId?: string;
};

/**
 * The outcome of an operation. An operation can be repeated without harm, so `unknown` (no answer came) is retried like
 * `retry`. An operation that the network does not offer is `refused` as UPSTREAM_UNSUPPORTED.
 */
export type OperationOutcome = { ok: true } | Extract<SendOutcome, { ok: false }>;
