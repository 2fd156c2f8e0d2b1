import type { MediaApi } from "../../src/contract/content/media.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import {
  failureOfStatus,
  failureWithoutAnswer,
  fileGone,
  fileRefused,
  fileTooLarge,
} from "../../src/contract/ports/file-failures.ts";
import type { UpstreamFailure } from "../../src/contract/upstream.ts";
import { leave } from "../../src/kernel/network/bodies.ts";
import { recordOf } from "../../src/kernel/texts/json.ts";
import { apiOf, baseOf } from "./api.ts";
import { FAILURE_WITHOUT, readCredentials } from "./credentials.ts";
import { upstreamFailureOf } from "./errors.ts";
import { numberOf, textOf } from "./json.ts";

const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
/**
 * A path at the network's file server; the end of a name may be one that the sender chose. An operator's server in local
 * mode gives a path of its own disk, which cannot be fetched.
 */
const FILE_PATH = /^(?![/\\])(?!(?:.*\/)?\.\.?(?:\/|$))[^\\\p{Cc}]{1,1000}$/u;
/** The texts for files above 20 MB, and for files that are gone. The API has no codes for them. */
const TOO_LARGE = /file is too big/i;
const GONE = /wrong file_id|temporarily unavailable|invalid file_id/i;

/**
 * Files of messages: `getFile` gives a path that is valid for an hour, for files up to 20 MB:
 * https://core.telegram.org/bots/api#getfile.
 */
export const telegramMedia = (host: ChannelHost, url: string): MediaApi => ({
  async open(nativeId) {
    const credentials = await readCredentials(host);
    if (typeof credentials === "string")
      return { ok: false, kind: "credentials", reason: FAILURE_WITHOUT[credentials].reason };
    const { token } = credentials;
    const found = await apiOf(host.http, url, token)({ method: "getFile", fields: { file_id: nativeId } });
    if (!found.ok) return failureOfFile(upstreamFailureOf(found.fault));
    const path = textOf(recordOf(found.result)["file_path"]);
    if (path === undefined || !FILE_PATH.test(path)) return fileRefused("the network names no address of the file");
    const answer = await host.http.trustedStream({
      method: "GET",
      url: `${baseOf(url)}/file/bot${token}/${path.split("/").map(encodeURIComponent).join("/")}`,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    if (!answer.ok) return failureWithoutAnswer(answer);
    const { status, headers, body } = answer;
    if (status !== 200) {
      leave(body);
      return failureOfStatus(status);
    }
    const sizeBytes = numberOf(Number(headers["content-length"] ?? Number.NaN));
    return { ok: true, value: { body, ...(sizeBytes === undefined ? {} : { sizeBytes }) } };
  },
});

const failureOfFile = (failure: UpstreamFailure): UpstreamFailure => {
  if (failure.kind !== "refused") return failure;
  const { message } = failure.error;
  if (TOO_LARGE.test(message)) return fileTooLarge(message);
  return GONE.test(message) ? fileGone(message) : failure;
};
