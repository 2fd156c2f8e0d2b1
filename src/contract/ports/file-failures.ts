import { type FileFault, type UpstreamFailure, unavailable } from "../upstream.ts";
import type { HttpNoAnswer } from "./http.ts";

/** The failure for a file whose address gave no answer. Only `unavailable` may be retried. */
export const failureWithoutAnswer = ({ failure, message }: HttpNoAnswer): UpstreamFailure =>
  failure === "blocked" ? fileRefused(message) : unavailable(`the file could not be read (${failure})`);

/** The failure for a file whose address gave this HTTP status. */
export const failureOfStatus = (status: number): UpstreamFailure => {
  if (status === 429 || status >= 500) return unavailable(`the file could not be read (HTTP ${status})`);
  const message = `the network answered with HTTP ${status} instead of the file`;
  return status === 404 || status === 410 ? fileGone(message) : fileRefused(message);
};

export const fileRefused = (message: string): UpstreamFailure => ({
  ok: false,
  kind: "refused",
  error: { code: null, error_subcode: null, message },
});

/** The network does not have the file any more. */
export const fileGone = (message: string): UpstreamFailure => refusedAs("gone", message);
/** The network does not hand out files of this size. */
export const fileTooLarge = (message: string): UpstreamFailure => refusedAs("too-large", message);

const refusedAs = (fileFault: FileFault, message: string): UpstreamFailure => ({
  ok: false,
  kind: "refused",
  error: { code: null, error_subcode: null, message },
  fileFault,
});
