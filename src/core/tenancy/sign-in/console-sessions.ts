import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { findConsolePerson } from "../../../store/tables/tenancy/console-people.ts";
import {
  type ConsoleSessionRow,
  endConsoleSession,
  endConsoleSessions,
  listConsoleSessions,
  type PersonKey,
  pruneConsoleSessions,
  pruneSteps,
  throughSession,
} from "../../../store/tables/tenancy/console-sessions.ts";
import { findOperator, pruneOperatorLinks } from "../../../store/tables/tenancy/operators.ts";
import type { TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import { findUser, listMemberships, type Role } from "../../../store/tables/tenancy/users.ts";
import { type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";

/** The console's data about the person of a session. */
type Profile = { name: string; email: string; language: string | null; theme: string | null };
export type Membership = { tenant: TenantRow; role: Role };

/** The person of a session. An operator may act in every account, a member in their institutions. */
export type ConsolePerson = Profile & {
  id: string;
  /** As the audit log names them. */
  key: PersonKey;
  sessionId: string;
  /** When they last proved who they are. */
  strongAt: number;
} & ({ kind: "operator" } | { kind: "member"; institutions: Membership[] });

/** The person of a request, who is also its requester. */
export type AskingPerson = ConsolePerson & Requester;

/** A session ends when it was not used for this long. */
const IDLE_MS = 12 * HOUR_MS;
/** The use of a session is stored no more often than this. */
const NOTED_EVERY_MS = MINUTE_MS;
/** For this long after its end, a session makes its source a known one for the person. */
const KNOWN_MS = 30 * DAY_MS;

/** Dangerous acts need a proof that is younger than this. */
export const STRONG_MS = 10 * MINUTE_MS;

export const consolePersonKey = (kind: ConsolePerson["kind"], id: string): PersonKey =>
  kind === "operator" ? `operator:${id}` : `user:${id}`;

type Cached = { row: ConsoleSessionRow; profile: Profile };

const profileOf = async (r: Reader, key: PersonKey): Promise<Profile | undefined> => {
  const [kind, id = ""] = key.split(":", 2);
  const found = await (kind === "operator" ? findOperator(r, id) : findUser(r, id));
  if (!found) return undefined;
  const { language, theme } = await findConsolePerson(r, key);
  return { name: found.name, email: found.email, language, theme };
};

const cachedOf = (r: Reader, hash: string): Promise<Cached | undefined> =>
  throughSession(r, hash, async (row) => {
    const profile = await profileOf(r, row.person);
    return profile && { row, profile };
  });

/** Whether the session is open now, and its use noted. */
const isOpen = (env: Pick<TenancyEnv, "clock" | "sessionUse">, row: ConsoleSessionRow): boolean => {
  const now = env.clock.now();
  const seenAt = Math.max(row.seenAt, env.sessionUse.lastUsedAt(row.hash) ?? 0);
  if (row.endedAt !== null || now >= row.expiresAt || now >= seenAt + IDLE_MS) return false;
  if (now >= seenAt + NOTED_EVERY_MS) env.sessionUse.note(row.hash);
  return true;
};

/**
 * The person whose session has this cookie's value. Undefined for an unknown or ended session, and for a member who no
 * longer belongs to an institution. A member's permissions are read again each time.
 */
export const recogniseSession = async (
  env: Pick<TenancyEnv, "db" | "clock" | "sessionUse">,
  cookieValue: string,
): Promise<ConsolePerson | undefined> => {
  const hash = sha256(cookieValue);
  return env.db.read(async (reader) => {
    const found = await cachedOf(reader, hash);
    if (!found || !isOpen(env, found.row)) return undefined;
    const { row, profile } = found;
    const [kind, id = ""] = row.person.split(":", 2);
    const known = { ...profile, id, key: row.person, sessionId: row.id, strongAt: row.strongAt };
    if (kind === "operator") return { kind, ...known };
    const institutions = await listMemberships(reader, id);
    return institutions.length === 0 ? undefined : { kind: "member", ...known, institutions };
  });
};

/** @throws AppError REAUTHENTICATION_NEEDED when the person's last proof of who they are is too old. */
export const requireStrong = ({ clock }: Pick<TenancyEnv, "clock">, { strongAt }: { strongAt: number }): void => {
  if (clock.now() >= strongAt + STRONG_MS)
    throw new AppError("REAUTHENTICATION_NEEDED", {
      message: "Prove who you are again, with your password or a passkey, before you do this.",
    });
};

/** The open sessions of a person, the last used one first. */
export const readConsoleSessions = (env: TenancyEnv, person: PersonKey): Promise<ConsoleSessionRow[]> => {
  const nowMs = env.clock.now();
  return env.db.read((reader) => listConsoleSessions(reader, person, { nowMs, seenAfterMs: nowMs - IDLE_MS }));
};

/**
 * Ends one of the person's own sessions at once.
 * @throws AppError SESSION_NOT_FOUND.
 */
export const endOwnConsoleSession = (env: TenancyEnv, person: AskingPerson, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    if (!(await endConsoleSession(tx, person.key, id, env.clock.now())))
      throw new AppError("SESSION_NOT_FOUND", { message: "There is no such session." });
    await recordAct(env, tx, person, { action: "session.end", target: id });
  });

/** Ends the person's sessions except the one that asks. */
export const endOtherConsoleSessions = (env: TenancyEnv, person: AskingPerson): Promise<void> =>
  env.db.write(async (tx) => {
    await endConsoleSessions(tx, person.key, env.clock.now(), person.sessionId);
    await recordAct(env, tx, person, { action: "session.end-others", target: person.key });
  });

/** Ends a user's sessions of the console if the user no longer belongs to an institution. Within a write. */
export const endSessionsOfOutsider = async (
  { clock }: Pick<TenancyEnv, "clock">,
  tx: Tx,
  userId: string,
): Promise<void> => {
  if ((await listMemberships(tx, userId)).length === 0)
    await endConsoleSessions(tx, consolePersonKey("member", userId), clock.now());
};

/** Deletes sessions that ended long ago, and steps and links that have ended; true if there may be more. */
export const pruneConsole = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> => {
  const more = [
    await pruneConsoleSessions(tx, nowMs - KNOWN_MS, limit),
    await pruneSteps(tx, nowMs, limit),
    await pruneOperatorLinks(tx, nowMs, limit),
  ];
  return more.includes(true);
};

export type { ConsoleSessionRow, PersonKey } from "../../../store/tables/tenancy/console-sessions.ts";
