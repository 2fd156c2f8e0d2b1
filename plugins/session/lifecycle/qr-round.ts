import type { QrCode } from "../../../src/contract/abilities/pairing.ts";
import { type Cancel, type Clock, SECOND_MS } from "../../../src/kernel/clock.ts";

/** A rule of the specification (G-171). The network's own page shows the first one for 60 s. */
const QR_TTL_MS = 20 * SECOND_MS;
/**
 * After a change of the secret the person must scan again: the code of the present ref then lives at least this long.
 */
const SCANNED_AGAIN_MS = 40 * SECOND_MS;

/** The QR codes of one socket. */
export type QrRound = {
  /** `first`: the code that the library shows. `secret`: the present secret of the codes. */
  begin(first: string, refs: readonly string[], secret: () => string): void;
  current(): QrCode | undefined;
  /** The secret has changed: the present code is a new one, and lives for at least 40 s more. */
  prolong(): void;
  /** From now on the present code stays, until then at most, while a phone is using it. */
  hold(untilMs: number): void;
  /** All codes are over: `finished` is called again when this time has passed. */
  wait(ms: number): void;
  /** The codes continue where they stopped. */
  resume(): void;
  end(): void;
};

/**
 * One code after the other, by the clock: each is valid for 20 s. They are made on request, because the secret in them
 * may change. `finished` is called when the last one is over.
 */
export const createQrRound = (clock: Clock, finished: () => void): QrRound => {
  let draw: (ref: string) => string = String;
  let refs: readonly string[] = [];
  let ends: readonly number[] = [];
  let held: { since: number; until: number } | undefined;
  let cancel: Cancel = () => {};

  const place = () => ends.findIndex((endsAt) => (held?.since ?? clock.now()) < endsAt);
  const schedule = () => {
    cancel();
    const last = ends.at(-1);
    if (last !== undefined) cancel = clock.timer(last - clock.now(), finished);
  };
  const shift = (byMs: number, from: number) => {
    ends = ends.map((endsAt, at) => (at < from ? endsAt : endsAt + byMs));
    schedule();
  };

  return {
    begin(first, given, secret) {
      const [noise = "", identity = "", , platform = ""] = first.split(",").slice(-4);
      const head = first.slice(0, first.indexOf("#") + 1);
      draw = (ref) => head + [ref, noise, identity, secret(), platform].join(",");
      refs = given;
      held = undefined;
      ends = given.map((_, at) => clock.now() + (at + 1) * QR_TTL_MS);
      schedule();
    },
    current() {
      const at = place();
      const [ref, endsAt] = [refs[at], ends[at]];
      return ref === undefined || endsAt === undefined
        ? undefined
        : { text: draw(ref), expiresAt: held?.until ?? endsAt };
    },
    prolong() {
      const at = place();
      const endsAt = ends[at];
      if (!held && endsAt !== undefined) shift(Math.max(0, clock.now() + SCANNED_AGAIN_MS - endsAt), at);
    },
    hold(untilMs) {
      held = { since: held?.since ?? clock.now(), until: untilMs };
      cancel();
    },
    wait(ms) {
      cancel();
      cancel = clock.timer(ms, finished);
    },
    resume() {
      if (!held) return;
      const heldMs = clock.now() - held.since;
      const at = place();
      held = undefined;
      if (at < 0) schedule();
      else shift(heldMs, at);
    },
    end() {
      cancel();
      [refs, ends, held] = [[], [], undefined];
    },
  };
};
