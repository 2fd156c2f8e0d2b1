import { newCustomer, TO, wamidOf } from "../customers/customer.ts";
import { untilTrue } from "../waiting.ts";
import { startWorld, type World } from "../world.ts";
import { countStatements, type Ran, type Statements } from "./statements.ts";

/**
 * The requests of one step of a message's life to the database. `commits`: the transactions of this step. `ms`: the
 * library's time for it.
 */
type Cost = { step: string; reads: number; writes: number; rows: number; commits: number; ms: number };
/** A part of a message's life, until the customer's webhook has answered. */
type Part = { title: string; costs: Cost[] };

type Table = readonly (readonly [step: string, pattern: RegExp])[];

/** TABLE: statements that are a step in any transaction. */
const ANYWHERE: Table = [
  ["limits", /INTO rate_windows/],
  ["done", /DELETE FROM jobs|running = running - 1/],
  ["claimed", /claims = claims \+ 1|running = running \+ \?|FROM queues WHERE running|INTO processes/],
  ["enqueued", /INTO (jobs|queues)\b/],
];

/** TABLE: statements that are a step in the write of their cause. */
const WITHIN: Table = [
  ["event", /INTO events\b|FROM subscriptions\b|FROM queues WHERE key = \?1 AND coalesce/],
  ["delivery", /INTO deliveries\b/],
];

/** TABLE: the step that a transaction is, by a statement that no other has. */
const TRANSACTIONS: Table = [
  ["attempt", /INTO attempts\b/],
  ["envelope", /INTO upstream_envelopes\b/],
  ["accepted", /INTO messages\b/],
  ["received", /INTO received_messages\b/],
  ["begun", /UPDATE messages SET send_state = 'SENDING'/],
  ["moved on", /UPDATE messages\b/],
];

const stepIn = (table: Table, sql: string): string | undefined => table.find(([, pattern]) => pattern.test(sql))?.[0];

/**
 * Finds the step of each statement: its own, else the step of its transaction. A read outside a transaction belongs to
 * the next statement that is a step.
 */
const costsOf = (ran: readonly Ran[]): Cost[] => {
  const costs = new Map<string, Cost>();
  const costOf = (step: string): Cost => {
    const cost = costs.get(step) ?? { step, reads: 0, writes: 0, rows: 0, commits: 0, ms: 0 };
    costs.set(step, cost);
    return cost;
  };
  const stepOf = (transaction: number): string | undefined => {
    const own = ran.filter((one) => one.transaction === transaction);
    return stepIn(TRANSACTIONS, own.map(({ sql }) => sql).join("\n"));
  };
  for (const [index, { sql, changed, ms, transaction }] of ran.entries()) {
    const next = ran.slice(index).find((one) => one.transaction !== undefined && stepOf(one.transaction) !== undefined);
    const own = stepOf(transaction ?? next?.transaction ?? Number.NaN);
    const isInCause = transaction !== undefined && own !== "attempt";
    const step = stepIn(ANYWHERE, sql) ?? (isInCause ? stepIn(WITHIN, sql) : undefined) ?? own ?? "other";
    const cost = costOf(step);
    cost.rows += changed;
    cost.ms += ms;
    if (/^\s*select/i.test(sql)) cost.reads++;
    else cost.writes++;
    const isFirst = transaction !== undefined && ran.findIndex((one) => one.transaction === transaction) === index;
    if (isFirst) costOf(own ?? step).commits++;
  }
  return [...costs.values()];
};

/** Resolves when no job runs, and no statement has come for many turns of the loop. */
const untilQuiet = async (w: World, statements: Statements): Promise<void> => {
  let [count, turns] = [-1, 0];
  await untilTrue(() => {
    turns = statements.count === count && w.app.runner.running === 0 ? turns + 1 : 0;
    count = statements.count;
    return turns > 20;
  });
};

