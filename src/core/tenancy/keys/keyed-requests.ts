import { DAY_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError, reasonOf } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import type { Node } from "../../../runtime/node.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { isLive } from "../../../store/tables/nodes.ts";
import {
  answerKeyedRequest,
  type ClaimId,
  deleteKeyedRequest,
  ERASED,
  findKeyedRequest,
  insertKeyedRequest,
  type KeyedRequestRow,
  takeOverKeyedRequest,
} from "../../../store/tables/tenancy/keyed-requests.ts";
import { requireRoom } from "../accounts/collections.ts";
import type { TenancyEnv } from "../env.ts";

// A request with an idempotency key is claimed by a row before it is carried out, and its answer is stored in the row.
// States of a row: claimed → answered, or claimed → deleted when nothing was done. A claim whose process died, or that
// could not store its answer, is interrupted.

export type KeyedRequestEnv = Pick<
  TenancyEnv,
  "db" | "clock" | "random" | "log" | "secrets" | "config" | "metrics" | "openClaims"
> & { node: Pick<Node, "processId"> };

/** The owner of idempotency keys: the credential that has them, and the owner of the limit that they count against. */
export type KeyOwner = { credential: string; owner: string };

/**
 * A request with a key. `isAtomic`: its only effect is one write, which stores the answer too (`completeWithin`). So a
 * claim without an answer proves that nothing was done.
 */
export type KeyedRequest = KeyOwner & { key: string; fingerprint: string; isAtomic: boolean };

/** The answer for a client. `body` is undefined if it is too large to be stored. */
export type KeptAnswer = { status: number; headers: Record<string, string>; body: string | undefined };

/** The run that answers a request. `isStored`: its answer was stored together with the effect. */
export type Claim = ClaimId & { isAtomic: boolean; isStored: boolean };

/** Stores the answer to a request in the write of its effect. */
export type Completion<Result> = (tx: Tx, result: Result) => Promise<void>;

const TTL_MS = DAY_MS;
/** A claim of another live process that is older than any request takes. */
const LONGEST_REQUEST_MS = 10 * MINUTE_MS;
const RETRY_AFTER_SECONDS = 1;
/** The longest stored body, in characters. */
const MAX_BODY = 256 * 1024;

const idOf = ({ credential, key }: Pick<KeyedRequest, "credential" | "key">): string => sha256(`${credential}\n${key}`);
const sealedRow = (id: string): string => `keyed_requests:${id}:sealed`;

/**
 * Claims a request: `claimed` is to be carried out, `answered` was carried out before. An interrupted claim is carried
 * out again only if it is atomic.
 * @throws AppError IDEMPOTENCY_KEY_REUSED for another request, IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_ANSWER_LOST, or
 *   LIMIT_REACHED
 */
export const claimRequest = async (
  env: KeyedRequestEnv,
  asked: KeyedRequest,
): Promise<{ is: "claimed"; claim: Claim } | { is: "answered"; answer: KeptAnswer }> => {
  const claim: Claim = { id: idOf(asked), claim: newId(env), isAtomic: asked.isAtomic, isStored: false };
  env.openClaims.add(claim.claim);
  try {
    // an atomic request lasts as long as its effect: both are in one log
    const sealed = await env.db.write((tx) => claimWithin(env, tx, asked, claim), { isDurable: !asked.isAtomic });
    if (sealed === undefined) return { is: "claimed", claim };
    env.openClaims.delete(claim.claim);
    return { is: "answered", answer: openedAnswer(env, claim.id, sealed) };
  } catch (refusal) {
    env.openClaims.delete(claim.claim);
    throw refusal;
  }
};

/** The sealed answer of an earlier request; undefined when the claim was made. */
const claimWithin = async (
  env: KeyedRequestEnv,
  tx: Tx,
  asked: KeyedRequest,
  { id, claim }: ClaimId,
): Promise<string | undefined> => {
  const claimedAt = env.clock.now();
  const { processId } = env.node;
  const known = await findKeyedRequest(tx, id, claimedAt);
  if (known) {
    const { sealed } = known;
    if ((await stateOf(env, tx, known, asked)) === "free")
      takeOverKeyedRequest(tx, { id, claim, processId, claimedAt });
    return sealed ?? undefined;
  }
  const { owner, fingerprint } = asked;
  await requireRoom(env, tx, { collection: "keyed-requests", owner });
  await insertKeyedRequest(tx, { id, owner, fingerprint, claim, processId, claimedAt, expiresAt: claimedAt + TTL_MS });
  return undefined;
};

