import { Elysia } from "elysia";
import { accountRefusal, type PlatformPlan } from "../../core/tenancy/accounts/accounts.ts";
import {
  type Allowance,
  allowAddress,
  allowInstitution,
  allowOperation,
  allowPerson,
  allowUser,
  secondsUntilReset,
} from "../../core/tenancy/accounts/limits.ts";
import type { Caller, Requester } from "../../core/tenancy/audit/audit.ts";
import type { KeyOwner } from "../../core/tenancy/keys/keyed-requests.ts";
import { mayComeFrom, type Permission, recogniseKey } from "../../core/tenancy/keys/keys.ts";
import type { Member } from "../../core/tenancy/people/members.ts";
import { type Power, ROLE_MAY, type Role } from "../../core/tenancy/people/roles.ts";
import { recogniseToken } from "../../core/tenancy/sign-in/sessions.ts";
import { newId, type TenantId } from "../../kernel/ids.ts";
import type { Asked } from "../shared/api-env.ts";
import { rateLimitHeaders } from "../shared/http/http-answers.ts";
import { isOfLongTarget, isPlainPath, LONG_TARGET, NOT_PLAIN } from "../shared/http/paths.ts";
import { addressOf, isTooLarge, nameRequest, noteBodyTerms } from "../shared/http/request.ts";
import { actorNameOf, type Person, personOf } from "../shared/person.ts";
import { type Found, linkOf } from "../shared/route-table.ts";
import type { PlatformEnv } from "./env.ts";
import { type ErrorShape, faultResponse, type PlatformCode, refuse } from "./errors.ts";
import type { PlatformRouteOptions } from "./route-options.ts";

/**
 * The sender of a request. A key acts for its institution, within its permissions. A complete user token acts for the
 * institution that it names, with the user's role there. A pending token belongs to a user who has to choose one. A
 * member in the console is as a user with a complete token; an operator there has an owner's role, and is no user.
 */
export type Principal = Caller & {
  plan: PlatformPlan | null;
  environment: "live" | "test";
  permissions: readonly string[];
  /** The id of the request's API key; undefined for a user or a person in the console. */
  keyId?: string;
  /** The user who asks. `sessionId` is that of their token; undefined in the console, whose sessions are others. */
  user: { userId: string; sessionId: string | undefined } | undefined;
  /** The person's role in the institution of the request; undefined for a key, and before one is chosen. */
  role: Role | undefined;
  isPending: boolean;
  /** Set when the request came through the console. */
  person?: Person;
};

const principals = new WeakMap<Request, Principal>();

/** The principal of a request. Throws when a protected route has none, which is a bug in the server. */
const principalOf = (request: Request): Principal => {
  const principal = principals.get(request);
  if (!principal) throw new Error("a protected route was reached without a principal");
  return principal;
};

/** Who has the idempotency keys of a request; undefined for one without credentials. */
export const platformKeyOwner = (request: Request): KeyOwner | undefined => {
  const principal = principals.get(request);
  if (!principal) return undefined;
  const { tenantId, actor } = principal;
  return { credential: `platform ${tenantId} ${actor.name}`, owner: tenantId || actor.name };
};

/** The user of a request. Throws Forbidden for a key and for an operator. */
export const requireUser = ({
  user,
  role,
  actor,
}: Principal): Requester & { userId: string; sessionId: string | undefined } => {
  if (user) return { ...user, actor };
  throw new Forbidden(
    role ? "An operator is no user of the platform." : "This needs a user token; an API key does not open it.",
  );
};

/** The user of a request and the session of their token. Throws Forbidden for a key, and in the console. */
export const requireToken = (principal: Principal): Requester & { userId: string; sessionId: string } => {
  const { userId, sessionId, actor } = requireUser(principal);
  if (sessionId === undefined) throw new Forbidden("This needs a user token; a session of the console has none.");
  return { userId, sessionId, actor };
};

