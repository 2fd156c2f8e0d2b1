import type { Connection, Statement } from "./connection.ts";

/** The body of one write on the writer connection. */
export type WriteBody<Result> = (scope: WriteScope) => Promise<Result>;

/**
 * The parts of a running write: its statements, and the hooks that run with its commit or once it is on disk. Refuses
 * everything after the write has ended.
 */
export type WriteScope = {
  objects(sql: string, params: readonly unknown[]): Record<string, unknown>[];
  /**
   * Runs a statement whose rows only `take` needs, if at all. A failure fails the write, even when the body catches it.
   */
  run(sql: string, params: readonly unknown[], take?: (rows: unknown[][]) => void): void;
  atCommit(hook: () => void): void;
  afterCommit(hook: () => void): void;
};

export type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };
export type Hooks = { atCommit: (() => void)[]; afterCommit: (() => void)[] };
export type Finished<Item> = { item: Item; outcome: Outcome; hooks: Hooks };

/**
 * The outcome of a group. `isUndone`: the only write that had changed something failed, so there is nothing to commit.
 * `failure`: the transaction itself failed, so nothing of it was kept and every outcome says so.
 */
export type Group<Item> = {
  finished: Finished<Item>[];
  hasChanged: boolean;
  isUndone: boolean;
  failure: { error: unknown } | undefined;
};

const MAX_GROUP = 512;
/** A group ends after this time, so that requests are served between groups. */
const GROUP_BUDGET_MS = 4;

/** BUSY or LOCKED. Anywhere but at BEGIN, the connection would go on to acknowledge writes that it never commits. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error && /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown }).code));

/** Runs statements that control the transaction, each parsed once. */
const control = (writer: Connection, ...texts: readonly string[]): void => {
  for (const text of texts) writer.prepare(text).run([]);
};

export const beginGroup = (writer: Connection): void => control(writer, "BEGIN IMMEDIATE");

/**
 * Runs as many queued writes as fit into the begun transaction, and commits it. A failed write is rolled back alone: by
 * a savepoint, or with the transaction when no other write had changed anything yet. Then the group ends, and the
 * writes behind it are for the next one. Never rejects.
 */
export const runGroup = async <Item extends { body: WriteBody<unknown> }>(
  writer: Connection,
  queue: readonly Item[],
): Promise<Group<Item>> => {
  const startedAt = performance.now();
  const group: Group<Item> = { finished: [], hasChanged: false, isUndone: false, failure: undefined };
  for (const item of queue.slice(0, MAX_GROUP)) {
    if (
      group.failure ||
      group.isUndone ||
      (group.finished.length > 0 && performance.now() - startedAt > GROUP_BUDGET_MS)
    )
      break;
    group.finished.push(await runItem(writer, item, group));
  }
  commit(writer, group);
  return group;
};

const commit = <Item>(writer: Connection, group: Group<Item>): void => {
  if (!group.failure && !group.isUndone) attempt(group, () => control(writer, "COMMIT"));
  if (!group.failure) return;
  const { error } = group.failure;
  if (writer.inTransaction) attempt(group, () => control(writer, "ROLLBACK"));
  for (const one of group.finished) one.outcome = { ok: false, error };
};

/** Runs a step of the group's transaction. A failure fails the group. */
const attempt = <Item>(group: Group<Item>, act: () => void): void => {
  try {
    act();
  } catch (error) {
    group.failure ??= { error };
  }
};

/** The way to revert one write. */
type Undo = "nothing" | "the transaction" | "its savepoint";

/** Ends a write that has changed something: keeps its changes, or reverts only them. */
const settle = <Item>(writer: Connection, group: Group<Item>, undo: Undo, isKept: boolean): void => {
  if (undo === "its savepoint") {
    attempt(group, () => control(writer, ...(isKept ? ["RELEASE item"] : ["ROLLBACK TO item", "RELEASE item"])));
  } else if (undo === "the transaction" && !isKept) {
    attempt(group, () => control(writer, "ROLLBACK"));
    group.isUndone = true;
    group.hasChanged = false;
  }
};

const runItem = async <Item extends { body: WriteBody<unknown> }>(
  writer: Connection,
  item: Item,
  group: Group<Item>,
): Promise<Finished<Item>> => {
  const hooks: Hooks = { atCommit: [], afterCommit: [] };
  const write: { isOver: boolean; undo: Undo; failure?: { error: unknown } } = { isOver: false, undo: "nothing" };
  const check = () => {
    if (write.isOver) throw new Error("a statement came after its write had ended");
    if (write.failure) throw write.failure.error;
    if (group.failure) throw group.failure.error; // the transaction has ended: a statement would now commit by itself
  };
  const use = <Rows>(sql: string, run: (statement: Statement) => Rows): Rows => {
    check();
    try {
      const statement = writer.prepare(sql);
      if (statement.isWrite && write.undo === "nothing") {
        if (group.hasChanged) control(writer, "SAVEPOINT item");
        write.undo = group.hasChanged ? "its savepoint" : "the transaction";
        group.hasChanged = true;
      }
      return run(statement);
    } catch (error) {
      // a full disk makes SQLite roll everything back by itself
      if (isLocked(error) || !writer.inTransaction) group.failure ??= { error };
      throw error;
    }
  };
  const scope: WriteScope = {
    objects: (sql, params) => use(sql, (statement) => statement.objects(params)),
    run(sql, params, take) {
      try {
        use(sql, (statement) => (take ? take(statement.rows(params)) : statement.run(params)));
      } catch (error) {
        write.failure ??= { error };
        throw error;
      }
    },
    atCommit: (hook) => (check(), void hooks.atCommit.push(hook)),
    afterCommit: (hook) => (check(), void hooks.afterCommit.push(hook)),
  };
  const said = await withinTurn(item.body, scope);
  const outcome: Outcome = said.ok && write.failure ? { ok: false, ...write.failure } : said;
  write.isOver = true;
  if (!group.failure) settle(writer, group, write.undo, outcome.ok);
  return { item, outcome, hooks };
};

/** The outcome of a body. A body that waits for anything but its own statements is refused. */
const withinTurn = (body: WriteBody<unknown>, scope: WriteScope): Promise<Outcome> =>
  new Promise((resolve) => {
    // resolving a second time does nothing
    whenNothingIsReady(() => resolve(awaitedElsewhere()));
    void outcomeOf(() => body(scope)).then(resolve);
  });

export const awaitedElsewhere = (): Outcome => ({
  ok: false,
  error: new Error("a write awaited something other than its own statements"),
});

export const outcomeOf = async (act: () => Promise<unknown>): Promise<Outcome> => {
  try {
    return { ok: true, value: await act() };
  } catch (error) {
    return { ok: false, error };
  }
};

/**
 * Calls back when every ready promise has continued: a tick that is set within a microtask runs after all of them. It
 * waits twice, because the first tick of a process comes too early. An immediate would be too late: Bun may finish a
 * whole request before it.
 */
export const whenNothingIsReady = (resume: () => void): void =>
  queueMicrotask(() => process.nextTick(() => queueMicrotask(() => process.nextTick(resume))));
