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
   * Requests a code for the device with this number (digits); `code` returns it later. A newer request replaces an
   * earlier one whose code has not been made. The returned hint says why no code is made, and when asking again makes
   * sense.
   */
  requestCode(phoneNumber: string): PairingHint | undefined | void;
  /**
   * The eight characters to type; undefined while there are none, two minutes after they were made, and after their
   * use.
   */
  code(): string | undefined;
  /** The same, but waits up to `withinMs` for the code that was requested. Absent: the adapter cannot wait. */
  nextCode?(withinMs: number): Promise<string | undefined>;
  /**
   * Unlinks the identity at the network if possible, and starts over with a new one. Resolves when that is on disk.
   * Concurrent calls, and `connect`, join the same run. Does not throw for a failure of the network.
   */
  reset(): Promise<void>;
  /**
   * Unlinks the identities that were reset while the network was unreachable, so that the owner's device no longer
   * lists them. True when no such identity is left. Ends within 30 s; never throws.
   */
  unlinkOld(): Promise<boolean>;
  /** A hint for the person who scans or types a code; undefined if there is nothing to say. */
  hint?(way: "qr" | "code"): PairingHint | undefined;
  /** Present if the network may require the owner's passkey before it links a device. */
  readonly passkey?: PasskeyApi;
};

/**
 * A hint for the person who links the channel. `code` names it; the adapter declares its texts (`pairingHints`).
 * `retryAt`: the earliest time at which asking again makes sense.
 */
export type PairingHint = { code: string; retryAt?: number };

/** What a person reads who links a channel: in English and in Portuguese. */
export type HintText = { en: string; pt: string };

/** The signature that a browser of the owner makes with a passkey (WebAuthn). */
export type PasskeyApi = {
  /** The ceremony in progress; undefined while the network requires no passkey. */
  current(): PasskeyCeremony | undefined;
  /** Passes on the signature of the browser. Ends within 60 s; never throws. */
  assert(assertion: PasskeyAssertion): Promise<PasskeyOutcome>;
  /** Confirms that the owner compared the code and that the device shows the same. Ends within 60 s; never throws. */
  confirm(): Promise<PasskeyOutcome>;
};

/**
 * One attempt to link with a passkey. `ASSERTION_REQUIRED`: a browser has to sign `options`, the network's own WebAuthn
 * request options as JSON. `CONFIRMATION_REQUIRED`: the owner has to compare `code` with the code on the device.
 * `IN_PROGRESS`: the network and the device are at work.
 */
export type PasskeyCeremony = {
  id: string;
  stage: "ASSERTION_REQUIRED" | "CONFIRMATION_REQUIRED" | "IN_PROGRESS";
  options: Readonly<Record<string, unknown>>;
  code?: string;
  expiresAt: number;
};

/** What `PublicKeyCredential.toJSON()` gives; all texts are base64url without padding. */
export type PasskeyAssertion = {
  id: string;
  rawId: string;
  type: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string };
};

/**
 * `NOT_REQUESTED`: the ceremony does not wait for this step. `REFUSED`: the network refused it or did not answer. The
 * attempt is over; a new attempt begins with the next scan.
 */
export type PasskeyOutcome = { ok: true } | { ok: false; code: "NOT_REQUESTED" | "REFUSED"; reason: string };

/**
 * A notice about a pairing in progress, reported beside the state. A report without a notice means that there is
 * nothing to do. `until`: when the notice ends by itself. `passkeyId`: the ceremony that it concerns.
 */
export type PairingNotice = { code: string; at: number; until: number; passkeyId?: string };

/** A QR code is a secret: the person who scans it controls the channel. */
export type QrCode = { text: string; expiresAt: number };
