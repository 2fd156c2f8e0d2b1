import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type Cancel, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket } from "../active-socket.ts";

const CODE_TTL_MS = 2 * MINUTE_MS;
/** The network refuses requests for codes that come more often. */
const CODE_EVERY_MS = MINUTE_MS;
/** Who asked so long ago is not there any more. */
const WISH_TTL_MS = 5 * MINUTE_MS;
/** Crockford's alphabet, in which no two characters look alike (https://www.crockford.com/base32.html). */
const CHARACTERS = "123456789ABCDEFGHJKLMNPQRSTVWXYZ";

/** The codes to type of one session. */
export type TypedCodes = {
  request(phoneNumber: string): void;
  /** The code to type now. */
  text(): string | undefined;
  /** Until when the present code is valid; undefined while there is none. */
  neededUntil(): number | undefined;
  /** The socket shows a QR code: earlier a request would spoil the identity. */
  ready(activeSocket: ActiveSocket): void;
  /** The socket is gone, and its code with it; one that was asked for and not made yet is made on the next. */
  gone(): void;
  /** Nothing is asked for any more. */
  drop(): void;
};

type Made = { text: string; phoneNumber: string; at: number };
type Wish = { phoneNumber: string; at: number };

/**
 * One code at a time, valid for two minutes and no longer than its socket. The network is asked once a minute at most.
 * Within that minute a request for the same number gets the present code, and a request for another number waits.
 */
export const createTypedCodes = ({ clock, random, log, channelId }: ChannelHost): TypedCodes => {
  let activeSocket: ActiveSocket | undefined;
  let made: Made | undefined;
  let wish: Wish | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => {};

  const newCode = () => Array.from(random.bytes(8), (byte) => CHARACTERS.charAt(byte % CHARACTERS.length)).join("");
  const isYounger = (at: number, ms: number) => clock.now() - at < ms;
  const live = () => (made && isYounger(made.at, CODE_TTL_MS) ? made : undefined);

  const ask = () => {
    cancel();
    if (!activeSocket || !wish || !isYounger(wish.at, WISH_TTL_MS)) return;
    if (isYounger(askedAt, CODE_EVERY_MS)) cancel = clock.timer(askedAt + CODE_EVERY_MS - clock.now(), ask);
    else void make(activeSocket, wish);
  };
  const make = async (on: ActiveSocket, wanted: Wish) => {
    askedAt = clock.now();
    try {
      const text = await on.sock.requestPairingCode(wanted.phoneNumber, newCode());
      if (activeSocket !== on || wish !== wanted) return;
      made = { text, phoneNumber: wanted.phoneNumber, at: clock.now() };
      wish = undefined;
    } catch (thrown) {
      log.warn({ channelId, reason: reasonOf(thrown) }, "no pairing code could be asked for");
    }
  };
  const gone = () => {
    cancel();
    activeSocket = undefined;
    made = undefined;
  };

  return {
    request(phoneNumber) {
      if (live()?.phoneNumber === phoneNumber && isYounger(askedAt, CODE_EVERY_MS)) return;
      made = undefined;
      wish = { phoneNumber, at: clock.now() };
      ask();
    },
    text: () => live()?.text,
    neededUntil() {
      const code = live();
      return code && code.at + CODE_TTL_MS;
    },
    ready(shown) {
      activeSocket = shown;
      ask();
    },
    gone,
    drop() {
      gone();
      wish = undefined;
    },
  };
};