/** Who asks as a member of the request's institution, or as an operator in it. Throws Forbidden for a key. */
export const requireMember = (principal: Principal): Member => {
  const { tenantId, role, actor } = principal;
  if (principal.person?.kind === "operator" && role) return { tenantId, userId: null, role, actor };
  const { userId } = requireUser(principal);
  if (!role) throw new Forbidden("Select an institution first.");
  return { tenantId, userId, role, actor };
};

/** `isInactive`: the operator has deactivated the institution's account. */
type Known = { principal: Principal; allowance: Allowance; isInactive: boolean };
type Verdict = Known | { code: PlatformCode; message?: string };

/** A known key that is used from an address that it does not allow. */
const ELSEWHERE = {
  code: "FORBIDDEN_PERMISSION",
  message: "The API key may not be used from this address.",
} as const satisfies Verdict;

/** Whether an institution's account is inactive. Unpaid invoices do not matter in this API. */
const isInactive = ({ status }: { status: string }): boolean =>
  accountRefusal({ status, dunningStage: "NONE" }) === "ACCOUNT_INACTIVE";

/** Whether the institution's state closes a route. Users of an inactive one may still choose another. */
const isClosed = (known: Known, { access }: PlatformRouteOptions): boolean => known.isInactive && access !== "pending";

/** Whether a user of several institutions must choose one before. */
const mustSelect = ({ principal }: Known, { access }: PlatformRouteOptions): boolean =>
  Boolean(principal.isPending) && access !== "pending";

/** Finds the route of a request, once all routes are declared. */
type Find = (request: Request) => Found<PlatformRouteOptions>;

/** The first hook of every request. Checks credentials and limits, and sets the rate-limit headers, before the body. */
export const requestFrame = (env: PlatformEnv, find: Find) =>
  new Elysia({ name: "platform.frame" }).onRequest(async ({ request, set }) => {
    set.headers["x-request-id"] = nameRequest(request, () => newId(env));
    if (isOfLongTarget(request)) return refuseLongTarget(env, request, { set, find });
    const route = find(request);
    const { access, errors: shape, maxBodyBytes } = route.routeOptions;
    const verdict = access === "public" ? undefined : await authenticate(env, request, shape);
    const isKnown = verdict !== undefined && "principal" in verdict;
    const allowance = isKnown
      ? verdict.allowance
      : allowAddress(env, { at: "platform", address: addressOf(request), perMinute: env.rates.addressPerMinute });
    writeLimits(env, set.headers, allowance);
    if (isKnown) await env.limiter.written(); // or a crash would give these requests back
    if (isKnown && isClosed(verdict, route.routeOptions)) return refuse(shape, "ACCOUNT_INACTIVE");
    if (allowance.isExceeded) return refuse(shape, "RATE_LIMIT_EXCEEDED", new TooMany(env, allowance));
    if (verdict && "code" in verdict) return refuse(shape, verdict.code, verdict);
    if (isKnown && mustSelect(verdict, route.routeOptions))
      return refuse(shape, "FORBIDDEN_PERMISSION", { message: "Select an institution first." });
    const unfit = refusalOfForm(request, shape, maxBodyBytes);
    if (unfit) return unfit;
    noteBodyTerms(request, { maxBodyBytes, receiver: `platform ${route.pattern}` });
    return isKnown
      ? admitted(env, verdict.principal, {
          request,
          requestId: String(set.headers["x-request-id"]),
          link: linkOf(route),
        })
      : undefined;
  });

/** Nobody is recognised, so that such a request counts against its address. */
const refuseLongTarget = (
  env: PlatformEnv,
  request: Request,
  { set, find }: { set: { headers: Headers }; find: Find },
): Response => {
  const shape = find(request).routeOptions.errors;
  const allowance = allowAddress(env, {
    at: "platform",
    address: addressOf(request),
    perMinute: env.rates.addressPerMinute,
  });
  writeLimits(env, set.headers, allowance);
  return allowance.isExceeded
    ? refuse(shape, "RATE_LIMIT_EXCEEDED", new TooMany(env, allowance))
    : faultResponse(shape, LONG_TARGET, false);
};

