/** Links a channel with its owner's device, by a scanned QR code or a typed code. */
export type PairingApi = {
  /**
   * The QR code to scan now; undefined while there is none. New codes are made until five minutes after the last call
   * of this function. A scanned code is never returned again.
   */
  qr(): QrCode | undefined;
  /** The same, but waits up to `withinMs` for a code. */
  nextQr(withinMs: number): Promise<QrCode | undefined>;
  /** Ends all calls that wait for a code. */
  endWaits(): void;
  /**
   * Requests a code for the device with this number (digits); `code` returns it later. A newer request replaces one
   * whose code has not been made.
   */
  requestCode(phoneNumber: string): void;
  /**
   * The eight characters to type; undefined while there are none, two minutes after they were made, and after their
   * use.
   */
  code(): string | undefined;
  /**
   * Unlinks the identity at the network if possible, and starts over with a new one. Resolves when that is on disk.
   * Concurrent calls, and `connect`, join the same run. Does not throw for a failure of the network.
   */
  reset(): Promise<void>;
  /**
   * Unlinks the identities that were reset while the network was unreachable, so that the owner's device no longer
   * lists them. True when none is left. Ends within 30 s; never throws.
   */
  unlinkOld(): Promise<boolean>;
};

/** A QR code is a secret: the person who scans it controls the channel. */
export type QrCode = { text: string; expiresAt: number };
