/**
 * A file that a test sets up. `id` is made up if it is missing; `sha256` is the hex digest that Graph claims, by
 * default the true one.
 */
export type MediaSeed = {
  id?: string;
  bytes: Uint8Array;
  mimeType: string;
  phoneNumberId: string;
  sha256?: string;
  filename?: string;
};

/** A file that Graph keeps: an uploaded file (30 days), or a user's file (7 days). `key` signs its URLs. */
export type Media = Required<Omit<MediaSeed, "filename">> & {
  filename: string | undefined;
  origin: "upload" | "inbound";
  businessAccountId: string;
  expiresAt: number;
  key: string;
};
