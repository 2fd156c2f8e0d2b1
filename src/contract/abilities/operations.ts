import type { ProviderMessageId } from "../events.ts";
import type { SendOutcome } from "../outcome.ts";

/** An operation on an existing message. An empty `emoji` removes the reaction. */
export type Action =
  | { name: "react"; emoji: string }
  | { name: "edit"; text: string }
  | { name: "delete" }
  | { name: "read" }
  | { name: "typing" };

/**
 * An action with its message. `key` is the message's id at the network. `chat` is the canonical key of the
 * conversation, `sender` that of the author; null for our own messages.
 */
export type Operation = Action & { key: ProviderMessageId; chat: string; sender: string | null };

/**
 * The outcome of an operation. An operation can be repeated without harm, so `unknown` (no answer came) is retried like
 * `retry`. An operation that the network does not offer is `refused` as UPSTREAM_UNSUPPORTED.
 */
export type OperationOutcome = { ok: true } | Extract<SendOutcome, { ok: false }>;