/** The median of the values. */
const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const commitsOf = (life: readonly Part[]): number =>
  life.flatMap(({ costs }) => costs).reduce((sum, { commits }) => sum + commits, 0);

/**
 * The life with the fewest transactions, with the medians of all times: on a busy machine a write may come too late for
 * the transaction of another.
 */
const timed = (lives: readonly Part[][]): Part[] =>
  (lives.toSorted((a, b) => commitsOf(a) - commitsOf(b))[0] ?? []).map(({ title, costs }, part) => ({
    title,
    costs: costs.map((cost) => ({
      ...cost,
      ms: middleOf(
        lives.flatMap((life) => life[part]?.costs.filter(({ step }) => step === cost.step).map(({ ms }) => ms) ?? []),
      ),
    })),
  }));

/** The life of a sent message, and of a received one: one at a time, after two others of the same kind. */
const measureCosts = async (lives: number): Promise<Part[]> => {
  const statements = countStatements();
  const w = await startWorld({ isRemote: false });
  try {
    const c = await newCustomer(w);
    const during = async (title: string, act: () => Promise<unknown>): Promise<Part> => {
      await untilQuiet(w, statements);
      const arrived = c.hook.arrived.length;
      statements.taken();
      await act();
      await c.hook.received(arrived + 1);
      await untilQuiet(w, statements);
      return { title, costs: costsOf(statements.taken()) };
    };
    const life = async (): Promise<Part[]> => {
      let id = "";
      const sent = await during("Accepted, until SENT is delivered", async () => {
        ({ messageId: id } = (await c.send()).body);
      });
      const wamid = wamidOf(w, id);
      const reported = (status: "delivered" | "read") =>
        during(`Receipt \`${status}\`, until it is delivered`, () => w.graph.deliverStatuses(wamid, [status]));
      const text = { to: c.phone.phoneNumberId, from: TO, text: "oi" };
      return [
        sent,
        await reported("delivered"),
        await reported("read"),
        await during("Inbound, until it is delivered", () => w.graph.inbound.text(text)),
      ];
    };
    await life();
    await life();
    const measured: Part[][] = [];
    for (let n = 0; n < lives; n++) measured.push(await life());
    return timed(measured);
  } finally {
    await w.stop();
    statements.stop();
  }
};

const rowOf = ({ step, reads, writes, rows, commits, ms }: Cost): string =>
  `| ${step} | ${reads + writes} | ${writes} | ${rows} | ${commits} | ${ms.toFixed(3)} |`;

const totalOf = (costs: readonly Cost[]): Cost => {
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  return {
    step: "**all**",
    reads: sum(({ reads }) => reads),
    writes: sum(({ writes }) => writes),
    rows: sum(({ rows }) => rows),
    commits: sum(({ commits }) => commits),
    ms: sum(({ ms }) => ms),
  };
};

/** The number of messages that are timed for the page. */
const LIVES = 50;

const HEAD = `# What a message costs

SQL statements, those of them that may change something, rows that they changed, and transactions, by step. One message
at a time, over a WABA phone with one webhook, after others to the same person. Under load writes share transactions,
and one claim takes many jobs. BEGIN, COMMIT and savepoints are not counted.

Milliseconds are the middle of ${LIVES} lives, in SQLite alone, with BEGIN and COMMIT and without the sync. They are those
of one machine on one day.

\`bun scripts/costs.ts\` writes this page; \`test/costs.test.ts\` counts again, all but the milliseconds.
`;

/** The page scripts/costs.md with the present costs of this program. `lives`: the number of timed messages. */
export const costsPage = async (lives: number = LIVES): Promise<string> => {
  const parts = (await measureCosts(lives)).map(({ title, costs }) =>
    [
      `## ${title}`,
      "",
      "| Step | Statements | of them writes | Rows | Transactions | ms |",
      "|---|---|---|---|---|---|",
      ...[...costs, totalOf(costs)].map(rowOf),
      "",
    ].join("\n"),
  );
  return [HEAD, ...parts].join("\n");
};
