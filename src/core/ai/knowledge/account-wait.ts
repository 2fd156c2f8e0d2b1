import { MINUTE_MS } from "../../../kernel/clock.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader } from "../../../store/engine/db.ts";
import { findAccountState } from "../../../store/tables/tenancy/tenants.ts";
import { waitingSince } from "../../messaging/sending/send-waits.ts";
import { findRefusal } from "../../tenancy/accounts/accounts.ts";
import type { AiEnv } from "../env.ts";

/** How often a waiting job looks whether its account may be used again. */
const LOOK_MS = 30 * MINUTE_MS;

/**
 * The wait of a job whose account is suspended or inactive: its provider gets no request meanwhile, and nothing is lost.
 * Undefined for an active account.
 */
export const waitForAccount = async (env: AiEnv, tenantId: TenantId): Promise<JobOutcome | undefined> => {
  const refusal = await env.db.read((reader) => findRefusal(reader, tenantId));
  return refusal && { is: "snooze", atMs: env.clock.now() + LOOK_MS, error: refusal };
};

/** The start of the time that work may take: a suspension of its account takes nothing from it. */
export const countedFrom = async (r: Reader, { tenantId, at }: { tenantId: TenantId; at: number }): Promise<number> =>
  waitingSince(at, await findAccountState(r, tenantId));
