import type { Actor } from "../../core/tenancy/audit/audit.ts";
import type { TenancyEnv } from "../../core/tenancy/env.ts";
import type { ActingIn, SignedInPerson } from "../../core/tenancy/people/acting.ts";
import { requireStrong } from "../../core/tenancy/sign-in/console-sessions.ts";

/**
 * A person who acts through the console. `account`: the account of this request; undefined if the request names no
 * account, or one in which the person may not act.
 */
export type Person = SignedInPerson & {
  account: ActingIn | undefined;
  /** The same person now, for requests that last long. Undefined once the session has ended. */
  again(): Promise<Person | undefined>;
};

/**
 * The persons of requests that came through the doors of the console. Nothing else gives a request a person: an API
 * never reads a cookie, so a cookie opens nothing at its public address.
 */
const persons = new WeakMap<Request, Person>();

/** Assigns a person to a request in this process. Its credentials in headers have no effect then. */
export const assignPerson = (request: Request, person: Person): void => void persons.set(request, person);

export const personOf = (request: Request): Person | undefined => persons.get(request);

/**
 * Checks before a dangerous act that the person has recently proved who they are. Keys and tokens need no further
 * proof.
 * @throws AppError REAUTHENTICATION_NEEDED.
 */
export const requireFreshProof = (env: Pick<TenancyEnv, "clock">, request: Request): void => {
  const person = personOf(request);
  if (person) requireStrong(env, person);
};

/** The person as the audit log names them. */
export const actorNameOf = ({ kind, id }: Pick<SignedInPerson, "kind" | "id">): Actor["name"] =>
  kind === "operator" ? `operator:${id}` : `user:${id}`;
