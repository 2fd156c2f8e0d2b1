import {
  awaitedElsewhere,
  type Finished,
  type Hooks,
  type Outcome,
  outcomeOf,
  whenNothingIsReady,
} from "../write-group.ts";
import { objectsOf, type Stream } from "./hrana.ts";
import { beginOn, type Failure, type RemoteTransaction } from "./remote-transaction.ts";
import { createRemoteWrite } from "./remote-write.ts";

/** The body of one write on the server. */
export type RemoteBody<Result> = (scope: RemoteScope) => Promise<Result>;

/**
 * The parts of a running write, as in `WriteScope`. Statements without a result are sent with the next one that has a
 * result, or with the commit.
 */
export type RemoteScope = {
  objects(sql: string, params: readonly unknown[]): Promise<Record<string, unknown>[]>;
  run(sql: string, params: readonly unknown[], take?: (rows: unknown[][]) => void): void;
  atCommit(hook: () => void): void;
  afterCommit(hook: () => void): void;
};

type Queued = { body: RemoteBody<unknown> };

/** The outcome of a group. `failure`: the transaction itself failed, and every outcome says so. */
export type RemoteGroup<Item> = { finished: Finished<Item>[]; failure: Failure | undefined };

const MAX_GROUP = 512;
/**
 * After this time no further write begins in a group. The server takes a lock away after five seconds while others
 * wait.
 */
const GROUP_BUDGET_MS = 200;

/**
 * Runs as many queued writes as fit into one transaction, one after the other, and commits it. A failed write is rolled
 * back alone (savepoint). Writes that need no rows cost no request of their own. Never rejects.
 */
export const runRemoteGroup = async <Item extends Queued>(
  stream: Stream,
  queue: readonly Item[],
): Promise<RemoteGroup<Item>> => {
  const startedAt = performance.now();
  const transaction = beginOn(stream);
  const begun: (() => Finished<Item>)[] = [];
  for (const item of queue.slice(0, MAX_GROUP)) {
    if (transaction.failure || (begun.length > 0 && performance.now() - startedAt > GROUP_BUDGET_MS)) break;
    begun.push(await runItem(transaction, item));
  }
  await transaction.commit();
  const { failure } = transaction;
  const finished = begun.map((finish) => finish());
  return {
    finished: failure ? finished.map((one) => ({ ...one, outcome: { ok: false, error: failure.error } })) : finished,
    failure,
  };
};

/** Runs one write until its body ends. The results of its last statements are known after the commit of the group. */
const runItem = async <Item extends Queued>(
  transaction: RemoteTransaction,
  item: Item,
): Promise<() => Finished<Item>> => {
  const hooks: Hooks = { atCommit: [], afterCommit: [] };
  const write = createRemoteWrite(transaction);
  const { check, ask, run } = write;
  const scope: RemoteScope = {
    objects: (sql, params) => ask(sql, params, objectsOf),
    run,
    atCommit: (hook) => (check(), void hooks.atCommit.push(hook)),
    afterCommit: (hook) => (check(), void hooks.afterCommit.push(hook)),
  };
  let said: Outcome | undefined;
  const settled = outcomeOf(() => item.body(scope)).then((outcome) => void (said = outcome));
  while (!said && !transaction.failure) {
    await Promise.race([settled, nothingIsReady()]);
    if (said) break;
    if (write.isWaiting()) await transaction.send();
    else said = awaitedElsewhere();
  }
  const outcome = said ?? { ok: false, error: transaction.failure?.error };
  write.end(outcome.ok);
  return () => {
    const failure = write.failure();
    return { item, hooks, outcome: outcome.ok && failure ? { ok: false, ...failure } : outcome };
  };
};

const nothingIsReady = (): Promise<void> => new Promise(whenNothingIsReady);
