import type { MediaApi } from "../../src/contract/content/media.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { failureOfStatus, failureWithoutAnswer } from "../../src/contract/ports/file-failures.ts";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { leave } from "../../src/kernel/network/bodies.ts";
import { numberOf } from "../meta/json.ts";

const DOWNLOAD_TIMEOUT_MS = MINUTE_MS;

/** Files of messages. The id of a file is its signed URL, which needs no token and ends after a while. */
export const messengerMedia = ({ http }: Pick<ChannelHost, "http">): MediaApi => ({
  async open(url) {
    const answer = await http.guardedStream({
      method: "GET",
      url,
      headers: { "user-agent": "Recado" },
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    if (!answer.ok) return failureWithoutAnswer(answer);
    const { status, headers, body } = answer;
    if (status !== 200) {
      leave(body);
      return failureOfStatus(status);
    }
    const [contentType, sizeBytes] = [headers["content-type"], numberOf(headers["content-length"])];
    return {
      ok: true,
      value: {
        body,
        ...(contentType === undefined ? {} : { contentType }),
        ...(sizeBytes === undefined ? {} : { sizeBytes }),
      },
    };
  },
});
