/**
 * A file that an account uploaded to Recado, to be sent by its handle. `contentType` is what its bytes show, else what
 * its name says; undefined if neither does. `name`: its name at the upload. `sha256`: in hexadecimal; undefined if it is
 * unknown. Reading the body throws when the file is deleted meanwhile.
 */
export type KeptFile = {
  body: AsyncIterable<Uint8Array>;
  sizeBytes: number;
  contentType: string | undefined;
  name?: string | undefined;
  sha256?: string | undefined;
};

/** The file of a handle, within the account of the channel; undefined if it does not exist or was deleted. */
export type OpenFile = (handle: string) => Promise<KeptFile | undefined>;
