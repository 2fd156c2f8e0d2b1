import { MINUTE_MS } from "../../../kernel/clock.ts";
import { isSameSecret, secretsOf, sha256 } from "../../../kernel/crypto.ts";
import { invalid } from "../../../kernel/errors.ts";
import { gatewaySecret } from "../../../kernel/ids.ts";
import { issue, issuesOf, Text } from "../../../kernel/schema.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { deleteMeta, readMeta, writeMeta } from "../../../store/tables/meta.ts";
import { hasOperators } from "../../../store/tables/tenancy/operators.ts";
import { listTenants } from "../../../store/tables/tenancy/tenants.ts";
import { addAccount } from "../accounts/accounts.ts";
import { asPerson, callerIn, type Requester } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { type AdminEnv, hasAdminToken, putAdminToken } from "../keys/admin-token.ts";
import { addGatewayKey, type KeyEnv } from "../keys/keys.ts";
import { hashNewPassword } from "../sign-in/new-passwords.ts";
import type { Visitor } from "../sign-in/sessions.ts";
import { begin } from "../sign-in/sign-in.ts";
import { addOperator, newOperator } from "./operators.ts";
import { requireName } from "./users.ts";

type SetupEnv = AdminEnv & KeyEnv;

/** The state of a set-up link. `spent`: there is already an admin token. */
export type SetupLinkState = "open" | "spent" | "expired" | "unknown";

/** The result of the set-up. The token and the key are shown only now. */
export type FirstAccount = { account: { id: string; name: string }; key: string };
/** `viewToken` shows the same result again for half an hour, so that reloading the page loses no secret. */
export type SetUp = FirstAccount & { adminToken: string; viewToken: string };

const LINK = "setup-link";
const LINK_TTL_MS = 30 * MINUTE_MS;
const NAME = Text(1, 120);
/** The name of the first account's key. */
export const FIRST_KEY = { name: "first key" };

type Link = { hash: string; expiresAt: number };

const RESULT = "setup-result";

/** The result, sealed under the view token: no stored data can decrypt it. */
type Result = { sealed: string; expiresAt: number };

const sealedBy = (viewToken: string, random: SetupEnv["random"]) =>
  secretsOf(Buffer.from(sha256(viewToken), "hex"), random);

const readLink = async (r: Reader): Promise<Link | undefined> => {
  const text = await readMeta(r, LINK);
  return text === undefined ? undefined : (JSON.parse(text) as Link);
};

/** True before the set-up: there is no tenant, and no token that opens the admin API. */
const isUntouched = async ({ adminToken }: AdminEnv, r: Reader): Promise<boolean> =>
  adminToken === undefined &&
  !(await hasAdminToken(r)) &&
  !(await hasOperators(r)) &&
  (await listTenants(r, { status: undefined, cursor: undefined, limit: 1 })).length === 0;

/**
 * Makes the set-up link at the server's start, before the set-up was done. It is valid once, for half an hour, and
 * voids earlier links. Resolves with its token, of which only the SHA-256 is stored.
 */
export const renewSetupLink = (env: SetupEnv): Promise<string | undefined> =>
  env.db.write(async (tx) => {
    const token = (await isUntouched(env, tx)) ? gatewaySecret(env.random) : undefined;
    await deleteMeta(tx, RESULT);
    if (token !== undefined)
      await writeMeta(
        tx,
        LINK,
        JSON.stringify({ hash: sha256(token), expiresAt: env.clock.now() + LINK_TTL_MS } satisfies Link),
      );
    else if (await readLink(tx)) await writeMeta(tx, LINK, JSON.stringify({ hash: "", expiresAt: 0 } satisfies Link));
    return token;
  });

const stateOf = async (env: SetupEnv, r: Reader, token: string): Promise<SetupLinkState> => {
  const link = await readLink(r);
  if (!link || !isSameSecret(sha256(token), link.hash)) return "unknown";
  if (env.adminToken !== undefined || (await hasAdminToken(r)) || (await hasOperators(r))) return "spent";
  return env.clock.now() < link.expiresAt ? "open" : "expired";
};

/** The state of a set-up link. Reading does not spend it: link previews may open it. */
export const setupLinkState = (env: SetupEnv, token: string): Promise<SetupLinkState> =>
  env.db.read((reader) => stateOf(env, reader, token));

/**
 * Spends a set-up link: one write makes the admin token, the first account and its key. Resolves with the state of a
 * link that is not open; then nothing was changed.
 * @throws AppError VALIDATION for a bad name.
 */
