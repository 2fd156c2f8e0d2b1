import type { MediaApi } from "../../../src/contract/content/media.ts";
import { failureOfStatus, failureWithoutAnswer, fileRefused } from "../../../src/contract/ports/file-failures.ts";
import type { HttpOpenAnswer, HttpOpened } from "../../../src/contract/ports/http.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { leave } from "../../../src/kernel/network/bodies.ts";
import type { Account } from "../provider.ts";
import { numberOf } from "../values.ts";
import { basicOf } from "./calls.ts";

const DOWNLOAD_TIMEOUT_MS = 5 * MINUTE_MS;
/** The API leads to a store of files, which may lead on once more. */
const MAX_REDIRECTS = 3;

/**
 * A file of a message. The API wants the account's password (https://www.twilio.com/docs/messaging/api/media-resource),
 * and answers with the signed address of the file at a store. Nobody but the API gets the password.
 */
export const open = async (account: Account, nativeId: string): ReturnType<MediaApi["open"]> => {
  let url = nativeId;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await fetchFrom(account, url);
    if (!answer.ok) return failureWithoutAnswer(answer);
    const { status, headers, body } = answer;
    if (status === 200) return { ok: true, value: fileIn(answer) };
    leave(body);
    const target = headers["location"];
    const next = status >= 300 && status < 400 && target !== undefined ? URL.parse(target, url) : null;
    if (!next) return status === 401 && isOfApi(account, url) ? TOKEN_REFUSED : failureOfStatus(status);
    url = next.href;
  }
  return fileRefused("the provider leads from address to address");
};

const TOKEN_REFUSED = { ok: false, kind: "token", reason: "the provider does not accept the token" } as const;

const isOfApi = ({ base }: Account, url: string): boolean => URL.parse(url)?.origin === URL.parse(base)?.origin;

const fetchFrom = (account: Account, url: string): Promise<HttpOpened> => {
  const { http } = account.host;
  const request = { method: "GET", url, timeoutMs: DOWNLOAD_TIMEOUT_MS } as const;
  return isOfApi(account, url)
    ? http.trustedStream({ ...request, headers: { authorization: basicOf(account.credentials) } })
    : http.guardedStream({ ...request, headers: { "user-agent": "Recado" } });
};

const fileIn = ({ headers, body }: HttpOpenAnswer) => {
  const [contentType, sizeBytes] = [headers["content-type"], numberOf(headers["content-length"])];
  return {
    body,
    ...(contentType === undefined ? {} : { contentType }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
  };
};
