import { withTimeout } from "../../kernel/async.ts";
import { sourceOf } from "../../kernel/client-address.ts";
import { type Clock, SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { addressOf, bodyTermsOf, isTooLarge } from "./request.ts";

/** A body over the limit whose headers did not say so. */
export class TooLarge extends Error {}

/** How bodies of requests come into the process: so many bytes of them are held at once, and each has to go on. */
export type BodyIntake = {
  /**
   * The bytes of a body, held until its request is released. Throws TooLarge, OVERLOADED when there is no room for
   * them, and BODY_TIMEOUT.
   */
  read(request: Request, maxBytes: number): Promise<Uint8Array>;
  /** A body as it comes, for routes that never hold it as a whole. Throws BODY_TIMEOUT. */
  stream(request: Request): AsyncIterable<Uint8Array>;
  /** Its sender is known: the shares of strangers are not for this request. */
  trust(request: Request): void;
  /** Its answer has begun: there is room again for as much as its body took. */
  release(request: Request): void;
  /** How many bytes are held. */
  readonly bytes: number;
};

/**
 * What strangers' bodies may take of the budget: those that come to one receiver, and those that come from one address.
 */
const SHARE_OF_RECEIVER = 1 / 2;
const SHARE_OF_ADDRESS = 1 / 8;
/** What one address may take of it, known or not: nobody holds all others up. */
const SHARE_OF_KNOWN_ADDRESS = 3 / 4;
/** So much of a body has to come in the time that a body may take to go on. */
const LEAST_PROGRESS = 128 * 1024;
/** Up to here a body is read at once, which costs less. */
const SMALL = 64 * 1024;
const RETRY_SECONDS = 2;

type Account = readonly [name: string, limit: number];
type Lease = { accounts: readonly Account[]; bytes: number };
type Budget = Pick<BodyIntake, "trust" | "release" | "bytes"> & { take(request: Request, bytes: number): void };

/** Who holds how many bytes, by who has sent them and where they go. */
const createBudget = (budgetBytes: number): Budget => {
  const held = new Map<string, number>();
  const leases = new WeakMap<Request, Lease>();
  const known = new WeakSet<Request>();
  const heldBy = (name: string): number => held.get(name) ?? 0;

  const accountsOf = (request: Request): Account[] => {
    const source = sourceOf(addressOf(request));
    if (known.has(request))
      return [
        [ALL, budgetBytes],
        [`known ${source}`, budgetBytes * SHARE_OF_KNOWN_ADDRESS],
      ];
    return [
      [ALL, budgetBytes],
      [`receiver ${bodyTermsOf(request).receiver}`, budgetBytes * SHARE_OF_RECEIVER],
      [`address ${source}`, budgetBytes * SHARE_OF_ADDRESS],
    ];
  };
  const add = (name: string, bytes: number): void => {
    const sum = heldBy(name) + bytes;
    if (sum === 0) held.delete(name);
    else held.set(name, sum);
  };

  return {
    take(request, bytes) {
      const lease = leases.get(request) ?? { accounts: accountsOf(request), bytes: 0 };
      leases.set(request, lease);
      if (lease.accounts.some(([name, limit]) => heldBy(name) + bytes > limit)) {
        throw new AppError("OVERLOADED", {
          message: "Too many bodies are on their way at this moment.",
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      for (const [name] of lease.accounts) add(name, bytes);
      lease.bytes += bytes;
    },
    trust: (request) => void known.add(request),
    release(request) {
      const lease = leases.get(request);
      leases.delete(request);
      for (const [name] of lease?.accounts ?? []) add(name, -(lease?.bytes ?? 0));
    },
    get bytes() {
      return heldBy(ALL);
    },
  };
};

const ALL = "all";

/** The time that a body may take to go on. */
type Patience = { clock: Pick<Clock, "timer">; timeoutMs: number };

/**
 * The chunks of a body. It is left when it does not go on: each time that it may take has to bring the least progress,
 * or its end.
 */
async function* chunksOf({ body }: Request, { clock, timeoutMs }: Patience): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const leave = () => void reader.cancel().catch(() => undefined); // it broke by itself, which was what is wanted
  let sinceLook = 0;
  let isStalled = false;
  let isWhole = false;
  const look = () => {
    isStalled = sinceLook < LEAST_PROGRESS;
    sinceLook = 0;
    if (isStalled) leave();
    else cancelTimer = clock.timer(timeoutMs, look);
  };
  let cancelTimer = clock.timer(timeoutMs, look);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isStalled) throw tooSlow(timeoutMs);
      isWhole = done;
      if (done) return;
      sinceLook += value.byteLength;
      yield value;
    }
  } finally {
    cancelTimer();
    if (!isWhole) leave();
  }
}

const readSmall = (request: Request, { clock, timeoutMs }: Patience): Promise<Uint8Array> =>
  withTimeout(timeoutMs, request.bytes(), { clock, error: () => tooSlow(timeoutMs) });

const tooSlow = (timeoutMs: number): AppError =>
  new AppError("BODY_TIMEOUT", {
    message: `The body did not come: every ${timeoutMs / SECOND_MS} s have to bring ${LEAST_PROGRESS / 1024} KiB of it, or its end.`,
  });

export const createBodyIntake = (
  { budgetBytes, timeoutMs }: { budgetBytes: number; timeoutMs: number },
  clock: Pick<Clock, "timer">,
): BodyIntake => {
  const budget = createBudget(budgetBytes);
  const patience = { clock, timeoutMs };
  return {
    async read(request, maxBytes) {
      if (isTooLarge(request, maxBytes)) throw new TooLarge();
      const declared = Number(request.headers.get("content-length") ?? Number.NaN);
      if (declared <= SMALL) {
        budget.take(request, declared);
        return readSmall(request, patience);
      }
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of chunksOf(request, patience)) {
        if (size + chunk.byteLength > maxBytes) throw new TooLarge();
        budget.take(request, chunk.byteLength);
        chunks.push(chunk);
        size += chunk.byteLength;
      }
      return Buffer.concat(chunks);
    },
    stream: (request) => chunksOf(request, patience),
    trust: budget.trust,
    release: budget.release,
    get bytes() {
      return budget.bytes;
    },
  };
};
