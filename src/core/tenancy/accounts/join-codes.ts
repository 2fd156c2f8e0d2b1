import { MINUTE_MS } from "../../../kernel/clock.ts";
import { hmacSha256, isSameSecret } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { findTenant, type TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import { type Caller, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { isLiveKey } from "../keys/keys.ts";
import { linkUnknown } from "../people/user-links.ts";

/** An account and an institution that cannot be joined as they are. */
export const joinRefused = (reason: string, message: string): AppError =>
  new AppError("JOIN_REFUSED", { message, details: { reason } });

/**
 * @throws AppError TENANT_NOT_FOUND; JOIN_REFUSED for an account that is inactive, joined, or an institution itself.
 */
export const requireAccount = async (tx: Tx, id: string): Promise<TenantRow> => {
  const account = await findTenant(tx, id as TenantId);
  if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
  if (account.joinedInto !== null)
    throw joinRefused("already-joined", "The account was joined with an institution before.");
  if (account.platformPlan !== null)
    throw joinRefused("institution", "The account is an institution itself: two institutions are not joined.");
  if (account.status !== "ACTIVE") throw joinRefused("account-inactive", "The account is not active.");
  return account;
};

const CODE_TTL_MS = 30 * MINUTE_MS;

/** It gives the whole account away. */
export type JoinCode = { code: string; expiresAt: number };

const signatureOf = ({ secrets }: Pick<TenancyEnv, "secrets">, text: string): string =>
  hmacSha256(secrets.derive("join-codes"), text, "hex");

/**
 * A code with which an owner of an institution takes this account over. It is void once its key is revoked or expires.
 */
export const makeJoinCode = (env: TenancyEnv, caller: Caller, keyId: string): Promise<JoinCode> =>
  env.db.write(async (tx) => {
    const account = await requireAccount(tx, caller.tenantId);
    const expiresAt = env.clock.now() + CODE_TTL_MS;
    const text = [account.id, keyId, expiresAt].join(".");
    await recordAct(env, tx, caller, { action: "account.make-join-code", target: account.id, tenantId: account.id });
    return { code: `${text}.${signatureOf(env, text)}`, expiresAt };
  });

/** The account of a code. Every unusable code gets the same refusal, so that it reveals nothing. */
export const accountOfCode = async (env: TenancyEnv, tx: Tx, code: string): Promise<string> => {
  const [accountId = "", keyId = "", expiresAt = "", signature = ""] = code.trim().split(".");
  const isOurs = isSameSecret(signature, signatureOf(env, [accountId, keyId, expiresAt].join(".")));
  const isLive = isOurs && (await isLiveKey(env, tx, { tenantId: accountId as TenantId, id: keyId }));
  if (!isLive || Number(expiresAt) <= env.clock.now()) throw linkUnknown();
  return accountId;
};
