/**
 * A file that an account uploaded to Recado, to be sent by its handle. `contentType` is what its bytes show; undefined
 * where they show none. `name`: under which it was uploaded. `sha256`: in hexadecimal; undefined where it is not known.
 * Reading the body throws when the file is deleted meanwhile.
 */
export type KeptFile = {
  body: AsyncIterable<Uint8Array>;
  sizeBytes: number;
  contentType: string | undefined;
  name?: string | undefined;
  sha256?: string | undefined;
};

/** The file of a handle, within the account of the channel; undefined when there is none, or no longer. */
export type OpenFile = (handle: string) => Promise<KeptFile | undefined>;
