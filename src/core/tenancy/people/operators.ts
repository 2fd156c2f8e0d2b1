import { HOUR_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { gatewaySecret, newId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { emailKeyOf, isEmail, plainEmail } from "../../../kernel/texts/emails.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { deleteCannedRepliesOf } from "../../../store/tables/conversations/canned-replies.ts";
import {
  deleteConsolePerson,
  deleteSecondSteps,
  findConsolePerson,
  listPasskeys,
} from "../../../store/tables/tenancy/console-people.ts";
import {
  deleteConsoleSessions,
  deleteStepsOf,
  endConsoleSessions,
} from "../../../store/tables/tenancy/console-sessions.ts";
import {
  deleteOperator,
  deleteOperatorLinks,
  findOperator,
  findOperatorByLink,
  insertOperator,
  insertOperatorLink,
  listOperators,
  type OperatorRow,
  updateOperator,
} from "../../../store/tables/tenancy/operators.ts";
import { NO_PASSWORD } from "../../../store/tables/tenancy/users.ts";
import { asPerson, type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { consolePersonKey } from "../sign-in/console-sessions.ts";
import { hashNewPassword } from "../sign-in/new-passwords.ts";
import { notingLink } from "../sign-in/refusals.ts";
import { recordSecurityAct } from "../sign-in/security-notices.ts";
import type { Visitor } from "../sign-in/sessions.ts";
import { operatorWithEmail } from "./mailboxes.ts";
import { linkUnknown } from "./user-links.ts";
import { emailInUse, requireName } from "./users.ts";

/** How long the link of a new or reset operator is valid. */
const LINK_TTL_MS = HOUR_MS;

/** `hasSecondStep`: whether signing in takes more than the password. */
export type OperatorView = {
  id: string;
  name: string;
  email: string;
  hasPassword: boolean;
  hasSecondStep: boolean;
  createdAt: number;
};

/** A link that is handed over, with which an operator chooses a password. It is shown only now. */
export type OperatorMade = { id: string; email: string; link: string; expiresAt: number };

const keyOf = (id: string) => consolePersonKey("operator", id);

export const readOperators = (env: TenancyEnv): Promise<OperatorView[]> =>
  env.db.read(async (reader) => {
    const views: OperatorView[] = [];
    for (const { id, name, email, passwordHash, createdAt } of await listOperators(reader)) {
      const { totpSince } = await findConsolePerson(reader, keyOf(id));
      const hasSecondStep = totpSince !== null || (await listPasskeys(reader, keyOf(id))).length > 0;
      views.push({ id, name, email, hasPassword: passwordHash !== NO_PASSWORD, hasSecondStep, createdAt });
    }
    return views;
  });

/** The row of a new operator. @throws AppError VALIDATION. */
export const newOperator = (
  env: Pick<TenancyEnv, "clock" | "random">,
  { name, email: given, passwordHash }: { name: string; email: string; passwordHash: string },
): OperatorRow => {
  const email = plainEmail(given);
  if (!isEmail(email)) throw invalid(issue("email", "format", "must be an e-mail address"));
  requireName("name", name);
  return { id: newId(env), name, email, emailKey: emailKeyOf(email), passwordHash, createdAt: env.clock.now() };
};

/**
 * Adds an operator within a write.
 * @throws AppError EMAIL_IN_USE.
 */
export const addOperator = async (env: TenancyEnv, tx: Tx, by: Requester, row: OperatorRow): Promise<void> => {
  if ((await operatorWithEmail(tx, row.email)) || !(await insertOperator(tx, row))) throw emailInUse();
  await recordAct(env, tx, by, { action: "operator.create", target: row.id });
};

const linkFor = async (env: TenancyEnv, tx: Tx, { id, email }: OperatorRow): Promise<OperatorMade> => {
  const token = gatewaySecret(env.random);
  const createdAt = env.clock.now();
  const expiresAt = createdAt + LINK_TTL_MS;
  await deleteOperatorLinks(tx, id);
  await insertOperatorLink(tx, { hash: sha256(token), operatorId: id, createdAt, expiresAt });
  return { id, email, link: env.linkTo("operator", token), expiresAt };
};

/**
 * Makes an operator without a password, and a link with which they choose a password.
 * @throws AppError VALIDATION, EMAIL_IN_USE.
 */
export const createOperator = (
  env: TenancyEnv,
  by: Requester,
  given: { name: string; email: string },
): Promise<OperatorMade> => {
  const row = newOperator(env, { ...given, passwordHash: NO_PASSWORD });
  return env.db.write(async (tx) => {
    await addOperator(env, tx, by, row);
    return linkFor(env, tx, row);
  });
};

const operatorNotFound = () => new AppError("OPERATOR_NOT_FOUND", { message: "There is no such operator." });

/**
 * A link with which an operator chooses a new password. They may have lost their phone too: with the new password the
 * second steps of sign-in end, and all sessions.
 * @throws AppError OPERATOR_NOT_FOUND.
 */
export const linkForOperator = (env: TenancyEnv, by: Requester, email: string): Promise<OperatorMade> =>
  env.db.write(async (tx) => {
    const row = await operatorWithEmail(tx, email);
    if (!row) throw operatorNotFound();
    await recordAct(env, tx, by, { action: "operator.make-link", target: row.id });
    return linkFor(env, tx, row);
  });

/**
 * Sets the password by a link, and ends the operator's second steps and sessions.
 * @throws AppError LINK_UNKNOWN.
 */
export const resetOperator = async (
  env: TenancyEnv,
  { token, password }: { token: string; password: string },
  from: Visitor,
): Promise<void> => {
  const find = async (tx: Parameters<typeof findOperatorByLink>[0]) => {
    const found = await findOperatorByLink(tx, sha256(token), env.clock.now());
    if (!found) throw linkUnknown();
    return found;
  };
  await notingLink(env, from, env.db.read(find));
  const passwordHash = await hashNewPassword(env, { password, isHeldToList: true }, from);
  await env.db.write(async (tx) => {
    const { id } = await find(tx);
    const key = keyOf(id);
    await deleteOperatorLinks(tx, id);
    await updateOperator(tx, id, { passwordHash });
    await deleteSecondSteps(tx, key);
    await deleteStepsOf(tx, key);
    await endConsoleSessions(tx, key, env.clock.now());
    await recordSecurityAct(env, tx, asPerson(key, from), { of: key, action: "operator.reset", target: id });
  });
};

/**
 * Deletes an operator with their own canned replies. Their sessions end at once.
 * @throws AppError OPERATOR_NOT_FOUND, LAST_OPERATOR.
 */
export const removeOperator = (env: TenancyEnv, by: Requester, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    if (!(await findOperator(tx, id))) throw operatorNotFound();
    if ((await listOperators(tx)).length === 1)
      throw new AppError("LAST_OPERATOR", { message: "The server keeps at least one operator." });
    await deleteConsoleSessions(tx, keyOf(id));
    await deleteStepsOf(tx, keyOf(id));
    await deleteConsolePerson(tx, keyOf(id));
    deleteCannedRepliesOf(tx, keyOf(id));
    await deleteOperator(tx, id);
    await recordAct(env, tx, by, { action: "operator.delete", target: id });
  });
