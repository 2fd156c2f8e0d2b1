import type { PairingHint } from "../../../src/contract/abilities/pairing.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type Cancel, MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { childOf, type Stanza } from "../active-socket.ts";
import type { CodeNumbers } from "./code-numbers.ts";
import type { CodeKey } from "./pairing-crypto.ts";
import { type Answer, askNetwork, bytesIn, type PairingSocket } from "./pairing-socket.ts";

const CODE_TTL_MS = 2 * MINUTE_MS;
/** The network refuses more frequent requests for codes. */
const CODE_EVERY_MS = MINUTE_MS;
/** A client whose request is older is not waiting any more. */
const WISH_TTL_MS = 5 * MINUTE_MS;
/** A phone that has taken a code vouches for the identity within this time, or not at all. */
const LINKS_WITHIN_MS = 60 * SECOND_MS;
/** How often a phone may begin with one code. */
const MOST_HELLOS = 3;
/** The wait after a refusal; it doubles with each refusal. */
const [FIRST_REST_MS, LONGEST_REST_MS] = [MINUTE_MS, 10 * MINUTE_MS];
/** Crockford's alphabet, in which no two characters look alike (https://www.crockford.com/base32.html). */
const CHARACTERS = "123456789ABCDEFGHJKLMNPQRSTVWXYZ";
const STAGES = "link_code_companion_reg";

/** The codes to type of one session. */
export type TypedCodes = {
  /** The result says why no code is made. */
  request(phoneNumber: string): PairingHint | undefined;
  /** The code to type now. */
  text(): string | undefined;
  /** Whether a code was requested that has been neither made nor refused yet. */
  isAwaited(): boolean;
  /** The hint for the person who types the code. */
  hint(): PairingHint | undefined;
  /** Until when the present code is valid; undefined without a code. */
  neededUntil(): number | undefined;
  /** Whether a phone has taken the code, and must vouch for the identity now. */
  isFinishing(): boolean;
  /** The socket shows a QR code: before that the network accepts no request. */
  ready(socket: PairingSocket): void;
  /** A stage of the linking by code. Never throws. */
  take(socket: PairingSocket, stanza: Stanza): Promise<void>;
  /** The code has done its work, and the phone continues in another way. */
  used(): void;
  /**
   * The socket is gone, and its code with it; a code that was requested and not made yet is made on the next socket.
   */
  gone(): void;
  /** Ends all requests. */
  drop(): void;
};

type Made = { text: string; phoneNumber: string; at: number; ref: Buffer; key: CodeKey; hellos: number };
type Wish = { phoneNumber: string; at: number };

type Codes = {
  readonly host: ChannelHost;
  readonly numbers: CodeNumbers;
  readonly onSettled: () => void;
  socket: PairingSocket | undefined;
  made: Made | undefined;
  wish: Wish | undefined;
  askedAt: number;
  refusals: number;
  refusal: { code: string; retryAt: number } | undefined;
  isSecondTry: boolean;
  finishesBy: number;
  cancel: Cancel;
  cancelFinish: Cancel;
};

/**
 * One code at a time, valid for two minutes and no longer than its socket. The network is asked once a minute at most.
 * Within that minute a request for the same number gets the present code, and a request for another number waits.
 * `onSettled` is called when a requested code was made, refused or given up.
 */
export const createTypedCodes = (host: ChannelHost, numbers: CodeNumbers, onSettled: () => void): TypedCodes => {
  const self: Codes = {
    host,
    numbers,
    onSettled,
    socket: undefined,
    made: undefined,
    wish: undefined,
    askedAt: Number.NEGATIVE_INFINITY,
    refusals: 0,
    refusal: undefined,
    isSecondTry: false,
    finishesBy: Number.NEGATIVE_INFINITY,
    cancel: () => {},
    cancelFinish: () => {},
  };
  return {
    request: (phoneNumber) => request(self, phoneNumber),
    text: () => live(self)?.text,
    isAwaited: () => self.wish !== undefined,
    hint: () => resting(self) ?? (self.isSecondTry ? { code: "CODE_TRY_AGAIN" } : undefined),
    neededUntil() {
      const code = live(self);
      const until = Math.max(code ? code.at + CODE_TTL_MS : 0, self.finishesBy);
      return until > host.clock.now() ? until : undefined;
    },
    isFinishing: () => host.clock.now() < self.finishesBy,
    ready(shown) {
      self.socket = shown;
      ask(self);
    },
    take: (on, stanza) => take(self, on, stanza),
    used() {
      endFinish(self);
      self.made = undefined;
      numbers.release(host.channelId);
    },
    gone: () => gone(self),
    drop() {
      gone(self);
      self.wish = self.refusal = undefined;
      self.isSecondTry = false;
      onSettled();
    },
  };
};