/** The refusal of a request whose path or body cannot be taken, for every sender. */
const refusalOfForm = (request: Request, shape: ErrorShape, maxBodyBytes: number): Response | undefined => {
  if (!isPlainPath(request)) return faultResponse(shape, NOT_PLAIN, true);
  return isTooLarge(request, maxBodyBytes) ? refuse(shape, "PAYLOAD_TOO_LARGE") : undefined;
};

type Admitted = Omit<Asked, "link"> & { link: Asked["link"] | undefined };

/** Continues as this principal, here or on the node with the link that the request needs. */
const admitted = (
  env: PlatformEnv,
  principal: Principal,
  { link, ...asked }: Admitted,
): Promise<Response | undefined> | undefined => {
  principals.set(asked.request, principal);
  env.intake.trust(asked.request);
  return link && env.elsewhere?.({ ...asked, link });
};

type Headers = Record<string, string | number | string[] | undefined>;

const writeLimits = (env: PlatformEnv, headers: Headers, allowance: Allowance): void => {
  const { limit, remaining, resetAt } = allowance;
  headers["x-ratelimit-limit"] = String(limit);
  headers["x-ratelimit-remaining"] = String(remaining);
  headers["x-ratelimit-reset"] = String(resetAt / 1000);
  Object.assign(headers, rateLimitHeaders(env, allowance));
};

/** The code of a failed authentication, one of four. The webhook routes always use the same one. */
const authenticate = async (env: PlatformEnv, request: Request, shape: ErrorShape): Promise<Verdict> => {
  const verdict = await recognise(env, request);
  if ("code" in verdict && verdict.code !== "AUTHENTICATION_REQUIRED")
    env.refusals.note({ door: "platform", address: addressOf(request) });
  return "code" in verdict && verdict !== ELSEWHERE && (shape === "webhooks" || shape === "logs")
    ? { code: "UNAUTHORIZED" }
    : verdict;
};

const recognise = async (env: PlatformEnv, request: Request): Promise<Verdict> => {
  const person = personOf(request);
  if (person) return byPerson(env, person, addressOf(request));
  const header = request.headers.get("authorization");
  if (header === null) return { code: "AUTHENTICATION_REQUIRED" };
  const [, credential] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (!credential) return { code: "UNAUTHORIZED" };
  return credential.startsWith("oapi_sk_")
    ? byKey(env, credential, addressOf(request))
    : byToken(env, credential, addressOf(request));
};

const byKey = async (env: PlatformEnv, presented: string, address: string): Promise<Verdict> => {
  const found = await recogniseKey(env, "platform", presented);
  if (found?.state !== "valid") return { code: "INVALID_API_KEY" };
  const { key, tenant } = found;
  if (!mayComeFrom(key, address)) return ELSEWHERE;
  const allowance = allowInstitution(env, {
    tenantId: tenant.id,
    plan: tenant.platformPlan,
    keyId: key.id,
    ...(key.requestsPerMinute === null ? {} : { keyLimit: key.requestsPerMinute }),
  });
  if (!allowance.isExceeded) env.keyUse.note(key.id);
  return {
    allowance,
    isInactive: isInactive(tenant),
    principal: {
      tenantId: tenant.id,
      plan: tenant.platformPlan,
      keyId: key.id,
      environment: key.environment,
      permissions: key.permissions,
      user: undefined,
      role: undefined,
      isPending: false,
      actor: { name: `key:${key.id}`, address },
    },
  };
};

/** Unpaid invoices or an inactive account close nothing to an operator, who looks after it. */
const byPerson = (env: PlatformEnv, person: Person, address: string): Verdict => {
  const { account, kind } = person;
  return {
    allowance: allowPerson(env, person, false),
    isInactive: account !== undefined && kind === "member" && isInactive(account.tenant),
    principal: {
      tenantId: account?.tenant.id ?? ("" as TenantId), // without an account it gives access to no tenant's data
      plan: account?.tenant.platformPlan ?? null,
      environment: "live",
      permissions: account ? ROLE_MAY[account.role].permissions : [],
      user: kind === "member" ? { userId: person.id, sessionId: undefined } : undefined,
      role: account?.role,
      isPending: account === undefined,
      person,
      actor: { name: actorNameOf(person), address },
    },
  };
};

