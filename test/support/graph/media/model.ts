/**
 * A file as a test sets it up. `id` is made up where it is missing; `sha256` is the hex digest that Graph claims, by
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

/**
 * A file as Graph keeps it: one of ours that was uploaded (30 days), or one that a user sent (7 days). `key` signs its
 * URLs.
 */
export type Media = Required<Omit<MediaSeed, "filename">> & {
  filename: string | undefined;
  origin: "upload" | "inbound";
  businessAccountId: string;
  expiresAt: number;
  key: string;
};
