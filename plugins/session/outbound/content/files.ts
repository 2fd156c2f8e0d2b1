import { Readable } from "node:stream";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { Http, HttpOpenAnswer } from "../../../../src/contract/ports/http.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { reasonOf } from "../../../../src/kernel/errors.ts";
import { leave } from "../../../../src/kernel/network/bodies.ts";
import { filenameIn } from "../../../../src/kernel/texts/disposition.ts";
import { cleanFilename } from "../../../../src/kernel/texts/file-names.ts";
import { later, refused, Unsendable } from "../outcomes.ts";

/**
 * The number of first bytes of a picture in which its size is searched. In photos the camera's metadata comes before
 * it.
 */
const HEAD_BYTES = 128 * 1024;
/** Eight hosts that send a byte now and then would hold up the whole channel for this time. */
const FETCH_TIMEOUT_MS = 2 * MINUTE_MS;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Answers after which a later attempt may succeed, beside the server's own faults. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * A file that a customer named, with its first bytes, and with the type and the name that came with it. `stream` gives
 * all of it, once.
 */
export type RemoteFile = {
  head: Uint8Array;
  contentType: string | undefined;
  name: string | undefined;
  stream(): Readable;
  drop(): void;
};

/**
 * Begins to fetch a file. Throws `Unsendable`: for good if its host may not be reached, refuses, or the file is empty
 * or too large; for now without a clear answer. The stream throws the same.
 */
export const openFile = async (
  http: Pick<Http, "guardedStream">,
  url: string,
  maxBytes: number,
): Promise<RemoteFile> => {
  const { headers, body } = await answerOf(http, url);
  if (Number(headers["content-length"]) > maxBytes) {
    leave(body);
    throw tooLarge(maxBytes);
  }
  const name = cleanFilename(filenameIn(headers["content-disposition"] ?? "") ?? "") ?? nameIn(url);
  return remoteFile(capped(body, maxBytes), { contentType: headers["content-type"], name });
};

const remoteFile = async (
  reading: AsyncGenerator<Uint8Array, undefined>,
  said: Pick<RemoteFile, "contentType" | "name">,
): Promise<RemoteFile> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reading.next(); ; next = await reading.next()) {
    if (next.done) break;
    chunks.push(next.value);
    size += next.value.length;
    if (size >= HEAD_BYTES) break;
  }
  if (size === 0) throw new Unsendable(refused("the file is empty"));
  return {
    head: Buffer.concat(chunks).subarray(0, HEAD_BYTES),
    ...said,
    stream: () => Readable.from(joined(chunks, reading), { objectMode: false }),
    drop: () => leave(reading),
  };
};

/**
 * Opens a file that the account keeps at Recado. Throws `Unsendable` for a file that is gone or too large; the stream
 * throws the same, and for now if it breaks.
 */
export const openKeptFile = async (
  openFile: ChannelHost["openFile"],
  handle: string,
  maxBytes: number,
): Promise<RemoteFile> => {
  const kept = await openFile?.(handle);
  if (!kept) throw new Unsendable(refused("the file of mediaHandle is not kept any more"));
  if (kept.sizeBytes > maxBytes) throw tooLarge(maxBytes);
  return remoteFile(capped(kept.body, maxBytes), { contentType: kept.contentType, name: kept.name });
};

const tooLarge = (maxBytes: number) => new Unsendable(refused(`the file has more than ${maxBytes} bytes`));

async function* joined(chunks: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
  yield* rest;
}

async function* capped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array, undefined> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (thrown) {
    throw thrown instanceof Unsendable ? thrown : new Unsendable(later(`the file broke off: ${reasonOf(thrown)}`));
  }
  return undefined;
}

/** The answer that holds the file; every redirect is checked like the first address. */
const answerOf = async (http: Pick<Http, "guardedStream">, url: string, redirects = 0): Promise<HttpOpenAnswer> => {
  const answer = await http.guardedStream({ url, method: "GET", timeoutMs: FETCH_TIMEOUT_MS });
  if (!answer.ok) {
    const reason = `mediaUrl could not be fetched: ${answer.message}`;
    throw new Unsendable(answer.failure === "blocked" ? refused(reason) : later(reason));
  }
  if (answer.status >= 200 && answer.status < 300) return answer;
  leave(answer.body);
  const next =
    REDIRECTS.has(answer.status) && redirects < MAX_REDIRECTS ? URL.parse(answer.headers["location"] ?? "", url) : null;
  if (next) return answerOf(http, next.href, redirects + 1);
  const reason = `mediaUrl answered with status ${answer.status}`;
  throw new Unsendable(answer.status >= 500 || PASSING.has(answer.status) ? later(reason) : refused(reason));
};

/** The last part of the path, by the rule for given names. */
const nameIn = (url: string): string | undefined => {
  const last = URL.parse(url)?.pathname.split("/").at(-1);
  return last ? cleanFilename(decoded(last)) : undefined;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
