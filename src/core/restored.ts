import { failPending } from "../store/batches.ts";
import type { Tx } from "../store/db.ts";
import {
  doubtQueued,
  dropJobsOf,
  failDue,
  forgetProcesses,
  listChannelsOf,
  listRunningBatches,
} from "../store/restored.ts";
import { renewInstallation } from "./backups.ts";
import { openRestoredKeyStore } from "./channels/vault.ts";
import type { Env } from "./env.ts";
import { goOn } from "./messaging/bulk-settle.ts";
import { recordAct } from "./tenancy/audit.ts";

/** What was restored, and of when it is, in ISO 8601, where that is known. */
export type Restored = { file: string; madeAt: string | null };

/**
 * How much of a restored database had to be changed: sessions whose keys were mended, sends of which nobody knows any
 * more whether they have been made.
 */
export type Mended = {
  sessions: number;
  doubted: { messages: number; scheduled: number; batches: number; answers: number };
};

const NONE = { messages: 0, scheduled: 0, batches: 0, answers: 0 };
const REASON = "the database was restored from a backup: it may have been sent since that was made";

/**
 * Makes a database that comes from a backup fit to be served: it goes on as if no time had passed since, and the
 * networks have gone on meanwhile. What ran then runs no more, keys that have moved on are not used again, and what may
 * have been sent since is not sent blindly: a session sends it again under its key, elsewhere the operator's policy
 * decides. The trail says that it was done, and of when the backup is: what its entries of later said is gone with
 * them. Doing it twice does no harm.
 */
export const mendRestored = async (env: Env, { file, madeAt }: Restored): Promise<Mended> => {
  await env.db.write(forgetProcesses);
  const sessions = await repairKeyStores(env);
  const doubted = await env.db.write(async (tx) => {
    await renewInstallation(env, tx);
    await recordAct(env, tx, { action: "backup.restore", target: file, details: { madeAt } });
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

/** What waits to be sent, has fallen due, or was being worked through may have gone out since. */
const doubtSends = async (env: Env, tx: Tx): Promise<Mended["doubted"]> => {
  const recognising = env.registry.kinds.filter((kind) => env.registry.ofKind(kind)?.capabilities.choosesMessageIds);
  const messages = await doubtQueued(tx, recognising);
  const scheduled = await failDue(tx, env.clock.now(), REASON);
  const answers = await dropJobsOf(tx, "agent.respond");
  const batches = await listRunningBatches(tx);
  for (const batch of batches) {
    failPending(tx, batch.id, { code: "OUTCOME_UNKNOWN", message: `${REASON}.` });
    await goOn(env, tx, batch);
  }
  return { messages, scheduled, batches: batches.length, answers };
};
