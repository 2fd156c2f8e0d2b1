/**
 * Why a network refused a call that its owner asked for (a template, a profile, a sign-up). Customers see it as it is,
 * for nobody else can say what to mend; the names are those that the documents give.
 */
export type UpstreamError = {
  code: number | null;
  error_subcode: number | null;
  message: string;
  error_user_title?: string;
  error_user_msg?: string;
};

/**
 * What became of such a call.
 * - `refused`: the network said no to what was asked.
 * - `token`: it does not accept the channel's token. `credentials`: the channel has none, or they cannot be read.
 * - `unavailable`: it could not be asked, or did not answer clearly. `mayHaveHappened` is false only when it certainly
 *   did not do it.
 */
export type UpstreamFailure =
  | { ok: false; kind: "refused"; error: UpstreamError }
  | { ok: false; kind: "token" | "credentials"; reason: string }
  | { ok: false; kind: "unavailable"; reason: string; mayHaveHappened: boolean; retryAfterMs?: number };

export type UpstreamResult<T> = { ok: true; value: T } | UpstreamFailure;

/** It certainly did not happen, and may go better later. */
export const unavailable = (reason: string): Extract<UpstreamFailure, { kind: "unavailable" }> => ({
  ok: false,
  kind: "unavailable",
  reason,
  mayHaveHappened: false,
});
