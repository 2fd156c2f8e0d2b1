/**
 * Why a network refused a call that a client waits for (a template, a profile, a sign-up). Clients see it unchanged,
 * because only they can correct it. The networks' documents define the names.
 */
export type UpstreamError = {
  code: number | null;
  error_subcode: number | null;
  message: string;
  error_user_title?: string;
  error_user_msg?: string;
};

/** Why a file can never be had: the network does not hand out files of its size, or does not have it any more. */
export type FileFault = "too-large" | "gone";

/**
 * The failure of such a call.
 * - `refused`: the network refused the request. `fileFault`: the known reason, if the request was for a file.
 * - `token`: the network does not accept the channel's token. `credentials`: the channel has none, or they are
 *   unreadable.
 * - `unavailable`: the network was unreachable, or gave no clear answer. `mayHaveHappened` is false only when the call
 *   certainly had no effect. `isOwnLimit`: the adapter did not ask, because the network punishes whoever exceeds this
 *   limit; clients see `reason`.
 */
export type UpstreamFailure =
  | { ok: false; kind: "refused"; error: UpstreamError; fileFault?: FileFault }
  | { ok: false; kind: "token" | "credentials"; reason: string }
  | {
      ok: false;
      kind: "unavailable";
      reason: string;
      mayHaveHappened: boolean;
      retryAfterMs?: number;
      isOwnLimit?: true;
    };

export type UpstreamResult<T> = { ok: true; value: T } | UpstreamFailure;

/** The call certainly had no effect and may be retried. */
export const unavailable = (reason: string): Extract<UpstreamFailure, { kind: "unavailable" }> => ({
  ok: false,
  kind: "unavailable",
  reason,
  mayHaveHappened: false,
});
