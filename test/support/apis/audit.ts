import { rowsOf } from "../customers/customer.ts";
import type { World } from "../world.ts";

export type Recorded = {
  id: number;
  at: number;
  actor: string;
  action: string;
  target: string | null;
  tenantId: string | null;
  details: Record<string, unknown>;
  hash: string;
};

/** The audit log, oldest first. */
export const auditLogOf = async (w: World): Promise<Recorded[]> =>
  (
    await rowsOf<Omit<Recorded, "details"> & { details: string }>(
      w,
      "SELECT id, at, actor, action, target, tenant_id AS tenantId, details, hash FROM audit_entries ORDER BY id",
    )
  ).map((row) => ({
    ...row,
    details: JSON.parse(row.details) as Record<string, unknown>,
  }));

/** The entries that the act adds to the audit log. */
export const recordedBy = async (w: World, act: () => Promise<unknown>): Promise<Recorded[]> => {
  const before = (await auditLogOf(w)).length;
  await act();
  return (await auditLogOf(w)).slice(before);
};
