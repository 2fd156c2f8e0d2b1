import {
  doubtQueued,
  dropJobsOf,
  failDue,
  forgetProcesses,
  listChannelsOf,
  listRunningBatches,
} from "../store/backup/restored.ts";
import type { Tx } from "../store/engine/db.ts";
import { renewInstallation } from "./backups.ts";
import { openRestoredKeyStore } from "./channels/settings/vault.ts";
import type { Env } from "./env.ts";
import { failRest } from "./messaging/batches/batch-settle.ts";
import { type Requester, recordAct } from "./tenancy/audit/audit.ts";

/** A restored backup. `madeAt`: when the backup was made, in ISO 8601, if it is known. */
export type Restored = { file: string; madeAt: string | null };

/** The changes to a restored database: sessions whose keys were repaired, and sends whose outcome is unknown. */
export type Mended = {
  sessions: number;
  doubted: { messages: number; scheduled: number; batches: number; answers: number };
};

const NONE = { messages: 0, scheduled: 0, batches: 0, answers: 0 };
const REASON = "the database was restored from a backup: it may have been sent since that was made";

/**
 * Prepares a database from a backup to be served. Time and the networks have moved on since the backup was made.
 * - Jobs that ran then run no more, and used keys are not used again.
 * - A message that may have been sent since is not sent blindly. A session repeats it under its message id; for other
 *   kinds the operator's policy decides.
 * - The audit log records the restore and the time of the backup. Entries later than the backup are lost.
 * Repeating it does no harm.
 */
export const mendRestored = async (env: Env, by: Requester, { file, madeAt }: Restored): Promise<Mended> => {
  await env.db.write(forgetProcesses);
  const sessions = await repairKeyStores(env);
  const doubted = await env.db.write(async (tx) => {
    await renewInstallation(env, tx);
    await recordAct(env, tx, by, { action: "backup.restore", target: file, details: { madeAt } });
    return env.config.uncertainSends === "resend" ? NONE : doubtSends(env, tx);
  });
  return { sessions, doubted };
};

const repairKeyStores = async (env: Env): Promise<number> => {
  let mended = 0;
  for (const kind of env.registry.kinds) {
    const plugin = env.registry.ofKind(kind);
    if (!plugin?.restored) continue;
    for (const { id } of await env.db.read((reader) => listChannelsOf(reader, kind))) {
      await plugin.restored(await openRestoredKeyStore(env, id), env);
      mended += 1;
    }
  }
  return mended;
};

/** A queued message, a due one, or one of an unfinished job may have been sent since the backup. */
const doubtSends = async (env: Env, tx: Tx): Promise<Mended["doubted"]> => {
  const recognising = env.registry.kinds.filter((kind) => env.registry.ofKind(kind)?.capabilities.choosesMessageIds);
  const messages = await doubtQueued(tx, recognising);
  const scheduled = await failDue(tx, env.clock.now(), REASON);
  const answers = await dropJobsOf(tx, "agent.respond");
  const batches = await listRunningBatches(tx);
  for (const batch of batches) {
    await failRest(env, tx, batch, { code: "OUTCOME_UNKNOWN", message: `${REASON}.` });
  }
  return { messages, scheduled, batches: batches.length, answers };
};
