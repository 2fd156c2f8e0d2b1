import { type UpstreamFailure, unavailable } from "../upstream.ts";
import type { HttpNoAnswer } from "./http.ts";

/** The failure for a file whose address gave no answer. Only `unavailable` may be retried. */
export const failureWithoutAnswer = ({ failure, message }: HttpNoAnswer): UpstreamFailure =>
  failure === "blocked" ? fileRefused(message) : unavailable(`the file could not be read (${failure})`);

/** The failure for a file whose address gave this HTTP status. */
export const failureOfStatus = (status: number): UpstreamFailure =>
  status === 429 || status >= 500
    ? unavailable(`the file could not be read (HTTP ${status})`)
    : fileRefused(`the network answered with HTTP ${status} instead of the file`);

export const fileRefused = (message: string): UpstreamFailure => ({
  ok: false,
  kind: "refused",
  error: { code: null, error_subcode: null, message },
});
