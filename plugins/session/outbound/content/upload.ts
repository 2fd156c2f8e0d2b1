import { stat } from "node:fs/promises";
import { DEFAULT_ORIGIN, type WAMediaUploadFunction } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { HttpOpen, HttpOpenAnswer } from "../../../../src/contract/ports/http.ts";
import { reasonOf } from "../../../../src/kernel/errors.ts";
import { piecesOfFile } from "../../../../src/kernel/local-files.ts";
import { leave } from "../../../../src/kernel/network/bodies.ts";
import { parsedJson } from "../../../../src/kernel/texts/json.ts";
import { withoutTrailing } from "../../../../src/kernel/texts/texts.ts";
import type { ActiveSocket } from "../../active-socket.ts";
import { later, Unsendable } from "../outcomes.ts";
import type { MediaHosts } from "./media-hosts.ts";

const MAX_HOSTS = 3;
const MAX_ANSWER_BYTES = 64 * 1024;
const LONGEST_HANDLE = 1024;
/** TABLE: the upload path for the files of each type. */
const PATHS: Readonly<Record<string, string>> = {
  image: "/mms/image",
  sticker: "/mms/image",
  video: "/mms/video",
  audio: "/mms/audio",
  document: "/mms/document",
};

/**
 * The place of files that everybody may read: they are not encrypted, and their handle goes with the message. Voice notes
 * are sound here.
 */
const PUBLIC_PATHS: Readonly<Record<string, string>> = {
  image: "/newsletter/newsletter-image",
  sticker: "/newsletter/newsletter-image",
  video: "/newsletter/newsletter-video",
  audio: "/newsletter/newsletter-audio",
  document: "/newsletter/newsletter-document",
};

/** Called with the handle of a file that everybody may read. */
type OnHandle = (handle: string) => void;

export type UploadPorts = Pick<ChannelHost, "http" | "log"> & Pick<MediaHosts, "permitOf" | "stream">;

/**
 * Uploads a file, streamed, to the first of the network's hosts that accepts it; if all refuse, once more with a fresh
 * permit. Throws `Unsendable` if all refuse again: nothing of a message has left then. With `onHandle` the file is one
 * that everybody may read; else it is encrypted.
 */
export const uploadThrough =
  ({ stream, log, permitOf }: UploadPorts, activeSocket: ActiveSocket, onHandle?: OnHandle): WAMediaUploadFunction =>
  async (path, { mediaType, fileEncSha256B64 }) => {
    const paths = onHandle ? PUBLIC_PATHS : PATHS;
    const token = encodeURIComponent(withoutTrailing(fileEncSha256B64.replaceAll("+", "-").replaceAll("/", "_"), "="));
    for (const isFresh of [false, true]) {
      const { hosts, auth } = await permitOf(activeSocket, { isFresh }).catch((thrown: unknown) => {
        throw new Unsendable(later(`the file could not be brought to the network: ${reasonOf(thrown)}`));
      });
      for (const host of hosts.slice(0, MAX_HOSTS)) {
        const url = `https://${host}${paths[mediaType] ?? ""}/${token}?auth=${encodeURIComponent(auth)}&token=${token}`;
        const uploaded = await post(stream, url, path);
        if (typeof uploaded !== "string") return handedOver(uploaded, onHandle);
        log.warn({ host, reason: uploaded }, "a media host did not take a file");
      }
    }
    throw new Unsendable(later("none of the network's media hosts took the file"));
  };

const handedOver = (file: UploadedFile, onHandle: OnHandle | undefined): UploadedFile => {
  if (file.handle !== undefined) onHandle?.(file.handle);
  return file;
};

type UploadedFile = Awaited<ReturnType<WAMediaUploadFunction>> & { handle?: string };

/** The place of the uploaded file, or why the upload failed. */
const post = async (stream: HttpOpen, url: string, path: string): Promise<UploadedFile | string> => {
  const { size: sizeBytes } = await stat(path);
  const answer = await stream({
    url,
    method: "POST",
    headers: { "Content-Type": "application/octet-stream", Origin: DEFAULT_ORIGIN },
    body: { stream: piecesOfFile(path), sizeBytes },
  });
  if (!answer.ok) return answer.failure;
  if (answer.status !== 200) {
    leave(answer.body);
    return `status ${answer.status}`;
  }
  return (await placeIn(answer)) ?? "an answer that cannot be read";
};

const placeIn = async ({ body }: HttpOpenAnswer): Promise<UploadedFile | undefined> => {
  try {
    const said: unknown = parsedJson(await textOf(body));
    if (typeof said !== "object" || said === null || !("url" in said) || !("direct_path" in said)) return undefined;
    const { handle } = said as { handle?: unknown };
    return typeof said.url === "string" && typeof said.direct_path === "string"
      ? {
          mediaUrl: said.url,
          directPath: said.direct_path,
          ...(typeof handle === "string" && handle.length <= LONGEST_HANDLE ? { handle } : {}),
        }
      : undefined;
  } catch {
    return undefined;
  }
};

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = Buffer.alloc(0);
  for await (const chunk of body) {
    text = Buffer.concat([text, chunk]);
    if (text.length > MAX_ANSWER_BYTES) break;
  }
  return text.toString();
};
