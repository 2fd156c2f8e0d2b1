/** How a channel is linked with a device of its owner: by scanning a code, or by typing one. */
export type PairingApi = {
  /**
   * The QR code to scan now; undefined while there is none. Asking shows interest: codes keep coming until five minutes
   * after the last call, and come again with the next. A code that was scanned is never given again.
   */
  qr(): QrCode | undefined;
  /** The same, but waits for one so long. */
  nextQr(withinMs: number): Promise<QrCode | undefined>;
  /** Whoever waits for one is kept waiting no longer. */
  endWaits(): void;
  /**
   * Has a code made for the device with this number (digits); `code` gives it when it is there. A newer request
   * replaces one whose code has not been made.
   */
  requestCode(phoneNumber: string): void;
  /**
   * The eight characters to type; undefined while there are none, two minutes after they were made, and once they were
   * used.
   */
  code(): string | undefined;
  /**
   * Lets go of the identity, at the network as well as it goes, and starts over with a new one; resolves when that is
   * on disk. Who calls while it runs joins it, and so does `connect`. Never throws for the network's sake.
   */
  reset(): Promise<void>;
  /**
   * Has the network take back the identities that were let go of while it was out of reach, so that the owner's device
   * no longer lists them. Whether none is left. Ends within 30 s; never throws.
   */
  unlinkOld(): Promise<boolean>;
};

/** A QR code is a secret: who scans it owns the channel. */
export type QrCode = { text: string; expiresAt: number };