export const setUp = async (
  env: SetupEnv,
  by: Requester,
  { token, name }: { token: string; name: unknown },
): Promise<SetUp | Exclude<SetupLinkState, "open">> => {
  const accountName = nameOf(name);
  return env.db.write(async (tx) => {
    const state = await stateOf(env, tx, token);
    if (state !== "open") return state;
    const made = {
      adminToken: await putAdminToken(env, tx, by),
      ...(await addAccountWithKey(env, tx, by, accountName)),
    };
    const viewToken = gatewaySecret(env.random);
    const sealed = sealedBy(viewToken, env.random).seal(RESULT, JSON.stringify(made));
    await writeMeta(tx, RESULT, JSON.stringify({ sealed, expiresAt: env.clock.now() + LINK_TTL_MS } satisfies Result));
    return { ...made, viewToken };
  });
};

/** The opener of the set-up link. */
export const viaSetupLink = ({ address }: { address: string }): Requester => ({
  actor: { name: "setup-link", address },
});

/** A person's input in the page of the set-up. `account`: the name of the first account, else the person's own. */
export type FirstOperator = { name: string; email: string; password: string; account?: string | undefined };

/**
 * Spends a set-up link for a person: one write makes the operator, the first account and the operator's session. Tokens
 * and keys are made later, when they are needed. Resolves with the state of a link that is not open; then nothing was
 * changed.
 * @throws AppError VALIDATION.
 */
export const setUpOperator = async (
  env: SetupEnv & TenancyEnv,
  { token, operator }: { token: string; operator: FirstOperator },
  from: Visitor,
): Promise<{ cookie: string } | Exclude<SetupLinkState, "open">> => {
  const { name, email, password, account } = operator;
  const accountName = nameOf(account ?? name, account === undefined ? "name" : "account");
  const checked = newOperator(env, { name, email, passwordHash: "" });
  requireDottedDomain(email);
  const before = await setupLinkState(env, token);
  if (before !== "open") return before;
  const passwordHash = await hashNewPassword(env, { password, isHeldToList: true, names: [accountName] }, from);
  return env.db.write(async (tx) => {
    const state = await stateOf(env, tx, token);
    if (state !== "open") return state;
    await addOperator(env, tx, viaSetupLink(from), { ...checked, passwordHash });
    // colleagues can be invited to it, and no limit of a plan hinders the operator
    await addAccount(env, tx, asPerson(`operator:${checked.id}`, from), {
      name: accountName,
      platformPlan: "ENTERPRISE",
    });
    return begin(env, tx, `operator:${checked.id}`, { shown: { is: "new" }, from });
  });
};

/** The first operator owns everything, so a mistyped address is refused. @throws AppError VALIDATION. */
const requireDottedDomain = (email: string): void => {
  if (!/@[^@]*[^@.]\.[^@.]/.test(email))
    throw invalid(issue("email", "format", "must be an e-mail address with a whole domain, such as example.com"));
};

/** Whether nobody can sign in to the console yet: `setup` while the set-up link has not been used, else `operator`. */
export const missingAtStart = (env: AdminEnv): Promise<"setup" | "operator" | null> =>
  env.db.read(async (reader) => {
    if (await hasOperators(reader)) return null;
    return (await isUntouched(env, reader)) ? "setup" : "operator";
  });

/** The result of the set-up, for half an hour; undefined for another token, and after it has expired or was deleted. */
export const setUpAgain = async (env: SetupEnv, viewToken: string): Promise<SetUp | undefined> => {
  const text = await env.db.read((reader) => readMeta(reader, RESULT));
  const { sealed, expiresAt }: Partial<Result> = text === undefined ? {} : (JSON.parse(text) as Result);
  if (sealed === undefined || expiresAt === undefined || env.clock.now() >= expiresAt) return undefined;
  try {
    return {
      ...(JSON.parse(sealedBy(viewToken, env.random).open(RESULT, sealed)) as Omit<SetUp, "viewToken">),
      viewToken,
    };
  } catch {
    return undefined; // another token
  }
};

/** Deletes the result of the set-up, after the operator has saved it. Another token has no effect. */
export const forgetSetUp = async (env: SetupEnv, viewToken: string): Promise<void> => {
  if (await setUpAgain(env, viewToken)) await env.db.write((tx) => deleteMeta(tx, RESULT));
};

/**
 * Creates an account with a key, in one write.
 * @throws AppError VALIDATION for a bad name.
 */
export const createAccountWithKey = async (
  env: KeyEnv & Pick<TenancyEnv, "db">,
  by: Requester,
  name: unknown,
): Promise<FirstAccount> => {
  const accountName = nameOf(name);
  return env.db.write((tx) => addAccountWithKey(env, tx, by, accountName));
};

const addAccountWithKey = async (env: KeyEnv, tx: Tx, by: Requester, name: string): Promise<FirstAccount> => {
  const { id } = await addAccount(env, tx, by, { name });
  const { key } = await addGatewayKey(env, tx, callerIn(id, by), FIRST_KEY);
  return { account: { id, name }, key };
};

const nameOf = (name: unknown, field = "name"): string => {
  const issues = issuesOf(NAME, name, field);
  if (issues.length > 0) throw invalid(...issues);
  requireName(field, name as string);
  return (name as string).trim();
};
