import { computed, effect, signal } from "@preact/signals";
import { href } from "./base.ts";
import { forgetPerson, keep, kept } from "./kept.ts";
import { chooseLanguage } from "./texts/languages.ts";
import { chooseTheme } from "./theme.ts";

/**
 * The rights of the person in an account. `scopes`: those of the gateway API, such as `phones.write`; null: all of
 * them.
 */
export type AccountOfSession = {
  id: string;
  name: string;
  /** Whether the account is an institution, to which people belong. */
  isInstitution: boolean;
  role: string;
  scopes: readonly string[] | null;
  powers: readonly string[];
};

export type Session = {
  person: {
    kind: "operator" | "member";
    id: string;
    name: string;
    email: string;
    language: string | null;
    theme: string | null;
  };
  accounts: readonly AccountOfSession[];
  /** Every scope that an API key may have. */
  keyScopes: readonly string[];
  /** Whether more accounts exist, which the list of accounts has. */
  hasMoreAccounts: boolean;
  /** Whether a browser can use passkeys at this address. */
  mayHavePasskeys: boolean;
};

/**
 * The facts for a person without a session. `missing`: nobody can sign in yet, because the server is not set up, or has
 * no operator. `mayHavePasskeys`: whether a browser can use passkeys at this address.
 */
export type SignedOut = { missing: "setup" | "operator" | null; mayHavePasskeys: boolean };
export const signedOut = signal<SignedOut>({ missing: null, mayHavePasskeys: false });

/** The session of the person: undefined until it is known, and null for a person who has not signed in. */
export const session = signal<Session | null | undefined>(undefined);

const CHOSEN = "account";
const chosenId = signal<string | null>(kept(CHOSEN));
effect(() => {
  if (session.value !== null) return;
  forgetPerson();
  chosenId.value = null;
});

/** The account that the pages show; undefined for a person without one. */
export const account = computed(() => {
  const accounts = session.value?.accounts ?? [];
  return accounts.find(({ id }) => id === chosenId.value) ?? accounts[0];
});

/** Chooses the account of this tab, and of tabs that are opened later. */
export const chooseAccount = (id: string): void => {
  chosenId.value = id;
  keep(CHOSEN, id);
};

/** The same for an account that the session may not know yet. @throws TypeError when the server is not reached. */
export const openAccount = async (id: string): Promise<void> => {
  if (!session.peek()?.accounts.some((known) => known.id === id)) await loadSession(id);
  chooseAccount(id);
};

export const isOperator = computed(() => session.value?.person.kind === "operator");

/** Whether the person may do something in the chosen account, such as `phones.write`. */
export const may = (scope: string): boolean => {
  const scopes = account.value?.scopes;
  return scopes === null || (scopes?.includes(scope) ?? false);
};

/** Whether the person's role allows an act in the chosen account, such as inviting members. */
export const hasPower = (power: string): boolean => account.value?.powers.includes(power) ?? false;

/** The header that no form can send, on every request of the console. */
export const CONSOLE_HEADER = { "x-recado-console": "1" };

/** The headers of the console's own requests: the answer's accounts include `accountId`, even among many. */
export const ownHeaders = (accountId = chosenId.peek()): Record<string, string> => ({
  ...CONSOLE_HEADER,
  ...(accountId === null ? {} : { "x-recado-account": accountId }),
});

/** Asks the server who is signed in. @throws TypeError when it is not reached. */
export const loadSession = async (accountId = chosenId.peek()): Promise<void> => {
  const answer = await fetch(href("/session"), { headers: ownHeaders(accountId) });
  const found = (await answer.json()) as Session & SignedOut;
  if (answer.status === 401) signedOut.value = found;
  takeSession(answer.ok ? found : null);
};

/** The person whose answers are in memory. Another person begins with a new page. */
let known: string | undefined;

/** Takes the session of an answer, after signing in or a change of the profile. */
export const takeSession = (found: Session | null): void => {
  if (found && known !== undefined && known !== found.person.id) {
    forgetPerson();
    return location.reload();
  }
  known = found?.person.id ?? known;
  session.value = found;
  if (!found) return;
  chooseLanguage(found.person.language);
  chooseTheme(found.person.theme);
};
