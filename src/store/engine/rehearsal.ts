import type { Db, Tx } from "./db.ts";

/** Ends a write whose changes are not wanted. */
class Rehearsed extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super("a write was rehearsed");
    this.result = result;
  }
}

/**
 * `db.write`, or its rehearsal: the same body with the same checks and the same result; then everything is rolled back
 * and none of its hooks runs.
 */
export const writeOrRehearse = async <Result>(
  db: Pick<Db, "write">,
  { isDryRun }: { isDryRun: boolean | undefined },
  body: (tx: Tx) => Promise<Result>,
): Promise<Result> => {
  if (isDryRun !== true) return db.write(body);
  try {
    return await db.write(
      async (tx): Promise<Result> => {
        throw new Rehearsed(await body(tx));
      },
      { isDurable: false },
    );
  } catch (thrown) {
    if (thrown instanceof Rehearsed) return thrown.result as Result;
    throw thrown;
  }
};
