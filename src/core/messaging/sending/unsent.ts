import type { MessageId } from "../../../kernel/ids.ts";
import type { Db } from "../../../store/engine/db.ts";
import { isNewestClaim, type JobClaim } from "../../../store/tables/jobs.ts";
import { type MessageRow, updateMessage } from "../../../store/tables/messaging/messages.ts";
import { requireNode } from "../../../store/tables/nodes.ts";

type SendState = MessageRow["sendState"];

/**
 * The tries whose beginning may have been stored, and that certainly never left this process: the answer of the
 * database was lost, and the network was not called. At most one of each message, which is true of one claim of its job
 * alone: a later claim may have sent it.
 */
export type UnsentTries = Map<MessageId, Unsent>;
type Unsent = { claim: JobClaim; before: SendState };

/** More than jobs run at once. Beyond it the oldest are forgotten, which leaves them uncertain. */
const MOST = 10_000;

/** Notes that a try of this claim did not leave. `before`: what is true of the message without it. */
export const noteUnsent = (tries: UnsentTries, claim: JobClaim, { id, sendState }: MessageRow): void => {
  const [oldest] = tries.keys();
  if (tries.size >= MOST && oldest !== undefined) tries.delete(oldest);
  tries.set(id, { claim, before: sendState });
};

type Env = { db: Db; node: { readonly processId: string; isSafe(): boolean }; unsentTries: UnsentTries };

/** The message without a try of this claim that never left. It is stored so first: the message may have to wait now. */
export const withoutUnsent = async (env: Env, { id, claims }: JobClaim, message: MessageRow): Promise<MessageRow> => {
  const unsent = env.unsentTries.get(message.id);
  const isOfClaim = unsent?.claim.id === id && unsent.claim.claims === claims;
  if (isOfClaim) await takeBack(env, [[message.id, unsent]]);
  env.unsentTries.delete(message.id);
  return isOfClaim ? { ...message, sendState: unsent.before } : message;
};

/**
 * Stores at a stop that these tries never left: otherwise the next process would call them uncertain. Not of those whose
 * job was claimed anew meanwhile: that try may have arrived.
 */
export const giveBackUnsent = async ({ db, node, unsentTries }: Env): Promise<void> => {
  const tries = [...unsentTries];
  if (tries.length === 0 || !node.isSafe()) return; // the node that has their jobs now may have tried them
  await takeBack({ db, node }, tries);
  unsentTries.clear();
};

const takeBack = ({ db, node }: Pick<Env, "db" | "node">, tries: Iterable<[MessageId, Unsent]>): Promise<void> =>
  db.write(async (tx) => {
    if (db.isShared) requireNode(tx, node.processId);
    for (const [messageId, { claim, before }] of tries)
      if (await isNewestClaim(tx, claim)) await updateMessage(tx, messageId, ["QUEUED"], { sendState: before });
  });
