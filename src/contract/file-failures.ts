import type { HttpNoAnswer } from "./http.ts";
import { type UpstreamFailure, unavailable } from "./upstream.ts";

/**
 * Why a file could not be read from the address that its network gave. Only after `unavailable` may it go better later.
 */
export const failureWithoutAnswer = ({ failure, message }: HttpNoAnswer): UpstreamFailure =>
  failure === "blocked" ? fileRefused(message) : unavailable(`the file could not be read (${failure})`);

/** The same where something else than the file was there. */
export const failureOfStatus = (status: number): UpstreamFailure =>
  status === 429 || status >= 500
    ? unavailable(`the file could not be read (HTTP ${status})`)
    : fileRefused(`the network answered with HTTP ${status} instead of the file`);

export const fileRefused = (message: string): UpstreamFailure => ({
  ok: false,
  kind: "refused",
  error: { code: null, error_subcode: null, message },
});
