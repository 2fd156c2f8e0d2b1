import type { MediaApi, UpstreamFile } from "../../../src/contract/content/media.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import {
  failureOfStatus,
  failureWithoutAnswer,
  fileGone,
  fileRefused,
} from "../../../src/contract/ports/file-failures.ts";
import type { UpstreamResult } from "../../../src/contract/upstream.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { leave } from "../../../src/kernel/network/bodies.ts";
import type { Json } from "../../../src/kernel/texts/json.ts";
import type { Graph } from "../../meta/graph.ts";
import { numberOf, textOf } from "../../meta/json.ts";
import { withCredentials } from "../credentials.ts";
import { upstreamResult } from "../errors.ts";
import { wabaUploads } from "./uploads.ts";

const DOWNLOAD_TIMEOUT_MS = MINUTE_MS;

/** The metadata of a file, with the URL of its bytes, which is valid for five minutes. */
type FileInfo = { url: string; metadata: Omit<UpstreamFile, "body"> };

/** Files of the number. Files of messages stay at the network for 7 days, uploaded files for 30. */
export const wabaMedia = (host: ChannelHost, graph: Graph, graphUrl: string): MediaApi => {
  const openOnce = async (mediaId: string, token: string): Promise<UpstreamResult<UpstreamFile> | "stale"> => {
    const info = upstreamResult(await graph({ method: "GET", path: [mediaId], token }), fileInfoOf);
    return info.ok ? transfer(host, { ...info.value, token, graphUrl }) : info;
  };
  return {
    open: (mediaId) =>
      withCredentials(host, async ({ accessToken }) => {
        const first = await openOnce(mediaId, accessToken);
        const last = first === "stale" ? await openOnce(mediaId, accessToken) : first; // with a fresh address
        return last === "stale" ? fileGone("the network gives an address of the file, and nothing is there") : last;
      }),
    uploads: wabaUploads(host, graph),
  };
};

const fileInfoOf = (json: Json): FileInfo | undefined => {
  const url = textOf(json["url"]);
  const [contentType, sizeBytes, sha256] = [
    textOf(json["mime_type"]),
    numberOf(json["file_size"]),
    textOf(json["sha256"]),
  ];
  if (url === undefined) return undefined;
  return {
    url,
    metadata: {
      ...(contentType ? { contentType } : {}),
      ...(sizeBytes === undefined ? {} : { sizeBytes }),
      ...(sha256 ? { sha256 } : {}),
    },
  };
};

/**
 * Begins to read the bytes; `stale` when the URL is no longer valid. The token goes only to the Graph API's own host or
 * over TLS.
 */
const transfer = async (
  host: ChannelHost,
  { url, metadata, token, graphUrl }: FileInfo & { token: string; graphUrl: string },
): Promise<UpstreamResult<UpstreamFile> | "stale"> => {
  const address = URL.parse(url);
  const isGraph = address?.origin === new URL(graphUrl).origin;
  if (!isGraph && address?.protocol !== "https:")
    return fileRefused("the network gave an address of the file to which no token may be sent");
  const open = isGraph ? host.http.trustedStream : host.http.guardedStream;
  const answer = await open({
    method: "GET",
    url,
    headers: { authorization: `Bearer ${token}`, "user-agent": "Recado" },
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
  });
  if (!answer.ok) return failureWithoutAnswer(answer);
  if (answer.status === 200) return { ok: true, value: { ...metadata, body: answer.body } };
  leave(answer.body);
  return answer.status === 401 || answer.status === 404 ? "stale" : failureOfStatus(answer.status);
};