const byToken = async (env: PlatformEnv, presented: string, address: string): Promise<Verdict> => {
  const found = await recogniseToken(env, presented);
  if (!found) return { code: "INVALID_TOKEN" };
  const { userId, sessionId, acting } = found;
  const institution = acting?.institution;
  const allowance = institution
    ? allowInstitution(env, { tenantId: institution.id, plan: institution.platformPlan })
    : allowUser(env, userId);
  const principal: Principal = {
    tenantId: institution?.id ?? ("" as TenantId), // a pending token gives access to no tenant's data
    plan: institution?.platformPlan ?? null,
    environment: "live",
    permissions: acting ? ROLE_MAY[acting.role].permissions : [],
    user: { userId, sessionId },
    role: acting?.role,
    isPending: institution === undefined,
    actor: { name: `user:${userId}`, address },
  };
  return { allowance, isInactive: institution !== undefined && isInactive(institution), principal };
};

/**
 * Gives handlers the request's principal, and routes the conditions `perMinute`, `permission`, `testOnly`, `userOnly`
 * and `power`. They are checked before the body's schema, in the order in which a route states them. `perMinute`: the
 * institution's requests of this operation per minute, besides its general limits; state it first. `power`: a right of
 * the user's role, which keys never have.
 */
export const platformAuth = (env: PlatformEnv) =>
  new Elysia({ name: "platform.auth" })
    .derive({ as: "scoped" }, ({ request }) => ({ principal: principalOf(request) }))
    .macro({
      perMinute: (limit: number) => ({
        transform: async ({ request, route, set }: { request: Request; route: string; set: { headers: Headers } }) => {
          const allowance = allowOperation(env, principalOf(request).tenantId, `${request.method} ${route}`, limit);
          await env.limiter.written();
          if (allowance.isExceeded || allowance.remaining < Number(set.headers["x-ratelimit-remaining"]))
            writeLimits(env, set.headers, allowance);
          if (allowance.isExceeded) throw new TooMany(env, allowance);
        },
      }),
      permission: (needed: Permission) => ({
        transform: ({ request }: { request: Request }) => {
          if (!principalOf(request).permissions.includes(needed))
            throw new Forbidden(`The credentials lack the permission ${needed}.`);
        },
      }),
      testOnly: (isOn: boolean) => ({
        transform: ({ request }: { request: Request }) => {
          if (isOn && principalOf(request).environment !== "test") throw new Forbidden("Only a test key opens this.");
        },
      }),
      userOnly: (isOn: boolean) => ({
        transform: ({ request }: { request: Request }) => {
          if (isOn) requireUser(principalOf(request));
        },
      }),
      power: (needed: Power) => ({
        transform: ({ request }: { request: Request }) => {
          const { role } = requireMember(principalOf(request));
          if (!ROLE_MAY[role].powers.includes(needed))
            throw new Forbidden(`Your role in this institution lacks ${needed}.`);
        },
      }),
    });
export type PlatformAuth = ReturnType<typeof platformAuth>;

/** Thrown by the conditions above; the API answers 403 FORBIDDEN_PERMISSION. */
export class Forbidden extends Error {}

/** Throws Forbidden when a test key would change or delete what no test key made. */
export const checkOwner = ({ environment }: Principal, made: { environment: "live" | "test" }): void => {
  if (environment === "test" && made.environment !== "test")
    throw new Forbidden("A test key changes and deletes only what test keys made.");
};

/** A rate window that is full; the API answers 429 RATE_LIMIT_EXCEEDED. */
export class TooMany extends Error {
  readonly retryAfterSeconds: number;
  constructor(env: PlatformEnv, allowance: Allowance) {
    const seconds = secondsUntilReset(env, allowance);
    super(`Too many requests; try again in ${seconds} seconds.`);
    this.retryAfterSeconds = seconds;
  }
}
