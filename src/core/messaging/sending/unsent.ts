import type { MessageId } from "../../../kernel/ids.ts";
import type { Db, Tx } from "../../../store/engine/db.ts";
import { isNewestClaim, type JobClaim } from "../../../store/tables/jobs.ts";
import { type MessageRow, updateMessage } from "../../../store/tables/messaging/messages.ts";

type SendState = MessageRow["sendState"];

/**
 * The attempts whose beginning may have been stored, but that certainly never left this process: the answer of the
 * database was lost, and the network was not called. At most one of each message, and only for one claim of its job: a
 * later claim may have sent it.
 */
export type UnsentTries = Map<MessageId, Unsent>;
type Unsent = { claim: JobClaim; before: SendState };

/** More than jobs run at once. Beyond it the oldest are forgotten, which leaves them uncertain. */
const MOST = 10_000;

/** Notes that an attempt of this claim did not leave. `before`: the state of the message without it. */
export const noteUnsent = (tries: UnsentTries, claim: JobClaim, { id, sendState }: MessageRow): void => {
  const [oldest] = tries.keys();
  if (tries.size >= MOST && oldest !== undefined) tries.delete(oldest);
  tries.set(id, { claim, before: sendState });
};

type Env = { db: Db; unsentTries: UnsentTries };
type Noted = readonly [MessageId, Unsent];

/**
 * The message without an attempt of this claim that never left. It is stored in this state first: the message may have
 * to wait now.
 */
export const withoutUnsent = async (env: Env, { id, claims }: JobClaim, message: MessageRow): Promise<MessageRow> => {
  const unsent = env.unsentTries.get(message.id);
  const isOfClaim = unsent?.claim.id === id && unsent.claim.claims === claims;
  if (isOfClaim) await takeBack(env, [[message.id, unsent]]);
  env.unsentTries.delete(message.id);
  return isOfClaim ? { ...message, sendState: unsent.before } : message;
};

/** Reverts the attempt of a claim that begins but must no longer leave. `end` is in the same write. */
export const takeBackBegun = async (
  env: Env,
  claim: JobClaim,
  { id, sendState }: MessageRow,
  end: (tx: Tx) => void,
): Promise<void> => {
  await takeBack(env, [[id, { claim, before: sendState }]], end);
  env.unsentTries.delete(id);
};

/** Stores at a stop that these attempts never left: otherwise the next process would call them uncertain. */
export const giveBackUnsent = async (env: Env): Promise<void> => {
  const tries = [...env.unsentTries];
  if (tries.length > 0) await takeBack(env, tries);
  env.unsentTries.clear();
};

/**
 * Stores that attempts never left. The one guard is the claim of their job, which works between nodes too: if it is no
 * longer the newest, a later attempt may have arrived.
 */
const takeBack = ({ db }: Pick<Env, "db">, tries: readonly Noted[], end?: (tx: Tx) => void): Promise<void> =>
  db.write(async (tx) => {
    for (const [messageId, { claim, before }] of tries)
      if (await isNewestClaim(tx, claim)) await updateMessage(tx, messageId, ["QUEUED"], { sendState: before });
    end?.(tx);
  });
