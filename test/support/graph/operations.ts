import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { AdvancingClock, Clock } from "../../../src/kernel/clock.ts";
import { issuesOf } from "../../../src/kernel/schema.ts";

/**
 * The controls of a simulator over HTTP: the same as in the process. Each takes one JSON object and answers with JSON.
 */
export type Operation = { schema: TSchema; run(args: unknown): unknown };

/** Answers `/_sim/*` requests; the rest goes to the simulated host. */
export type Control = (path: string, request: Request) => Promise<Response>;

/** An order of the control API that is not in its form. */
class Refused extends Error {}

export const operation = <Schema extends TSchema>(
  schema: Schema,
  run: (args: Static<Schema>) => unknown,
): Operation => ({
  schema,
  run: (args) => {
    if (Value.Check(schema, args)) return run(args);
    throw new Refused(
      issuesOf(schema, args)
        .map(({ path, message }) => `${path} ${message}`)
        .join("; "),
    );
  },
});

const isAdvancing = (clock: Clock): clock is AdvancingClock => "advance" in clock;

/** Moves a clock that can be moved. */
export const advance = (clock: Clock, byMs: number): void => {
  if (!isAdvancing(clock)) throw new Refused("this clock cannot be advanced");
  clock.advance(byMs);
};

/**
 * Operations over HTTP: `POST /_sim/<name>` with its arguments; those without any take a GET too. 404 for an unknown
 * operation, 400 for arguments of a wrong form.
 */
export const serveOperations =
  (operations: Record<string, Operation>): Control =>
  async (path, request) => {
    const found = operations[path];
    if (!found)
      return Response.json(
        { error: `there is no operation ${path}`, operations: Object.keys(operations) },
        { status: 404 },
      );
    try {
      return Response.json({ result: (await found.run(await argumentsOf(request))) ?? null });
    } catch (thrown) {
      return Response.json({ error: thrown instanceof Error ? thrown.message : String(thrown) }, { status: 400 });
    }
  };

const argumentsOf = async (request: Request): Promise<unknown> => {
  const text = await request.text();
  return text === "" ? {} : JSON.parse(text);
};