const isYounger = ({ host }: Codes, at: number, ms: number): boolean => host.clock.now() - at < ms;
const live = (self: Codes): Made | undefined =>
  self.made && isYounger(self, self.made.at, CODE_TTL_MS) ? self.made : undefined;
const resting = ({ host, refusal }: Codes) => (refusal && host.clock.now() < refusal.retryAt ? refusal : undefined);

const newCode = ({ host }: Codes): string =>
  Array.from(host.random.bytes(8), (byte) => CHARACTERS.charAt(byte % CHARACTERS.length)).join("");

/** Refuses if another channel has a code for the number in progress. */
const claims = (self: Codes, phoneNumber: string): boolean => {
  const { clock, channelId } = self.host;
  const retryAt = self.numbers.claim(clock, phoneNumber, channelId, clock.now() + CODE_TTL_MS);
  if (retryAt !== undefined) self.refusal = { code: "CODE_WAIT", retryAt };
  return retryAt === undefined;
};

const request = (self: Codes, phoneNumber: string): PairingHint | undefined => {
  if (live(self)?.phoneNumber === phoneNumber && isYounger(self, self.askedAt, CODE_EVERY_MS)) return undefined;
  if (resting(self) || !claims(self, phoneNumber)) return resting(self);
  self.refusal = self.made = undefined;
  self.wish = { phoneNumber, at: self.host.clock.now() };
  ask(self);
  return undefined;
};

const ask = (self: Codes): void => {
  const { clock } = self.host;
  const { socket, wish } = self;
  self.cancel();
  if (!socket || !wish || !isYounger(self, wish.at, WISH_TTL_MS)) return;
  if (isYounger(self, self.askedAt, CODE_EVERY_MS))
    self.cancel = clock.timer(self.askedAt + CODE_EVERY_MS - clock.now(), () => ask(self));
  else if (claims(self, wish.phoneNumber)) void make(self, socket, wish);
  else giveUp(self);
};

const giveUp = (self: Codes): void => {
  self.wish = undefined;
  self.onSettled();
};

/** A code is shown only when the network has accepted the request for it. */
const make = async (self: Codes, on: PairingSocket, wanted: Wish): Promise<void> => {
  const { clock, random } = self.host;
  self.askedAt = clock.now();
  const [text, key] = [newCode(self), on.crypto.newKeyPair()];
  const wrapped = await on.crypto.wrap(random, text, key);
  const answer = await askNetwork(on, "set", helloOf(on, wanted.phoneNumber, wrapped));
  if (self.socket !== on || self.wish !== wanted) return;
  const ref = answer.ok ? bytesIn(childOf(answer.stanza, STAGES), "link_code_pairing_ref") : undefined;
  if (!ref) return refused(self, answer);
  self.refusals = 0;
  self.refusal = self.wish = undefined;
  self.made = { text, phoneNumber: wanted.phoneNumber, at: clock.now(), ref, key, hellos: 0 };
  self.onSettled();
};

/** After a refusal there are no requests for a while; without an answer the request is repeated on the next socket. */
const refused = (self: Codes, answer: Answer): void => {
  const { clock, log, channelId } = self.host;
  const reason = answer.ok ? "the answer names no linking" : answer.reason;
  log.warn({ channelId, reason }, "no pairing code could be asked for");
  if (answer.ok || answer.code === 0) return;
  const restMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** self.refusals);
  self.refusals += 1;
  self.refusal = { code: "CODE_REFUSED", retryAt: clock.now() + restMs };
  giveUp(self);
  self.numbers.release(channelId);
};

