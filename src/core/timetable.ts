import { AppError } from "../kernel/errors.ts";
import type { CronLine } from "../runtime/cron.ts";
import type { Tx } from "../store/engine/db.ts";
import { backUpNow } from "./backups.ts";
import type { Env } from "./env.ts";
import { type Requester, recordAct } from "./tenancy/audit/audit.ts";

/**
 * TABLE: the jobs that an administrator may start now. `scheduler` wakes the runner: scheduled messages are jobs of
 * their own.
 */
const RUN_NOW: Readonly<Record<string, (env: Pick<Env, "jobs" | "backups">, tx: Tx) => void>> = {
  backup: backUpNow,
  charges: ({ jobs }, tx) => jobs.enqueue(tx, "charges.compare", {}),
  dunning: ({ jobs }, tx) => jobs.enqueue(tx, "dunning.run", {}),
  invoices: ({ jobs }, tx) => jobs.enqueue(tx, "invoices.close", {}),
  "media-retention": ({ jobs }, tx) => jobs.enqueue(tx, "media.expire", {}),
  scheduler: ({ jobs }, tx) => jobs.wakeAfter(tx),
  updates: ({ jobs }, tx) => jobs.enqueue(tx, "updates.look", {}),
};

/**
 * Starts the job of that name now.
 * @throws AppError JOB_UNKNOWN.
 */
export const runNow = async (
  env: Pick<Env, "clock" | "db" | "jobs" | "log" | "backups">,
  by: Requester,
  name: string,
): Promise<void> => {
  const run = Object.hasOwn(RUN_NOW, name) ? RUN_NOW[name] : undefined;
  if (!run) throw new AppError("JOB_UNKNOWN", { message: "There is no job with this name." });
  await env.db.write(async (tx) => {
    run(env, tx);
    await recordAct(env, tx, by, { action: "job.run", target: name });
  });
};

/** TABLE: the work at fixed times. A month is closed on its first day, or on the first day that the server runs. */
export const cronLines = ({
  jobs,
  backups,
  config: { alerts, updateUrl },
}: Pick<Env, "jobs" | "backups"> & { config: Pick<Env["config"], "alerts" | "updateUrl"> }): CronLine[] => [
  ...(alerts.mail.length > 0 || alerts.url || alerts.telegram
    ? [{ name: "alerts", pattern: "* * * * *", fire: (tx: Tx) => jobs.enqueue(tx, "alerts.look", {}) }]
    : []),
  { name: "prune", pattern: "17 * * * *", fire: (tx) => jobs.enqueue(tx, "store.prune", {}) },
  { name: "refresh", pattern: "41 3 * * *", fire: (tx) => jobs.enqueue(tx, "channels.refresh", {}) },
  { name: "templates", pattern: "53 4 * * *", fire: (tx) => jobs.enqueue(tx, "templates.sync-all", {}) },
  { name: "agents", pattern: "23 * * * *", fire: (tx) => jobs.enqueue(tx, "agents.expire", {}) },
  { name: "invoices", pattern: "0 3 * * *", fire: (tx) => jobs.enqueue(tx, "invoices.close", {}) },
  { name: "reconcile", pattern: "30 4 * * *", fire: (tx) => jobs.enqueue(tx, "invoices.reconcile", {}) },
  { name: "dunning", pattern: "11 * * * *", fire: (tx) => jobs.enqueue(tx, "dunning.run", {}) },
  { name: "recordings", pattern: "47 * * * *", fire: (tx) => jobs.enqueue(tx, "recordings.expire", {}) },
  { name: "media-retention", pattern: "5 * * * *", fire: (tx) => jobs.enqueue(tx, "media.expire", {}) },
  { name: "charges", pattern: "37 6 * * *", fire: (tx) => jobs.enqueue(tx, "charges.compare", {}) },
  ...(backups
    ? [{ name: "backup", pattern: backups.pattern, fire: (tx: Tx) => jobs.enqueue(tx, "backup.make", {}) }]
    : []),
  ...(updateUrl === undefined
    ? []
    : [{ name: "updates", pattern: "38 5 * * *", fire: (tx: Tx) => jobs.enqueue(tx, "updates.look", {}) }]),
];
