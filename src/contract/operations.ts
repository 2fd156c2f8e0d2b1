import type { ProviderMessageId } from "./events.ts";
import type { SendOutcome } from "./outcome.ts";

/** What may be asked of a message that is there already; an empty `emoji` takes the reaction back. */
export type Action =
  | { name: "react"; emoji: string }
  | { name: "edit"; text: string }
  | { name: "delete" }
  | { name: "read" }
  | { name: "typing" };

/**
 * An action with its message: `key` is the message's own, `chat` the canonical key of whom it was exchanged with,
 * `sender` that of who wrote it, null where we did.
 */
export type Operation = Action & { key: ProviderMessageId; chat: string; sender: string | null };

/**
 * What became of an operation, in the words of a send. All of them may be repeated without harm, so `unknown` (no
 * answer came) is tried again like `retry`. What the network offers no call for is `refused` as UPSTREAM_UNSUPPORTED.
 */
export type OperationOutcome = { ok: true } | Extract<SendOutcome, { ok: false }>;
