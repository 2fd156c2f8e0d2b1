import type { SendOrder } from "../../../src/contract/plugin.ts";
import type { HttpNoAnswer } from "../../../src/contract/ports/http.ts";

const noAnswer = async (): Promise<HttpNoAnswer> => ({
  ok: false,
  failure: "blocked",
  message: "no network",
  mayHaveArrived: false,
  durationMs: 0,
});

/** The host of a guarded adapter, without a network. */
export const NO_HTTP = {
  guarded: noAnswer,
  trusted: noAnswer,
  guardedStream: noAnswer,
  trustedStream: noAnswer,
};

/** The message that a guarded adapter is asked to send. */
export const ORDER: SendOrder = {
  type: "text",
  content: { text: "oi" },
  messageId: "0198a000-1111-4222-8333-444455556666",
  to: "uid:ana",
};
