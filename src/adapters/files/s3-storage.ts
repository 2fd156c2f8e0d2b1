import { S3Client, type S3File } from "bun";
import type { FileStore } from "../../contract/ports/files.ts";
import { createWatchdog, withTimeout } from "../../kernel/async.ts";
import { streamOf } from "../../kernel/network/bodies.ts";
import type { MediaConfig } from "../../kernel/settings/config.ts";
import { attachmentOf } from "../../kernel/texts/disposition.ts";
import { checkedKey } from "./file-keys.ts";
import { measured, ofLength } from "./measured.ts";
import { presigned } from "./s3-signing.ts";
import { abortUploads } from "./s3-uploads.ts";

/**
 * The location of objects. @default endpoint: Amazon's of the region; region: us-east-1. `prefix` precedes every key.
 */
export type S3Location = Omit<Extract<MediaConfig, { kind: "s3" }>, "kind">;

/** Time limits of calls in ms, and the number of names in a page. Tests shorten them. */
export type S3Limits = { answerMs: number; stallMs: number; checkTtlMs: number; pageNames: number };

// one part of 5 MB in flight and one being filled: the memory of an upload of any size
const PART = { partSize: 5 * 1024 * 1024, queueSize: 1, retry: 2 };
const LIMITS: S3Limits = { answerMs: 30_000, stallMs: 120_000, checkTtlMs: 10_000, pageNames: 1000 };

/** The meaning of the service's error codes, for the operator. No text holds a secret. */
const MEANINGS: Readonly<Record<string, string>> = {
  NoSuchBucket: "there is no such bucket",
  NoSuchKey: "the file has gone",
  AccessDenied: "the access key may not do this",
  InvalidAccessKeyId: "the access key is unknown",
  SignatureDoesNotMatch: "the secret access key is not that of the access key",
  ConnectionRefused: "nothing answers at the endpoint",
  ConnectionClosed: "the connection broke off",
  Timeout: "no answer in time",
  UnknownError: "refused without a reason, as for a wrong key",
  InternalError: "the service failed",
  ServiceUnavailable: "the service is not available",
  SlowDown: "the service asks for fewer requests",
  QuotaExceeded: "the bucket is full",
  EntityTooLarge: "the file is too large for the service",
  RequestTimeTooSkewed: "the clock of this machine differs from the service's: synchronise it by NTP",
};
/** A message of the service itself is markup, and may repeat what was sent. */
const isMarkup = (text: string): boolean => text.includes("<");

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === "S3Error" && "code" in error ? String(error.code) : undefined;

/** An error of the service, with its meaning for the operator; any other error unchanged. */
const explained = (bucket: string, error: unknown): unknown => {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const meaning = MEANINGS[code] ?? (isMarkup(error.message) ? "the service refused it" : error.message.slice(0, 200));
  return new Error(`bucket ${bucket}: ${meaning}${isMarkup(code) ? "" : ` (${code.slice(0, 64)})`}`);
};

const unlessMissing = (error: unknown): undefined => {
  if (codeOf(error) !== "NoSuchKey") throw error;
};

/**
 * All options are set, because Bun takes missing ones from AWS_… variables. AWS_SESSION_TOKEN cannot be
 * overridden: a process that has it starts again without it (`commands/session-token.ts`).
 */
const namedIn = ({ bucket, endpoint, region = "us-east-1", accessKeyId, secretAccessKey }: S3Location) => ({
  bucket,
  region,
  endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
  accessKeyId,
  secretAccessKey,
});

/**
 * Caches the outcome of `work` for `ttlMs`: anybody may request readiness, and every request to the service costs
 * money.
 */
const cachedFor = (ttlMs: number, work: () => Promise<void>): (() => Promise<void>) => {
  let last: { atMs: number; outcome: Promise<void> } | undefined;
  return () => {
    if (!last || performance.now() - last.atMs > ttlMs) last = { atMs: performance.now(), outcome: work() };
    return last.outcome;
  };
};

/**
 * Passes a body through. `stalled` rejects when a chunk, or the end, is not read in time. The source is closed then,
 * and a later read of the body throws the same error.
 */
const watched = (body: AsyncIterable<Uint8Array>, stallMs: number, message: string) => {
  const source = body[Symbol.asyncIterator]();
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  let fault: Error | undefined;
  const close = async () => ({ done: true as const, value: await source.return?.() });
  const taking = createWatchdog(stallMs, () => {
    fault = new Error(message);
    reject(fault);
    void close();
  });
  const next = async () => {
    taking.stop();
    if (fault) throw fault;
    const step = await source.next();
    taking.restart();
    return step;
  };
  return { stream: { [Symbol.asyncIterator]: () => ({ next, return: close }) }, stalled, rest: taking.stop };
};

type Listing = { folder: string; start: string; atOnce: number };