/**
 * Checks that a key could be used for this request now, without using it.
 * @throws AppError as `claimRequest`
 */
export const checkRequest = (env: KeyedRequestEnv, asked: KeyedRequest): Promise<void> =>
  env.db.read(async (reader) => {
    const known = await findKeyedRequest(reader, idOf(asked), env.clock.now());
    if (known) await stateOf(env, reader, known, asked);
  });

/** Whether a known request has its answer, or is free to be carried out again. Throws in any other state. */
const stateOf = async (
  env: KeyedRequestEnv,
  r: Reader,
  known: KeyedRequestRow,
  { fingerprint, isAtomic }: KeyedRequest,
): Promise<"answered" | "free"> => {
  if (known.fingerprint !== fingerprint) throw reused();
  if (known.sealed !== null) return "answered";
  if (known.claim === ERASED) throw lost("The answer to the first request was erased. It was carried out.");
  if (!(await isInterrupted(env, r, known))) throw inProgress();
  if (!isAtomic) throw lost(INTERRUPTED);
  return "free";
};

const isInterrupted = async (
  { node, openClaims, db, clock }: KeyedRequestEnv,
  r: Reader,
  { processId, claim, claimedAt }: KeyedRequestRow,
): Promise<boolean> => {
  if (processId === node.processId) return !openClaims.has(claim);
  if (!db.isShared) return true; // one process at a time serves a file
  return claimedAt + LONGEST_REQUEST_MS < clock.now() || !(await isLive(r, processId));
};

/**
 * Stores the answer of a claim in the write of its effect, so that both are on disk or neither.
 * @throws AppError IDEMPOTENCY_IN_PROGRESS when another run has taken the request over; the write is undone
 */
export const completeWithin = async (env: KeyedRequestEnv, tx: Tx, claim: Claim, answer: KeptAnswer): Promise<void> => {
  if (!(await answerKeyedRequest(tx, claim, sealedAnswer(env, claim.id, answer)))) throw inProgress();
  tx.atCommit(() => {
    claim.isStored = true;
  });
};

/** Whether an answer is stored. A failed atomic request has done nothing, so its failure is not stored. */
const isKept = ({ isAtomic }: Claim, { status }: KeptAnswer): boolean => status < 400 || (status >= 500 && !isAtomic);

/**
 * Ends a claim. A refusal (4xx) did nothing, so its key is free again. Any other answer is stored. A failure to store is
 * logged: a repeat is then refused, because its answer is lost.
 */
export const endClaim = async (env: KeyedRequestEnv, claim: Claim, answer: KeptAnswer): Promise<void> => {
  try {
    if (claim.isStored) return;
    const sealed = isKept(claim, answer) ? sealedAnswer(env, claim.id, answer) : undefined;
    await env.db.write(async (tx) => {
      if (sealed === undefined) await deleteKeyedRequest(tx, claim);
      else await answerKeyedRequest(tx, claim, sealed);
    });
  } catch (error) {
    env.log.error({ status: answer.status, error: reasonOf(error) }, "the answer to a request was not stored");
  } finally {
    env.openClaims.delete(claim.claim);
  }
};

const sealedAnswer = ({ secrets }: KeyedRequestEnv, id: string, { body, ...answer }: KeptAnswer): string =>
  secrets.seal(
    sealedRow(id),
    JSON.stringify({ ...answer, ...(body === undefined || body.length > MAX_BODY ? {} : { body }) }),
  );

const openedAnswer = ({ secrets }: KeyedRequestEnv, id: string, sealed: string): KeptAnswer => {
  const answer = JSON.parse(secrets.open(sealedRow(id), sealed)) as KeptAnswer;
  if (answer.body === undefined) throw lost("The first request was carried out. Its answer was too large to be kept.");
  return answer;
};

const reused = () =>
  new AppError("IDEMPOTENCY_KEY_REUSED", {
    message: "The Idempotency-Key was used for a different request. Nothing was done; use a new key for a new request.",
  });

const inProgress = () =>
  new AppError("IDEMPOTENCY_IN_PROGRESS", {
    message: "A request with the same Idempotency-Key is being answered. Repeat this one later.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

const INTERRUPTED =
  "The server stopped while it answered the first request with this Idempotency-Key. Whether it was carried out is not " +
  "known. Look at what there is now; use a new key to do it again.";

const lost = (message: string) => new AppError("IDEMPOTENCY_ANSWER_LOST", { message });
