import { DAY_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { gatewaySecret, newId } from "../../../kernel/ids.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { insertConsoleSession, type PersonKey } from "../../../store/tables/tenancy/console-sessions.ts";
import { insertUserSession } from "../../../store/tables/tenancy/user-sessions.ts";
import { asPerson, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { type Accepted, codeNotRight, hasSecondStep, type Proof, secondStepRequired } from "./second-step.ts";
import { notifyOfDevice } from "./security-notices.ts";
import { PENDING_TOKEN_MS, type Visitor } from "./sessions.ts";

/**
 * How a person has proved who they are.
 * - `first`: by a password, a link or an invitation. A person with a second step also needs its proof.
 * - `second`: by a second step, whose answer was used up in this write.
 * - `new`: the person is made in this write.
 * - `session`: by an open session of theirs, which the new one replaces.
 */
export type Shown =
  | { is: "first"; by: "password" | "link"; second: Proof | undefined }
  | { is: "second"; accepted: Accepted }
  | { is: "new" }
  | { is: "session" };

/** The person who begins a session, and their origin. */
type Entry = { shown: Shown; from: Visitor };

/** A new session above this number ends the oldest session. */
const MAX_SESSIONS = 100;
const MAX_USER_AGENT = 200;
/** A session of the console ends at this age. */
const CONSOLE_LIFE_MS = 30 * DAY_MS;

/**
 * The one way into a session, of the APIs and of the console: a session's row is made nowhere else. So no door can
 * forget the second step, the entry in the audit log, or the mail about a new device.
 * @throws AppError SECOND_STEP_REQUIRED.
 */
const enter = async (env: TenancyEnv, tx: Tx, key: PersonKey, { shown, from }: Entry): Promise<Row> => {
  await requireSecondStep(tx, key, shown);
  const row = rowOf(env, from);
  if (shown.is === "session") return row;
  const by = asPerson(key, from);
  await recordAct(env, tx, by, { action: "session.begin", target: key });
  // a new person, or a person who chose a password by a link, gets another mail about it
  if (shown.is === "second" || (shown.is === "first" && shown.by === "password"))
    await notifyOfDevice(env, tx, by, { of: key, ...row });
  return row;
};

const requireSecondStep = async (tx: Tx, key: PersonKey, shown: Shown): Promise<void> => {
  if (shown.is === "second" && shown.accepted.of !== key) throw new Error("a second step of another person");
  if (shown.is !== "first" || !(await hasSecondStep(tx, key))) return;
  if (!shown.second) throw secondStepRequired();
  if ((await shown.second.accept(tx))?.of !== key) throw codeNotRight();
};

type Row = ReturnType<typeof rowOf>;
const rowOf = (env: Pick<TenancyEnv, "clock" | "random">, { address, userAgent }: Visitor) => ({
  id: newId(env),
  address,
  source: sourceOf(address),
  userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
  createdAt: env.clock.now(),
  endedAt: null,
});

/**
 * Begins a session of the APIs within a write, and resolves with its id. It has the lifetime of a pending token, until
 * an institution is chosen.
 * @throws AppError SECOND_STEP_REQUIRED.
 */
export const startUserSession = async (env: TenancyEnv, tx: Tx, userId: string, entry: Entry): Promise<string> => {
  const row = await enter(env, tx, `user:${userId}`, entry);
  await insertUserSession(tx, { ...row, userId, expiresAt: row.createdAt + PENDING_TOKEN_MS }, MAX_SESSIONS);
  return row.id;
};

/**
 * Begins a session of the console within a write. Resolves with the cookie's value, of which only the SHA-256 is
 * stored.
 * @throws AppError SECOND_STEP_REQUIRED.
 */
export const startConsoleSession = async (
  env: TenancyEnv,
  tx: Tx,
  person: PersonKey,
  entry: Entry,
): Promise<string> => {
  const row = await enter(env, tx, person, entry);
  const value = gatewaySecret(env.random);
  const { createdAt } = row;
  await insertConsoleSession(
    tx,
    {
      ...row,
      hash: sha256(value),
      person,
      seenAt: createdAt,
      expiresAt: createdAt + CONSOLE_LIFE_MS,
      strongAt: createdAt,
      challenge: null,
      challengeUntil: null,
    },
    MAX_SESSIONS,
  );
  return value;
};
