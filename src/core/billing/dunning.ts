import { AppError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Reader } from "../../store/engine/db.ts";
import { type InvoiceRow, listLate } from "../../store/tables/billing/invoices.ts";
import { listDunned } from "../../store/tables/tenancy/tenants.ts";
import { THE_SERVER } from "../tenancy/audit/audit.ts";
import { today } from "./days.ts";
import type { BillingEnv } from "./env.ts";
import { issueAsDue } from "./invoices/issue.ts";
import { applyStage, findMisplaced } from "./stages.ts";

const PAGE = 100;

/**
 * Moves every account that owes, or owed, to the stage of its days overdue. Each account is a write of its own, and an
 * account at its stage is skipped. So the job may stop anywhere, and running it twice has the effect of once. Invoices
 * are charged first, so that mails and refusals say where to pay.
 */
export const runDunning = async (env: BillingEnv, _job: Job<Record<string, never>>): Promise<JobOutcome> => {
  const day = today(env);
  const run: Run = { env, isProcessorAway: false };
  await applyToAll(run, (reader, page) => listLate(reader, { day, ...page }));
  await applyToAll(run, listDunned);
  return { is: "done" };
};

/** `isProcessorAway`: the processor could not be reached. No other account of this run waits for it. */
type Run = { env: BillingEnv; isProcessorAway: boolean };
type List = (reader: Reader, page: { after: string; limit: number }) => Promise<TenantId[]>;

const applyToAll = async (run: Run, list: List): Promise<void> => {
  const { env } = run;
  let after: string | undefined = "";
  while (after !== undefined) {
    const cursor: string = after;
    const page = await env.db.read((reader) => list(reader, { after: cursor, limit: PAGE }));
    for (const id of page) await applyTo(run, id);
    after = page.length === PAGE ? page.at(-1) : undefined;
  }
};

const applyTo = async (run: Run, id: TenantId): Promise<void> => {
  const { env } = run;
  const misplaced = await env.db.read((reader) => findMisplaced(env, reader, id));
  if (!misplaced) return;
  for (const invoice of misplaced.uncharged) await charge(run, invoice);
  await env.db.write((tx) => applyStage(env, tx, THE_SERVER, id));
};

/** A failed charge is left to the next job. */
const charge = async (run: Run, { id, tenantId }: InvoiceRow): Promise<void> => {
  if (run.isProcessorAway) return;
  try {
    await issueAsDue(run.env, { tenantId }, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    run.isProcessorAway = error.code === "PROCESSOR_UNAVAILABLE";
  }
};