/** The names in a folder that begin with `start`, without those in its subfolders; page by page. */
const namesIn = async (
  s3: S3Client,
  { folder, start, atOnce }: Listing,
  inTime: <Answer>(answer: Promise<Answer>) => Promise<Answer>,
): Promise<string[]> => {
  const keys: string[] = [];
  for (let isMore = true; isMore; ) {
    const after = keys.at(-1);
    const page = await inTime(
      s3.list({
        prefix: folder + start,
        delimiter: "/",
        maxKeys: atOnce,
        ...(after === undefined ? {} : { startAfter: after }),
      }),
    );
    const found = page.contents ?? [];
    if (after !== undefined && found.at(-1)?.key === after)
      throw new Error("the service lists the same names again and again");
    keys.push(...found.map(({ key }) => key));
    isMore = page.isTruncated === true && found.length > 0;
  }
  return keys.map((key) => key.slice(folder.length));
};

/** `names`: the keys that begin with `start`, without those in subfolders. */
type S3Store = FileStore & { names(start: string): Promise<string[]> };

/**
 * Reads files in a bucket under names of any form, such as those of another program. Errors name the fault in words for
 * the operator, without secrets.
 */
export const createS3Reader = (place: S3Location, limits: Partial<S3Limits> = {}): Pick<S3Store, "read" | "names"> => {
  const { answerMs, pageNames } = { ...LIMITS, ...limits };
  const { bucket } = place;
  const s3 = new S3Client({ ...namedIn(place), ...PART });
  const folder = place.prefix === "" ? "" : `${place.prefix}/`;
  const ask = <Answer>(work: Promise<Answer>): Promise<Answer> =>
    withTimeout(answerMs, work, { message: `bucket ${bucket}: no answer within ${answerMs} ms` }).catch(
      (error: unknown) => {
        throw explained(bucket, error);
      },
    );
  return {
    async read(name) {
      const file = s3.file(folder + name);
      const found = await ask(file.stat().catch(unlessMissing));
      return found && { body: streamOf(downloadOf(bucket, file)), sizeBytes: found.size };
    },
    names: async (start) => namesIn(s3, { folder, start, atOnce: pageNames }, ask),
  };
};

/**
 * Requests the file when it is first read. Bun's own stream requests it at once, and holds the connection even when
 * nobody reads.
 */
async function* downloadOf(bucket: string, file: S3File): AsyncGenerator<Uint8Array> {
  try {
    yield* file.stream();
  } catch (error) {
    throw explained(bucket, error);
  }
}

/** Files in a bucket of an S3 service. Errors name the fault in words for the operator, without secrets. */
export const createS3Store = (place: S3Location, limits: Partial<S3Limits> = {}): S3Store => {
  const { answerMs, stallMs, checkTtlMs, pageNames } = { ...LIMITS, ...limits };
  const named = namedIn(place);
  const s3 = new S3Client({ ...named, ...PART });
  const folder = place.prefix === "" ? "" : `${place.prefix}/`;
  const pathOf = (key: string) => folder + checkedKey(key);

  const withMeaning = <Answer>(work: Promise<Answer>): Promise<Answer> =>
    work.catch((error: unknown) => {
      throw explained(place.bucket, error);
    });
  const ask = <Answer>(work: Promise<Answer>): Promise<Answer> =>
    withMeaning(withTimeout(answerMs, work, { message: `bucket ${place.bucket}: no answer within ${answerMs} ms` }));

  /** Uploads in parts when there is more than one. A body that throws ends the upload. */
  const upload = (path: string, body: AsyncIterable<Uint8Array>, contentType: string): Promise<unknown> => {
    const { stream, stalled, rest } = watched(
      body,
      stallMs,
      `bucket ${place.bucket}: nothing was taken for ${stallMs} ms`,
    );
    return withMeaning(Promise.race([s3.write(path, new Response(stream), { type: contentType }), stalled])).finally(
      rest,
    );
  };

  return {
    async put(key, body, { contentType, sizeBytes }) {
      const { stream, ...measures } = measured(sizeBytes === undefined ? body : ofLength(body, sizeBytes));
      const path = pathOf(key);
      try {
        await upload(path, stream, contentType);
      } catch (error) {
        // its parts would cost money until somebody finds them: Bun leaves them there
        if (measures.sizeBytes() > PART.partSize) await abortUploads(named, path, answerMs).catch(() => {});
        throw error;
      }
      return { sizeBytes: measures.sizeBytes(), sha256: measures.sha256().toString("hex") };
    },
    async read(key) {
      const file = s3.file(pathOf(key));
      const found = await ask(file.stat().catch(unlessMissing));
      return found && { body: streamOf(downloadOf(place.bucket, file)), sizeBytes: found.size };
    },
    names: (start) =>
      withMeaning(namesIn(s3, { folder, start, atOnce: pageNames }, (answer) => withTimeout(answerMs, answer))),
    remove: async (key) => ask(s3.delete(pathOf(key)).catch(unlessMissing)),
    urlOf(key, { ttlSeconds, filename, contentType }) {
      const query = { "response-content-disposition": attachmentOf(filename), "response-content-type": contentType };
      return presigned(named, { path: `${place.bucket}/${pathOf(key)}`, query, ttlSeconds, atMs: Date.now() });
    },
    check: cachedFor(checkTtlMs, async () => {
      await ask(s3.write(pathOf("recado-check"), "written"));
      await ask(s3.delete(pathOf("recado-check")));
    }),
  };
};
