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
   * whose code has not been made. What it returns says why no code is made, and until when it is no use to ask.
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
   * lists them. True when none is left. Ends within 30 s; never throws.
   */
  unlinkOld(): Promise<boolean>;
  /** What the person who scans, or who types a code, has to know now; undefined where there is nothing to know. */
  hint?(way: "qr" | "code"): PairingHint | undefined;
  /** Present where the network may want the owner's passkey before it links a device. */
  readonly passkey?: PasskeyApi;
};

/**
 * Something that the person who links has to know. `code` names it (`core/channels/pairing/pairing-hints.ts` has the texts of
 * those that are known). `retryAt`: before then it is no use to ask again.
 */
export type PairingHint = { code: string; retryAt?: number };

/** The signature that a browser of the owner makes with a passkey (WebAuthn). */
export type PasskeyApi = {
  /** What is wanted now; undefined while the network wants no passkey. */
  current(): PasskeyCeremony | undefined;
  /** Passes on what the browser has signed. Ends within 60 s; never throws. */
  assert(assertion: PasskeyAssertion): Promise<PasskeyOutcome>;
  /** The owner has compared the code: it is the one on the device. Ends within 60 s; never throws. */
  confirm(): Promise<PasskeyOutcome>;
};

/**
 * One try to link with a passkey. `ASSERTION_REQUIRED`: a browser has to sign `options`, which are the network's own
 * (WebAuthn's request options as JSON). `CONFIRMATION_REQUIRED`: `code` has to be compared with the one on the device.
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
 * `NOT_REQUESTED`: nothing is wanted, or something else. `REFUSED`: the network did not take it, or did not answer; the
 * try is over, and another begins with another scan.
 */
export type PasskeyOutcome = { ok: true } | { ok: false; code: "NOT_REQUESTED" | "REFUSED"; reason: string };

/**
 * What a link reports of a pairing under way, beside the state. A report without one says that there is nothing.
 * `until`: when it is over by itself. `passkeyId`: the ceremony that it is about.
 */
export type PairingNotice = { code: string; at: number; until: number; passkeyId?: string };

/** A QR code is a secret: the person who scans it controls the channel. */
export type QrCode = { text: string; expiresAt: number };
