import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { DEFAULT_ORIGIN, getMediaKeys, proto } from "@whiskeysockets/baileys";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { leave } from "../../../src/kernel/network/bodies.ts";
import type { MediaPlace } from "../inbound/inbox.ts";
import { decrypted, type Keys, urlAt } from "../inbound/media.ts";

/**
 * The maximum size of a phone's piece, packed and unpacked; larger pieces are refused, because they are all in memory.
 */
const MAX_PACKED_BYTES = 64 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 10 * MINUTE_MS;

/** `gone`: it will never be available. */
export type Blob =
  | { is: "here"; history: proto.IHistorySync; bytes: Uint8Array }
  | { is: "gone" | "later"; reason: string };

const unpack = promisify(inflate);

/** A piece of history that a phone has announced. Never throws. */
export const blobOf = async (place: MediaPlace, announced: proto.Message.IHistorySyncNotification): Promise<Blob> => {
  const inline = announced.initialHistBootstrapInlinePayload;
  const packed = inline?.length
    ? { is: "here" as const, bytes: inline }
    : await downloaded(place, announced, "md-msg-hist");
  if (packed.is !== "here") return packed;
  try {
    const bytes = await unpack(packed.bytes, { maxOutputLength: MAX_BYTES });
    return { is: "here", history: proto.HistorySync.decode(bytes), bytes };
  } catch {
    return { is: "gone", reason: "it cannot be read, or is too large" };
  }
};

type Packed = { is: "here"; bytes: Uint8Array } | Extract<Blob, { reason: string }>;

/** Where a file of the network lies, and its key. */
type FileAt = { directPath?: string | null; mediaKey?: Uint8Array | null };

/** A file that the phone or the network has put at the media host. */
export const downloaded = async (
  { host, stream }: MediaPlace,
  { directPath, mediaKey }: FileAt,
  kind: "md-msg-hist" | "md-app-state",
): Promise<Packed> => {
  const url = directPath && mediaKey?.length ? urlAt(await host(), directPath) : undefined;
  if (url === undefined || !mediaKey) return { is: "gone", reason: "its place is not named" };
  const headers = { origin: DEFAULT_ORIGIN };
  const answer = await stream({ method: "GET", url, headers, timeoutMs: DOWNLOAD_TIMEOUT_MS });
  if (!answer.ok) return { is: "later", reason: answer.failure };
  if (answer.status !== 200) {
    leave(answer.body);
    return { is: answer.status >= 500 ? "later" : "gone", reason: `the network answered ${answer.status}` };
  }
  const keys = (await getMediaKeys(mediaKey, kind)) as Keys; // always all three
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of decrypted(answer.body, keys)) {
      size += chunk.length;
      if (size > MAX_PACKED_BYTES) return { is: "gone", reason: "it is too large" };
      chunks.push(chunk);
    }
  } catch {
    return { is: "later", reason: "its bytes broke off, or are not those that were encrypted" };
  }
  return { is: "here", bytes: Buffer.concat(chunks) };
};
