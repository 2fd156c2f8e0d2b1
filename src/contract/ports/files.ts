/** File handling: permanent storage and temp files. */
export type Files = {
  store: FileStore;
  /**
   * Writes a body of unknown size to a private temp file, which stays until its `dispose`.
   * @throws only when the local disk fails.
   */
  writeTempFile(body: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<TempFileResult>;
};

/**
 * Stores files in a directory or a bucket. A key is one to four names joined by slashes. A name has 1 to 200 characters
 * of `A-Z a-z 0-9 . _ -` and does not begin with a dot. Every function throws for another key. No key is the beginning
 * of another key's path.
 */
export type FileStore = {
  /**
   * Stores a file atomically: readers see the earlier file until the new one is complete. A failure leaves nothing
   * behind. `sha256` is in hexadecimal.
   * @throws when the body throws or has another size than announced, and when the store fails.
   */
  put(
    key: string,
    body: AsyncIterable<Uint8Array>,
    metadata: { contentType: string; sizeBytes?: number },
  ): Promise<{ sizeBytes: number; sha256: string }>;
  /**
   * Undefined when there is no file. Opens nothing before the body is read. Reading throws when the file ends early or
   * was deleted meanwhile.
   */
  read(key: string): Promise<{ body: ReadableStream<Uint8Array>; sizeBytes: number } | undefined>;
  /** Succeeds too when there is no file. */
  remove(key: string): Promise<void>;
  /**
   * A URL at which the store itself serves the file as an attachment, for `ttlSeconds`. Anyone with the URL can
   * download it. Absent if the store serves no files. The URL's time is the machine's, not the clock's: a store
   * refuses a signature from its future.
   */
  urlOf?(key: string, terms: { ttlSeconds: number; filename: string | undefined; contentType: string }): string;
  /** Rejects when the store cannot be written to. */
  check(): Promise<void>;
};

/**
 * `too-large`: the body has more than `maxBytes`; reading stopped there. `broken`: reading the body threw. Neither
 * leaves a file.
 */
export type TempFileResult =
  | ({ ok: true } & TempFile)
  | { ok: false; failure: "too-large" | "broken"; message: string };

/** A private file, deleted by `dispose`. Calling `dispose` again changes nothing. */
export type TempFile = {
  path: string;
  sizeBytes: number;
  sha256: { hex: string; base64: string };
  /** The first 4100 bytes, or the whole file when it is shorter. */
  head: Uint8Array;
  /** The whole file; may be read several times. */
  stream(): AsyncIterable<Uint8Array>;
  dispose(): Promise<void>;
};
