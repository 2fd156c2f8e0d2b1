import { SCOPES } from "../../../apis/shared/key-scopes.ts";
import { accountsOfServer, getAccount } from "../../../core/tenancy/accounts/accounts.ts";
import { missingAtStart } from "../../../core/tenancy/people/first-start.ts";
import { ROLE_MAY, ROLE_SCOPES } from "../../../core/tenancy/people/roles.ts";
import type { ConsolePerson, Membership } from "../../../core/tenancy/sign-in/console-sessions.ts";
import { recogniseSession } from "../../../core/tenancy/sign-in/console-sessions.ts";
import { iso } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { ACCOUNT_HEADER } from "../doors.ts";
import type { ConsoleEnv } from "../env.ts";
import { sessionCookieOf } from "../own-requests.ts";
import { type Asked, mayHavePasskeys, type Own } from "./endpoint.ts";

/** The accounts of an operator's switcher; more are found in the list of accounts. */
const MOST_ACCOUNTS = 500;

const accountView = ({ tenant: { id, name, status, platformPlan }, role }: Membership) => ({
  id,
  name,
  status,
  isInstitution: platformPlan !== null,
  role,
  scopes: ROLE_SCOPES[role],
  powers: [...ROLE_MAY[role].permissions, ...ROLE_MAY[role].powers],
});

/** An operator's newest accounts, and the one in which the tab acts, however old. */
const accountsFor = async (env: ConsoleEnv, request: Request): Promise<Membership["tenant"][]> => {
  const newest = await accountsOfServer(env, MOST_ACCOUNTS);
  const chosen = request.headers.get(ACCOUNT_HEADER);
  if (chosen === null || newest.length < MOST_ACCOUNTS || newest.some(({ id }) => id === chosen)) return newest;
  try {
    return [...newest, await getAccount(env, chosen)];
  } catch (error) {
    if (error instanceof AppError) return newest; // the account is gone
    throw error;
  }
};

/** The data that the browser's program needs of a person: their identity, and their rights in each account. */
export const sessionView = async (
  { env, place, request }: Pick<Asked, "env" | "place" | "request">,
  person: ConsolePerson,
) => {
  const { kind, id, name, email, language, theme, strongAt } = person;
  const memberships: Membership[] =
    person.kind === "member"
      ? person.institutions
      : (await accountsFor(env, request)).map((tenant) => ({ tenant, role: "OWNER" }));
  return {
    person: { kind, id, name, email, language, theme },
    accounts: memberships.map(accountView),
    keyScopes: SCOPES,
    hasMoreAccounts: person.kind !== "member" && memberships.length >= MOST_ACCOUNTS,
    strongAt: iso(strongAt),
    mayHavePasskeys: mayHavePasskeys(place),
  };
};

/** The person of a request's cookie. */
export const personAsking = async (
  env: ConsoleEnv,
  request: Request,
  consoleUrl: string,
): Promise<ConsolePerson | undefined> => {
  const cookie = sessionCookieOf(request, consoleUrl);
  return cookie === undefined ? undefined : recogniseSession(env, cookie);
};

/** The signed-in person. Without one: whether the server has to be set up first. */
export const session = async ({ env, request, place }: Asked): Promise<Own> => {
  const person = await personAsking(env, request, place.consoleUrl);
  if (person) return { body: await sessionView({ env, place, request }, person) };
  return {
    status: 401,
    body: {
      error: { code: "SESSION_REQUIRED", message: "Sign in to go on." },
      missing: await missingAtStart(env),
      mayHavePasskeys: mayHavePasskeys(place),
    },
  };
};
