import type { UpstreamResult } from "../upstream.ts";

/**
 * A download that has begun. The type and size are the network's claims and not verified. `sha256` is in hexadecimal.
 * Reading the body throws when the transfer breaks; leaving it early ends the transfer.
 */
export type UpstreamFile = {
  body: AsyncIterable<Uint8Array>;
  contentType?: string;
  sizeBytes?: number;
  sha256?: string;
};

/** A complete local file. `stream` may be called several times. */
export type OutgoingFile = {
  stream(): AsyncIterable<Uint8Array>;
  sizeBytes: number;
  contentType: string;
  filename: string;
};

/** Files at a network. No function throws. */
export type MediaApi = {
  /** Begins the download of a message's file. Only `unavailable` may be retried. */
  open(nativeId: string): Promise<UpstreamResult<UpstreamFile>>;
  /** Present if a send may name a file by the handle of an earlier upload. */
  readonly uploads?: UploadApi;
};

export type UploadApi = {
  /** Uploads a file for messages. The value is its handle at the network. */
  upload(file: OutgoingFile): Promise<UpstreamResult<string>>;
  /** Uploads a file in parts, as a template's example, for the owner's app. A broken upload resumes where it broke. */
  uploadResumable(file: OutgoingFile, appId: string): Promise<UpstreamResult<{ handle: string; sessionId: string }>>;
  remove(handle: string): Promise<UpstreamResult<true>>;
};
