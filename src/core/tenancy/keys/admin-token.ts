import { isSameSecret, sha256 } from "../../../kernel/crypto.ts";
import { gatewaySecret } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { readMeta, writeMeta } from "../../../store/tables/meta.ts";
import { type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";

/**
 * Two tokens open the admin API: the token of the settings, and the token that was made here. Of the latter only the
 * SHA-256 is stored.
 */
export type AdminEnv = Pick<TenancyEnv, "db"> & { adminToken: string | undefined };

const STORED = "admin-token";

/** Whether a token was made here. */
export const hasAdminToken = async (r: Reader): Promise<boolean> => (await readMeta(r, STORED)) !== undefined;

/** Makes an admin token within a write. The earlier token that was made here is revoked. */
export const putAdminToken = async (
  env: Pick<TenancyEnv, "clock" | "log" | "random">,
  tx: Tx,
  by: Requester,
): Promise<string> => {
  const token = `adm_${gatewaySecret(env.random)}`;
  await writeMeta(tx, STORED, sha256(token));
  await recordAct(env, tx, by, { action: "admin-token.create" });
  return token;
};

/** Makes an admin token. It is shown only now. */
export const renewAdminToken = (
  env: Pick<TenancyEnv, "clock" | "db" | "log" | "random">,
  by: Requester,
): Promise<string> => env.db.write((tx) => putAdminToken(env, tx, by));

/** The access of an admin token: `disabled` when no token is valid. */
export const adminAccess = async (
  { db, adminToken }: AdminEnv,
  presented: string | null,
): Promise<"open" | "refused" | "disabled"> => {
  if (presented !== null && adminToken !== undefined && isSameSecret(presented, adminToken)) return "open";
  const stored = await db.read((reader) => readMeta(reader, STORED));
  if (presented !== null && stored !== undefined && isSameSecret(sha256(presented), stored)) return "open";
  return adminToken === undefined && stored === undefined ? "disabled" : "refused";
};
