import { objectsOf, type Stream } from "./hrana.ts";
import { beginOn, type Failure, type RemoteTransaction } from "./remote-transaction.ts";
import { createRemoteWrite } from "./remote-write.ts";
import {
  awaitedElsewhere,
  type Finished,
  type Hooks,
  type Outcome,
  outcomeOf,
  whenNothingIsReady,
} from "./write-group.ts";

/** How one write is run on the server. */
export type RemoteBody<Result> = (scope: RemoteScope) => Promise<Result>;

/**
 * What a running write holds, as `WriteScope` says. Statements that are run travel with the next one that is waited
 * for, or with the commit.
 */
export type RemoteScope = {
  check(): void;
  rows(sql: string, params: readonly unknown[]): Promise<unknown[][]>;
  objects(sql: string, params: readonly unknown[]): Promise<Record<string, unknown>[]>;
  run(sql: string, params: readonly unknown[]): void;
  atCommit(hook: () => void): void;
  afterCommit(hook: () => void): void;
};

type Queued = { body: RemoteBody<unknown> };

/** What became of a group. `failure`: the transaction itself was lost, and every outcome says so. */
export type RemoteGroup<Item> = { finished: Finished<Item>[]; failure: Failure | undefined };

const MAX_GROUP = 512;
/**
 * After so long no further write begins in a group: the server takes the lock away from who holds it for five seconds
 * while others wait.
 */
const GROUP_BUDGET_MS = 200;

/**
 * Runs as many of the queued writes as fit into one transaction, one after the other, and commits it. A write that
 * fails undoes itself alone (savepoint). Writes that wait for no rows cost no request of their own. Never rejects.
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

/**
 * Runs one write as far as its end is known to the body; what its last statements come to is known, and told by the
 * result, once the group has been committed.
 */
const runItem = async <Item extends Queued>(
  transaction: RemoteTransaction,
  item: Item,
): Promise<() => Finished<Item>> => {
  const hooks: Hooks = { atCommit: [], afterCommit: [] };
  const write = createRemoteWrite(transaction);
  const { check, ask, run } = write;
  const scope: RemoteScope = {
    check,
    rows: (sql, params) => ask(sql, params, ({ rows }) => rows),
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
