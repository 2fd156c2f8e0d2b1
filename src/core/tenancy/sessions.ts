import { sourceOf } from "../../kernel/client-address.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newId, type TenantId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/db.ts";
import { findTenant, type TenantRow } from "../../store/tenants.ts";
import {
  endUserSession,
  endUserSessions,
  extendUserSession,
  findOpenSession,
  insertUserSession,
  listOpenSessions,
  pruneUserSessions,
  type UserSessionRow,
} from "../../store/user-sessions.ts";
import { type Role, roleOf, type UserRow } from "../../store/users.ts";
import { recordAct } from "./audit.ts";
import type { TenancyEnv } from "./env.ts";

/** Where somebody signs in from. */
export type Visitor = { address: string; userAgent: string | null };

const COMPLETE_TOKEN_MS = 7 * DAY_MS;
const PENDING_TOKEN_MS = 10 * MINUTE_MS;
/** A further one ends the oldest. */
const MAX_SESSIONS = 100;
const MAX_USER_AGENT = 200;
/** So long after its end a session says that its user is known where it was opened. */
const KNOWN_MS = 30 * DAY_MS;

type SessionEnv = Pick<TenancyEnv, "clock" | "random">;

/** Opens a session within a write. It lasts as long as a pending token, until an institution is chosen. */
export const openSession = async (
  env: SessionEnv,
  tx: Tx,
  userId: string,
  { address, userAgent }: Visitor,
): Promise<string> => {
  const createdAt = env.clock.now();
  const id = newId(env);
  const row = {
    id,
    userId,
    address,
    source: sourceOf(address),
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    createdAt,
    expiresAt: createdAt + PENDING_TOKEN_MS,
    endedAt: null,
  };
  await insertUserSession(tx, row, MAX_SESSIONS);
  return id;
};

/** A session that has chosen its institution lasts as long as the complete token that it gets now. */
export const lastAsComplete = (env: SessionEnv, tx: Tx, sessionId: string): Promise<void> =>
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

/** Who presents a user token. `acting`: for which institution, and as what; a pending token has none yet. */
export type Recognised = {
  userId: string;
  sessionId: string;
  acting: { institution: TenantRow; role: Role } | undefined;
};

/**
 * Undefined when a token is not valid, its session was ended, or its institution is no longer the user's. Nothing of it
 * is kept: what ends a session holds at once.
 */
export const recogniseToken = async (env: TenancyEnv, token: string): Promise<Recognised | undefined> => {
  const claims = await env.tokens.verify(token);
  if (!claims) return undefined;
  const { userId, sessionId } = claims;
  return env.db.read(async (reader) => {
    if (!(await findOpenSession(reader, userId, sessionId, env.clock.now()))) return undefined;
    if (claims.kind === "pending") return { userId, sessionId, acting: undefined };
    const tenantId = claims.institutionId as TenantId;
    const [role, institution] = [await roleOf(reader, tenantId, userId), await findTenant(reader, tenantId)];
    return role && institution && { userId, sessionId, acting: { institution, role } };
  });
};

/** The open sessions of a user, the newest first. */
export const sessionsOf = (env: TenancyEnv, userId: string): Promise<UserSessionRow[]> =>
  env.db.read((reader) => listOpenSessions(reader, userId, env.clock.now()));

/** Ends a session of the user's own, at once. Throws SESSION_NOT_FOUND. */
export const endSession = (env: TenancyEnv, userId: string, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    if (!(await endUserSession(tx, userId, id, env.clock.now())))
      throw new AppError("SESSION_NOT_FOUND", { message: "There is no such session." });
    await recordAct(env, tx, { action: "session.end", target: id });
  });

/** Ends all sessions of a user, within a write. */
export const endSessions = (env: Pick<TenancyEnv, "clock">, tx: Tx, userId: string): Promise<void> =>
  endUserSessions(tx, userId, env.clock.now());

/** Forgets sessions that ended long ago; true when there may be more. */
export const pruneSessions = (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  pruneUserSessions(tx, nowMs - KNOWN_MS, limit);
