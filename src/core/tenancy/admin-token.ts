import { isSameSecret, sha256 } from "../../kernel/crypto.ts";
import { gatewaySecret } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/db.ts";
import { readMeta, writeMeta } from "../../store/meta.ts";
import { recordAct } from "./audit.ts";
import type { TenancyEnv } from "./env.ts";

/**
 * Two tokens open the admin API: the one that the operator has configured, and the one that was made here, of which
 * only the SHA-256 is kept.
 */
export type AdminEnv = Pick<TenancyEnv, "db"> & { adminToken: string | undefined };

const STORED = "admin-token";

/** Whether a token was made here. */
export const hasAdminToken = async (r: Reader): Promise<boolean> => (await readMeta(r, STORED)) !== undefined;

/** Makes an admin token within a write; the one that was made before opens nothing from now on. */
export const putAdminToken = async (
  env: Pick<TenancyEnv, "actor" | "clock" | "log" | "random">,
  tx: Tx,
): Promise<string> => {
  const token = `adm_${gatewaySecret(env.random)}`;
  await writeMeta(tx, STORED, sha256(token));
  await recordAct(env, tx, { action: "admin-token.create" });
  return token;
};

/** The same in a write of its own. The token is shown only now. */
export const renewAdminToken = (env: Pick<TenancyEnv, "actor" | "clock" | "db" | "log" | "random">): Promise<string> =>
  env.db.write((tx) => putAdminToken(env, tx));

/** What an admin token opens: `disabled` where there is none that could. */
export const adminAccess = async (
  { db, adminToken }: AdminEnv,
  presented: string | null,
): Promise<"open" | "refused" | "disabled"> => {
  if (presented !== null && adminToken !== undefined && isSameSecret(presented, adminToken)) return "open";
  const stored = await db.read((reader) => readMeta(reader, STORED));
  if (presented !== null && stored !== undefined && isSameSecret(sha256(presented), stored)) return "open";
  return adminToken === undefined && stored === undefined ? "disabled" : "refused";
};
