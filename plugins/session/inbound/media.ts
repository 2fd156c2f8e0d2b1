import { createDecipheriv, createHmac, timingSafeEqual } from "node:crypto";
import { DEFAULT_ORIGIN, getMediaKeys, type WASocket } from "@whiskeysockets/baileys";
import type { MediaApi, UpstreamFile } from "../../../src/contract/content/media.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import {
  failureOfStatus,
  failureWithoutAnswer,
  fileGone,
  fileRefused,
} from "../../../src/contract/ports/file-failures.ts";
import type { HttpOpen } from "../../../src/contract/ports/http.ts";
import { type UpstreamResult, unavailable } from "../../../src/contract/upstream.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { leave } from "../../../src/kernel/network/bodies.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { type CachedMessage, cachedMessage } from "../message-cache.ts";
import { type FilePart, type FileType, fileOf, hashOf, mimeTypeOf, sizeOf } from "./content/files.ts";
import { createRenewal } from "./renewal.ts";

const DOWNLOAD_TIMEOUT_MS = 10 * MINUTE_MS;
const MAC_BYTES = 10;

type Media = { type: FileType; file: FilePart };
type Deps = { activeSocket(): ActiveSocket | undefined; host(): Promise<string>; stream: HttpOpen };
type SessionMedia = MediaApi & { close(): void };
type Opened = UpstreamResult<UpstreamFile> | "gone";

/**
 * Files of received messages, by the id of the message. The path and the key of a file come from the cached copy of the
 * message. The host that a sender names is ignored.
 */
export const sessionMedia = (host: ChannelHost, { activeSocket, host: mediaHost, stream }: Deps): SessionMedia => {
  const renewal = createRenewal(host);

  const openAt = async (path: string, media: Media): Promise<Opened> => {
    const url = urlAt(await mediaHost(), path);
    if (url === undefined) return fileRefused("the message names no place of its file");
    const answer = await stream({
      method: "GET",
      url,
      headers: { origin: DEFAULT_ORIGIN },
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    if (!answer.ok) return failureWithoutAnswer(answer);
    const { status, body } = answer;
    if (status === 200)
      return { ok: true, value: { ...metadataOf(media.file), body: decrypted(body, await keysOf(media)) } };
    leave(body);
    return GONE.has(status) ? "gone" : failureOfStatus(status);
  };

  const openRenewed = async (
    sock: WASocket,
    copy: CachedMessage,
    media: Media,
  ): Promise<UpstreamResult<UpstreamFile>> => {
    const renewed = await renewal.ask(sock, copy.key, media.file.mediaKey);
    if (renewed === "unanswered")
      return unavailable("the file is no longer at the network, and the phone did not answer");
    const opened = renewed === "gone" ? "gone" : await openAt(renewed.path, media);
    return opened === "gone" ? fileGone("the file is no longer at the network, nor at the phone") : opened;
  };

  const openOf = async (
    { keyStore, sock }: ActiveSocket,
    id: ProviderMessageId,
  ): Promise<UpstreamResult<UpstreamFile>> => {
    const copy = await cachedMessage(keyStore, id);
    const media = copy && fileOf(copy.message);
    if (!media) return fileGone("the message, or its file, is no longer known");
    const opened = await openAt(media.file.directPath, media);
    return opened === "gone" ? openRenewed(sock, copy, media) : opened;
  };

  return {
    async open(nativeId) {
      const current = activeSocket();
      if (!current) return unavailable("the channel has no keys to read the file with");
      try {
        return await openOf(current, nativeId as ProviderMessageId);
      } catch {
        return unavailable("the key of the file could not be read");
      }
    },
    close: renewal.close,
  };
};

/** The answers of the network for a file that it no longer has, but the phone may still have. */
export const GONE: ReadonlySet<number> = new Set([403, 404, 410]);

/** The address of a path; undefined if it would be read as another path, or as more than a path. */
export const urlAt = (mediaHost: string, path: string): string | undefined => {
  const url = URL.parse(`https://${mediaHost}${path}`);
  return path.startsWith("/") && url && `${url.pathname}${url.search}` === path ? url.href : undefined;
};

const metadataOf = (file: FilePart): Omit<UpstreamFile, "body"> => {
  const [sizeBytes, sha256] = [sizeOf(file), hashOf(file)];
  return {
    contentType: mimeTypeOf(file),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
  };
};

export type Keys = Required<Awaited<ReturnType<typeof getMediaKeys>>>;

// always all three
const keysOf = async ({ type, file }: Media): Promise<Keys> => (await getMediaKeys(file.mediaKey, type)) as Keys;

/** The bytes of a file as they come. Throws at the end if they differ from the bytes that its sender encrypted. */
export async function* decrypted(
  body: AsyncIterable<Uint8Array>,
  { cipherKey, iv, macKey }: Keys,
): AsyncGenerator<Uint8Array> {
  const cipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
  const mac = createHmac("sha256", macKey).update(iv);
  let held = Buffer.alloc(0); // the last bytes may be the MAC
  for await (const chunk of body) {
    const bytes = Buffer.concat([held, chunk]);
    const end = Math.max(0, bytes.length - MAC_BYTES);
    held = bytes.subarray(end);
    mac.update(bytes.subarray(0, end));
    yield cipher.update(bytes.subarray(0, end));
  }
  const isWhole = held.length === MAC_BYTES && timingSafeEqual(mac.digest().subarray(0, MAC_BYTES), held);
  if (!isWhole) throw new Error("the bytes of the file are not those that were encrypted");
  yield cipher.final();
}
