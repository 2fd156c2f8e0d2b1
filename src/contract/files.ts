/** What is done with files: kept for good, held while they are looked at, and recognised. */
export type Files = {
  store: FileStore;
  /**
   * Writes a body of unknown size and honesty to a private file, where it lies until it is disposed of. Throws only
   * when our own disk fails.
   */
  writeTempFile(body: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<TempFileResult>;
  /**
   * The media type that a file's first 4100 bytes show, such as `image/webp`, `audio/ogg; codecs=opus` for voice;
   * undefined when they show none.
   */
  sniffedType(head: Uint8Array): Promise<string | undefined>;
};

/**
 * Where files lie: a directory or a bucket. A key is one to four names joined by slashes, each of 1 to 200 of `A-Z a-z
 * 0-9 . _ -` and not beginning with a dot; every function throws for anything else. A key is never the beginning of
 * another's path.
 */
export type FileStore = {
  /**
   * Nothing is seen at `key` before all of it is there, what was there before stays until then, and nothing stays
   * behind after a failure. Throws when the body throws or is not of the announced size, and when the store fails.
   * `sha256` is in hex.
   */
  put(
    key: string,
    body: AsyncIterable<Uint8Array>,
    facts: { contentType: string; sizeBytes?: number },
  ): Promise<{ sizeBytes: number; sha256: string }>;
  /**
   * Undefined when nothing lies there. Nothing is opened before the body is read, and reading throws when the file
   * breaks off or has gone meanwhile.
   */
  read(key: string): Promise<{ body: ReadableStream<Uint8Array>; sizeBytes: number } | undefined>;
  /** Also succeeds when nothing lies there. */
  remove(key: string): Promise<void>;
  /**
   * An address at which the store itself serves the file as an attachment, to whoever has it and for so long; absent
   * where the store serves nothing. Its time is that of the machine and of the store, not the clock's: a store refuses
   * what was signed in its future.
   */
  urlOf?(key: string, terms: { ttlSeconds: number; filename: string | undefined; contentType: string }): string;
  /** Rejects when nothing can be written. */
  check(): Promise<void>;
};

/**
 * `too-large`: the body has more than `maxBytes`, of which no more were kept. `broken`: reading it threw. Nothing is
 * kept of either.
 */
export type TempFileResult =
  | ({ ok: true } & TempFile)
  | { ok: false; failure: "too-large" | "broken"; message: string };

/** A file that lies in private until `dispose`, which may be called again. */
export type TempFile = {
  path: string;
  sizeBytes: number;
  sha256: { hex: string; base64: string };
  /** The first 4100 bytes, or all when there are fewer. */
  head: Uint8Array;
  /** The whole of it, as often as it is asked for. */
  stream(): AsyncIterable<Uint8Array>;
  dispose(): Promise<void>;
};
