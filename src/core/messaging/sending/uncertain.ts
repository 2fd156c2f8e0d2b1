import { MINUTE_MS } from "../../../kernel/clock.ts";
import type { MessageRow } from "../../../store/tables/messaging/messages.ts";
import type { Failure } from "./status.ts";

/** How long a receipt may take to settle a send without an answer. */
export const UNCERTAIN_WAIT_MS = MINUTE_MS;

/** True if an attempt has started and its result is still unknown. */
export const mayHaveLeft = ({ sendState, uncertainAttempts }: MessageRow): boolean =>
  sendState !== "NONE" || uncertainAttempts > 0;

/** The failure tells the client where to ask: the operator of the server, if the adapter is to blame. */
export const uncertainFailure = ({ failedTries }: MessageRow): Failure =>
  failedTries?.at(-1)?.code === "ADAPTER_FAULT"
    ? {
        code: "ADAPTER_FAULT",
        reason: "the server's adapter for this network failed while the message was being sent: it may have arrived",
      }
    : {
        code: "OUTCOME_UNKNOWN",
        reason: "no answer came while the message was being sent: it may have arrived",
      };
