import { withTimeout } from "../../../kernel/async.ts";
import { type Clock, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import { noteEnd, noteReader } from "./lingering.ts";
import { addressOf, bodyTermsOf, isTooLarge, MAX_BODY_BYTES, standIn } from "./request.ts";

/** A body over the limit, whose headers did not declare its length. */
export class TooLarge extends Error {}

/** Reads request bodies within a budget of memory. Each body must make progress. */
export type BodyIntake = {
  /**
   * Reads a body. Its bytes count against the budget until its request is released.
   *
   * @throws TooLarge, and AppError OVERLOADED when the budget is used up, or BODY_TIMEOUT.
   */
  read(request: Request, maxBytes: number): Promise<Uint8Array>;
  /** A body as a stream, for routes that never hold it as a whole. Throws BODY_TIMEOUT. */
  stream(request: Request): AsyncIterable<Uint8Array>;
  /** Marks a request as authenticated: the limits for strangers do not apply to it. */
  trust(request: Request): void;
  /** Returns a body's bytes to the budget, when the response has begun. */
  release(request: Request): void;
  /** The bytes held now. */
  readonly bytes: number;
};

/** The shares of the budget for unauthenticated bodies: of one receiver, and of one IP address. */
const SHARE_OF_RECEIVER = 1 / 2;
const SHARE_OF_ADDRESS = 1 / 8;
/** The share of the budget for one IP address, authenticated or not. */
const SHARE_OF_KNOWN_ADDRESS = 3 / 4;
/** The bytes of a body that must arrive within each timeout. */
const LEAST_PROGRESS = 128 * 1024;
/** Bodies up to this size, in bytes, are read at once, which costs less. */
const SMALL = 64 * 1024;
const RETRY_SECONDS = 2;

type Account = readonly [name: string, limit: number];
type Lease = { accounts: readonly Account[]; bytes: number };
type Budget = Pick<BodyIntake, "trust" | "release" | "bytes"> & { take(request: Request, bytes: number): void };

/** Counts the bytes that are held, by sender and by receiver. */
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

/** How long a body may take for the least progress. */
type Patience = { clock: Pick<Clock, "timer">; timeoutMs: number };

/**
 * The chunks of a body. Reading stops when a timeout passes without the least progress or the end. The rest that a
 * reader leaves is taken after the answer.
 */
async function* chunksOf(request: Request, { clock, timeoutMs }: Patience): AsyncGenerator<Uint8Array> {
  const { body } = request;
  if (!body) return;
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  noteReader(request, reader);
  const leave = () => void reader.cancel().catch(() => undefined); // an error means that it has ended already
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
    if (isWhole || isStalled) noteEnd(request);
  }
}

const readSmall = (request: Request, { clock, timeoutMs }: Patience): Promise<Uint8Array> =>
  withTimeout(timeoutMs, request.bytes(), { clock, error: () => tooSlow(timeoutMs) });

const tooSlow = (timeoutMs: number): AppError =>
  new AppError("BODY_TIMEOUT", {
    message:
      `The body did not come: every ${timeoutMs / SECOND_MS} s have to bring ` +
      `${LEAST_PROGRESS / 1024} KiB of it, or its end.`,
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

/** The text of an authenticated request's body, before its handler reads the body again and validates it. */
export const bodyCopy = async (intake: BodyIntake, request: Request): Promise<string> => {
  const copy = standIn(request.clone() as Request, request);
  intake.trust(copy);
  try {
    return Buffer.from(await intake.read(copy, MAX_BODY_BYTES)).toString();
  } finally {
    intake.release(copy);
  }
};
