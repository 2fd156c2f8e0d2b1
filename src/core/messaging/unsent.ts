import type { MessageId } from "../../kernel/ids.ts";
import type { Db } from "../../store/db.ts";
import { type MessageRow, updateMessage } from "../../store/messages.ts";
import { requireNode } from "../../store/nodes.ts";

type SendState = MessageRow["sendState"];

/**
 * The tries whose beginning may have been stored, and that certainly never left this process: the answer of the
 * database was lost, and the network was not called. By the claim of their job. Another claim knows nothing of them.
 */
export type UnsentTries = Map<string, Unsent>;
type Unsent = { messageId: MessageId; before: SendState };

/** More than jobs run at once. Beyond it the oldest are forgotten, which leaves them uncertain. */
const MOST = 10_000;

/** Notes that a try of this claim did not leave. `before`: what is true of the message without it. */
export const noteUnsent = (tries: UnsentTries, claim: string, { id, sendState }: MessageRow): void => {
  const [oldest] = tries.keys();
  if (tries.size >= MOST && oldest !== undefined) tries.delete(oldest);
  tries.set(claim, { messageId: id, before: sendState });
};

type Env = { db: Db; node: { readonly processId: string; isSafe(): boolean }; unsentTries: UnsentTries };

/** The message without a try of this claim that never left. It is stored so first: the message may have to wait now. */
export const withoutUnsent = async (env: Env, claim: string, message: MessageRow): Promise<MessageRow> => {
  const unsent = env.unsentTries.get(claim);
  if (unsent?.messageId !== message.id) return message;
  await takeBack(env, [unsent]);
  env.unsentTries.delete(claim);
  return { ...message, sendState: unsent.before };
};

/** Stores at a stop that these tries never left: otherwise the next process would call them uncertain. */
export const giveBackUnsent = async ({ db, node, unsentTries }: Env): Promise<void> => {
  const tries = [...unsentTries.values()];
  if (tries.length === 0 || !node.isSafe()) return; // the node that has their jobs now may have tried them
  await takeBack({ db, node }, tries);
  unsentTries.clear();
};

const takeBack = ({ db, node }: Pick<Env, "db" | "node">, tries: Iterable<Unsent>): Promise<void> =>
  db.write(async (tx) => {
    if (db.isShared) requireNode(tx, node.processId);
    for (const { messageId, before } of tries) await updateMessage(tx, messageId, ["QUEUED"], { sendState: before });
  });
