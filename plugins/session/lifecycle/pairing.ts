import type { PairingApi, QrCode } from "../../../src/contract/pairing.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { hasEndedWithin } from "../../../src/kernel/async.ts";
import { type Cancel, type Clock, MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { type ActiveSocket, type Attach, childrenOf, type Stanza } from "../active-socket.ts";
import { createTypedCodes, type TypedCodes } from "./pairing-codes.ts";

const QR_TTL_MS = 20 * SECOND_MS;
/** Codes are made for so long after the last request. */
const INTEREST_MS = 5 * MINUTE_MS;

/** What pairing needs of the session manager. */
export type PairingSession = {
  /** Opens a socket where none is open, opened or waited for, unless the channel is paused. */
  wake(): void;
  /** A socket has shown all its codes. */
  exhausted(activeSocket: ActiveSocket): void;
} & Pick<PairingApi, "reset" | "unlinkOld">;

/** The pairing of one session, over all its sockets. */
export type Pairing = {
  api: PairingApi;
  attach: Attach;
  /** Counts as asking for codes. */
  want(): void;
  /** Whether codes were requested in the last five minutes. */
  isWanted(): boolean;
  /** The socket shows its first QR code. */
  shown(activeSocket: ActiveSocket, firstQr: string): void;
  /** The socket is gone, and its codes with it. */
  gone(): void;
  /** Drops all codes, because they were used or their identity was given up. Requested ones are not made either. */
  done(): void;
  /** Nobody is kept waiting. */
  close(): void;
};

/** Makes the pairing of one session. The QR codes of a socket follow each other by the clock of the host. */
export const createPairing = (host: ChannelHost, sessionManager: PairingSession): Pairing => {
  const codes = createTypedCodes(host);
  const round = createRound(host.clock, codes, sessionManager.exhausted);
  const refs = new WeakMap<ActiveSocket, string[]>();
  const waiting = new Set<() => void>();
  let askedAt = Number.NEGATIVE_INFINITY;

  const want = () => {
    askedAt = host.clock.now();
  };
  const qr = () => {
    want();
    sessionManager.wake();
    return round.current();
  };
  const gone = () => {
    round.end();
    codes.gone();
  };
  const done = () => {
    round.end();
    codes.drop();
  };
  const endWaits = () => {
    for (const endWait of waiting) endWait();
  };

  return {
    api: {
      qr,
      async nextQr(withinMs) {
        if (!qr()) await within(host.clock, withinMs, waiting);
        return round.current();
      },
      endWaits,
      requestCode(phoneNumber) {
        want();
        sessionManager.wake();
        codes.request(phoneNumber);
      },
      code: codes.text,
      reset: sessionManager.reset,
      unlinkOld: sessionManager.unlinkOld,
    },
    attach: (activeSocket) =>
      void activeSocket.sock.ws.on("CB:iq,type:set,pair-device", (stanza: Stanza) =>
        refs.set(activeSocket, refsIn(stanza)),
      ),
    want,
    isWanted: () => host.clock.now() - askedAt < INTEREST_MS,
    shown(activeSocket, firstQr) {
      round.begin(activeSocket, qrTexts(firstQr, refs.get(activeSocket) ?? []));
      endWaits();
      codes.ready(activeSocket);
    },
    gone,
    done,
    close() {
      done();
      endWaits();
    },
  };
};

type Round = {
  begin(activeSocket: ActiveSocket, texts: readonly string[]): void;
  current(): QrCode | undefined;
  end(): void;
};

/**
 * The QR codes of one socket, each good for 20 s. A typed code that is still valid keeps the socket open beyond the
 * last QR code.
 */
const createRound = (clock: Clock, codes: TypedCodes, exhausted: (activeSocket: ActiveSocket) => void): Round => {
  let texts: readonly string[] = [];
  let begunAt = 0;
  let cancel: Cancel = () => {};

  const finish = (activeSocket: ActiveSocket) => {
    const neededUntil = codes.neededUntil();
    if (neededUntil === undefined) exhausted(activeSocket);
    else cancel = clock.timer(neededUntil - clock.now(), () => finish(activeSocket));
  };

  return {
    begin(activeSocket, next) {
      cancel();
      texts = next;
      begunAt = clock.now();
      cancel = clock.timer(next.length * QR_TTL_MS, () => finish(activeSocket));
    },
    current() {
      const place = Math.floor((clock.now() - begunAt) / QR_TTL_MS);
      const text = texts[place];
      return text === undefined ? undefined : { text, expiresAt: begunAt + (place + 1) * QR_TTL_MS };
    },
    end() {
      cancel();
      texts = [];
    },
  };
};

/** Baileys shows the first one; the others differ by their ref alone. */
const qrTexts = (first: string, refs: readonly string[]): string[] =>
  refs.map((ref) => first.replace(refs[0] ?? "", () => ref));

const refsIn = (stanza: Stanza): string[] => {
  const [pairDevice] = childrenOf(stanza);
  return childrenOf(pairDevice).flatMap(({ tag, content }) =>
    tag === "ref" && content instanceof Uint8Array ? [Buffer.from(content).toString()] : [],
  );
};

/** Resolves when the waiters are released, or when the time is over. */
const within = async (clock: Clock, ms: number, waiters: Set<() => void>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiters.add(resolve);
  await hasEndedWithin(clock, ms, promise);
  waiters.delete(resolve);
};