/** Asks for another code for the same number. */
const remake = (self: Codes): void => {
  if (!self.made) return;
  self.wish = { phoneNumber: self.made.phoneNumber, at: self.host.clock.now() };
  self.made = undefined;
  ask(self);
};

const take = async (self: Codes, on: PairingSocket, stanza: Stanza): Promise<void> => {
  const { made } = self;
  const stage = childOf(stanza, STAGES);
  if (!made || !stage || !bytesIn(stage, "link_code_pairing_ref")?.equals(made.ref)) return;
  if (stage.attrs["stage"] === "refresh_code") remake(self);
  else if (stage.attrs["stage"] === "primary_hello")
    await finish(self, on, made, stage).catch((thrown: unknown) => failFinish(self, reasonOf(thrown)));
};

/** The phone has taken the code: it learns that the code is ours, and must vouch for the identity in time. */
const finish = async (self: Codes, on: PairingSocket, made: Made, stage: Stanza): Promise<void> => {
  const { clock, random } = self.host;
  const wrapped = bytesIn(stage, "link_code_pairing_wrapped_primary_ephemeral_pub");
  const phoneKey = bytesIn(stage, "primary_identity_pub");
  if (!wrapped || !phoneKey || made.hellos >= MOST_HELLOS) return;
  made.hellos += 1;
  const identity = on.keys.auth.creds.signedIdentityKey;
  const proof = await on.crypto.finish(random, { code: made.text, codeKey: made.key, identity, phoneKey, wrapped });
  if (self.made !== made) return;
  on.offered.set("code", proof.secret);
  self.finishesBy = clock.now() + LINKS_WITHIN_MS;
  self.cancelFinish();
  self.cancelFinish = clock.timer(LINKS_WITHIN_MS, () => {
    failFinish(self, "no answer in time");
    remake(self);
  });
  const answer = await askNetwork(on, "set", finishOf(on, made, proof.bundle));
  if (!answer.ok && self.socket === on && self.made === made) failFinish(self, answer.reason);
};

const endFinish = (self: Codes): void => {
  self.cancelFinish();
  self.finishesBy = Number.NEGATIVE_INFINITY;
  self.socket?.offered.delete("code");
};

const failFinish = (self: Codes, reason: string): void => {
  const { log, channelId } = self.host;
  log.warn({ channelId, reason }, "a phone took the pairing code, and did not link the session");
  endFinish(self);
  self.isSecondTry = true;
};

const gone = (self: Codes): void => {
  self.cancel();
  endFinish(self);
  self.socket = self.made = undefined;
  self.numbers.release(self.host.channelId);
};

/** The request for a code. The display name has this form or is refused: a browser, and a system that exists. */
const helloOf = ({ keys }: PairingSocket, phoneNumber: string, wrapped: Buffer): Stanza => ({
  tag: STAGES,
  attrs: { jid: `${phoneNumber}@s.whatsapp.net`, stage: "companion_hello", should_show_push_notification: "true" },
  content: [
    leaf("link_code_pairing_wrapped_companion_ephemeral_pub", wrapped),
    leaf("companion_server_auth_key_pub", keys.auth.creds.noiseKey.public),
    leaf("companion_platform_id", "1"),
    leaf("companion_platform_display", "Chrome (Ubuntu)"),
    leaf("link_code_pairing_nonce", Buffer.alloc(1)),
  ],
});

const finishOf = ({ keys }: PairingSocket, { phoneNumber, ref }: Made, bundle: Buffer): Stanza => ({
  tag: STAGES,
  attrs: { jid: `${phoneNumber}@s.whatsapp.net`, stage: "companion_finish" },
  content: [
    leaf("link_code_pairing_wrapped_key_bundle", bundle),
    leaf("companion_identity_public", keys.auth.creds.signedIdentityKey.public),
    leaf("link_code_pairing_ref", ref),
  ],
});

const leaf = (tag: string, content: Uint8Array | string): Stanza => ({ tag, attrs: {}, content });
