import { DAY_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { endConsoleSessions } from "../../../store/tables/tenancy/console-sessions.ts";
import { findTenant, type TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import {
  endUserSession,
  endUserSessions,
  extendUserSession,
  findOpenSession,
  listOpenSessions,
  pruneUserSessions,
  type UserSessionRow,
} from "../../../store/tables/tenancy/user-sessions.ts";
import { findRole, type Role, type UserRow } from "../../../store/tables/tenancy/users.ts";
import { type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";

/** The origin of a sign-in: the address, the program, and the door. */
export type Visitor = { address: string; userAgent: string | null; door: string };

const COMPLETE_TOKEN_MS = 7 * DAY_MS;
export const PENDING_TOKEN_MS = 10 * MINUTE_MS;
/** For this long after its end, a session makes its source a known one for the user. */
const KNOWN_MS = 30 * DAY_MS;

/** Extends a session whose institution was chosen to the lifetime of its new, complete token. */
export const lastAsComplete = (env: Pick<TenancyEnv, "clock">, tx: Tx, sessionId: string): Promise<void> =>
  extendUserSession(tx, sessionId, env.clock.now() + COMPLETE_TOKEN_MS);

export const pendingToken = (
  env: Pick<TenancyEnv, "tokens">,
  { id: userId, email }: UserRow,
  sessionId: string,
): Promise<string> => env.tokens.sign({ kind: "pending", userId, email, sessionId }, PENDING_TOKEN_MS / 1000);

export const completeToken = (
  env: Pick<TenancyEnv, "tokens">,
  { id: userId, email }: UserRow,
  sessionId: string,
  institutionId: string,
): Promise<string> =>
  env.tokens.sign({ kind: "complete", userId, email, institutionId, sessionId }, COMPLETE_TOKEN_MS / 1000);

/** The user of a token. `acting`: the institution and the role; a pending token has none yet. */
export type Recognised = {
  userId: string;
  sessionId: string;
  acting: { institution: TenantRow; role: Role } | undefined;
};

/**
 * The user of a presented token. Undefined when the token is invalid, its session has ended, or the user has left its
 * institution. Nothing is cached, so the end of a session takes effect at once.
 */
export const recogniseToken = async (env: TenancyEnv, token: string): Promise<Recognised | undefined> => {
  const claims = await env.tokens.verify(token);
  if (!claims) return undefined;
  const { userId, sessionId } = claims;
  return env.db.read(async (reader) => {
    if (!(await findOpenSession(reader, userId, sessionId, env.clock.now()))) return undefined;
    if (claims.kind === "pending") return { userId, sessionId, acting: undefined };
    const tenantId = claims.institutionId as TenantId;
    const [role, institution] = [await findRole(reader, tenantId, userId), await findTenant(reader, tenantId)];
    return role && institution && { userId, sessionId, acting: { institution, role } };
  });
};

/** The open sessions of a user, newest first. */
export const readSessions = (env: TenancyEnv, userId: string): Promise<UserSessionRow[]> =>
  env.db.read((reader) => listOpenSessions(reader, userId, env.clock.now()));

/**
 * Ends one of the user's own sessions at once.
 * @throws AppError SESSION_NOT_FOUND.
 */
export const endSession = (env: TenancyEnv, by: Requester & { userId: string }, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    if (!(await endUserSession(tx, by.userId, id, env.clock.now())))
      throw new AppError("SESSION_NOT_FOUND", { message: "There is no such session." });
    await recordAct(env, tx, by, { action: "session.end", target: id });
  });

/** Ends all sessions of a user, those of the console too, within a write. */
export const endSessions = async (env: Pick<TenancyEnv, "clock">, tx: Tx, userId: string): Promise<void> => {
  await endUserSessions(tx, userId, env.clock.now());
  await endConsoleSessions(tx, `user:${userId}`, env.clock.now());
};

/** Deletes sessions that ended long ago; true if there may be more. */
export const pruneSessions = (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  pruneUserSessions(tx, nowMs - KNOWN_MS, limit);
