import type { UpstreamResult } from "./upstream.ts";

/**
 * A file at a network whose transfer has begun. What the network says of it is not to be believed; `sha256` is in
 * hexadecimal. Reading the body throws when the transfer breaks, and leaving it early ends the transfer.
 */
export type UpstreamFile = {
  body: AsyncIterable<Uint8Array>;
  contentType?: string;
  sizeBytes?: number;
  sha256?: string;
};

/** A file that we have whole; `stream` gives all of it, as often as it is asked for. */
export type OutgoingFile = {
  stream(): AsyncIterable<Uint8Array>;
  sizeBytes: number;
  contentType: string;
  filename: string;
};

/** Files at a network. None of its functions throws. */
export type MediaApi = {
  /** Begins to fetch a file that came with a message. Only after `unavailable` may it go better later. */
  open(nativeId: string): Promise<UpstreamResult<UpstreamFile>>;
  /** Present where a send may name a file by the handle of an earlier upload. */
  readonly uploads?: UploadApi;
};

export type UploadApi = {
  /** Gives the network a file for messages; the value is its handle there. */
  upload(file: OutgoingFile): Promise<UpstreamResult<string>>;
  /**
   * Gives it a file in parts, as an example for templates, in the name of the owner's app: an upload that breaks goes
   * on where it broke.
   */
  uploadResumable(file: OutgoingFile, appId: string): Promise<UpstreamResult<{ handle: string; sessionId: string }>>;
  remove(handle: string): Promise<UpstreamResult<true>>;
};
