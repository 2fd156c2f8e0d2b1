import { type Account, accountRefusal, type PlatformPlan } from "../../core/tenancy/accounts/accounts.ts";
import {
  type Allowance,
  allowInstitution,
  allowOperation,
  allowPerson,
  allowUser,
  secondsUntilReset,
} from "../../core/tenancy/accounts/limits.ts";
import type { Caller, Requester } from "../../core/tenancy/audit/audit.ts";
import type { KeyOwner } from "../../core/tenancy/keys/keyed-requests.ts";
import type { Member } from "../../core/tenancy/people/members.ts";
import { ROLE_MAY, type Role } from "../../core/tenancy/people/roles.ts";
import { recogniseToken } from "../../core/tenancy/sign-in/sessions.ts";
import type { TenantId } from "../../kernel/ids.ts";
import {
  type Arrival,
  type Headers,
  type Known,
  requestFrame,
  type Sender,
  type Stranger,
} from "../shared/auth/frame.ts";
import { createNoted, withPrincipal } from "../shared/auth/noted.ts";
import { recognisePresented } from "../shared/auth/presented-key.ts";
import { rateLimitHeaders } from "../shared/http/http-answers.ts";
import { actorNameOf, type Person, personOf } from "../shared/person.ts";
import type { Found } from "../shared/route-table.ts";
import type { PlatformEnv } from "./env.ts";
import { faultResponse, type PlatformCode, refuse } from "./errors.ts";
import type { PlatformRouteOptions } from "./route-options.ts";

/**
 * The sender of a request. A key acts for its institution, within its permissions. A complete user token acts for the
 * institution that it names, with the user's role there. A pending token belongs to a user who still has to choose an
 * institution. A member in the console counts as a user with a complete token. An operator there has an owner's role,
 * but is not a user.
 */
export type Principal = Caller & {
  plan: PlatformPlan | null;
  environment: "live" | "test";
  permissions: readonly string[];
  /** The id of the request's API key; undefined for a user or a person in the console. */
  keyId?: string;
  /**
   * The user of the request. `sessionId` is that of their token; undefined in the console, which has other sessions.
   */
  user: { userId: string; sessionId: string | undefined } | undefined;
  /** The person's role in the institution of the request; undefined for a key, and before an institution is chosen. */
  role: Role | undefined;
  isPending: boolean;
  /** Set when the request came through the console. */
  person?: Person;
};

const principals = createNoted<Principal>("a principal");

/** The owner of a request's idempotency keys; undefined for a request without credentials. */
export const platformKeyOwner = (request: Request): KeyOwner | undefined => {
  const principal = principals.find(request);
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
    role ? "An operator is not a user of the platform." : "This needs a user token; an API key does not open it.",
  );
};

/** The user of a request and the session of their token. Throws Forbidden for a key, and in the console. */
export const requireToken = (principal: Principal): Requester & { userId: string; sessionId: string } => {
  const { userId, sessionId, actor } = requireUser(principal);
  if (sessionId === undefined) throw new Forbidden("This needs a user token; a session of the console has none.");
  return { userId, sessionId, actor };
};

/** The requester as a member of the request's institution, or as an operator in it. Throws Forbidden for a key. */
export const requireMember = (principal: Principal): Member => {
  const { tenantId, role, actor } = principal;
  if (principal.person?.kind === "operator" && role) return { tenantId, userId: null, role, actor };
  const { userId } = requireUser(principal);
  if (!role) throw new Forbidden("Select an institution first.");
  return { tenantId, userId, role, actor };
};

/** Finds the route of a request, once all routes are declared. */
type Find = (request: Request) => Found<PlatformRouteOptions>;
type Arrived = Arrival<PlatformRouteOptions>;

export const platformFrame = (env: PlatformEnv, find: Find) =>
  requestFrame<PlatformRouteOptions>(env, {
    api: "platform",
    find,
    strangersPerMinute: () => env.rates.addressPerMinute,
    limitsAnybody: true,
    windowHeaders: (allowance) => windowHeaders(env, allowance),
    recognise: (arrival) => recognise(env, arrival),
    refuseFault: (fault, { route }) => faultResponse(route.routeOptions.errors, fault, true),
    refuseExceeded: ({ retryAfterSeconds }, { route }) =>
      refuse(route.routeOptions.errors, "RATE_LIMIT_EXCEEDED", new TooMany(retryAfterSeconds)),
  });

const windowHeaders = (env: PlatformEnv, allowance: Allowance): Headers => {
  const { limit, remaining, resetAt } = allowance;
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(resetAt / 1000),
    ...rateLimitHeaders(env, allowance),
  };
};

const recognise = async (env: PlatformEnv, arrival: Arrived): Promise<Sender | undefined> => {
  const { request, route } = arrival;
  if (route.routeOptions.access === "public") return undefined;
  const person = personOf(request);
  if (person) return byPerson(env, arrival, person);
  const header = request.headers.get("authorization");
  if (header === null) return stranger(arrival, "AUTHENTICATION_REQUIRED");
  const [, credential] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (!credential) return stranger(arrival, "UNAUTHORIZED");
  return credential.startsWith("oapi_sk_") ? byKey(env, arrival, credential) : byToken(env, arrival, credential);
};

/** The webhook routes use the same code for every failed authentication. */
const stranger = ({ route }: Arrived, code: PlatformCode): Stranger => {
  const shape = route.routeOptions.errors;
  return {
    stranger: refuse(shape, shape === "webhooks" || shape === "logs" ? "UNAUTHORIZED" : code),
    door: code === "AUTHENTICATION_REQUIRED" ? undefined : "platform",
  };
};

/** A known principal, whose request `allow` counts. `tenant`: their institution. */
type Recognised = { allow(): Allowance; isInactive: boolean; principal: Principal };

/** Users of an inactive institution, and those who have not chosen one yet, may still choose. */
const known = (env: PlatformEnv, { request, route }: Arrived, { allow, isInactive, principal }: Recognised): Known => {
  const { access, errors: shape } = route.routeOptions;
  const isChoosing = access === "pending";
  return {
    async allow() {
      const allowance = allow();
      await env.limiter.written(); // or a crash would give these requests back
      return allowance;
    },
    closed: isInactive && !isChoosing ? refuse(shape, "ACCOUNT_INACTIVE") : undefined,
    admit() {
      if (principal.isPending && !isChoosing)
        return refuse(shape, "FORBIDDEN_PERMISSION", { message: "Select an institution first." });
      principals.note(request, principal);
      return undefined;
    },
  };
};

/** Whether the operator has deactivated an institution's account. Unpaid invoices do not matter in this API. */
const isInactive = ({ status }: { status: string }): boolean =>
  accountRefusal({ status, dunningStage: "NONE" }) === "ACCOUNT_INACTIVE";

const byKey = async (env: PlatformEnv, arrival: Arrived, presented: string): Promise<Sender> => {
  const found = await recognisePresented(env, { apis: ["platform"], presented, address: arrival.address });
  if ("fault" in found) {
    if (found.fault !== "elsewhere") return stranger(arrival, "INVALID_API_KEY");
    const message = "The API key may not be used from this address.";
    return {
      stranger: refuse(arrival.route.routeOptions.errors, "FORBIDDEN_PERMISSION", { message }),
      door: "platform",
    };
  }
  const { key, tenant, actor } = found;
  return known(env, arrival, {
    allow() {
      const allowance = allowInstitution(env, {
        tenantId: tenant.id,
        plan: tenant.platformPlan,
        keyId: key.id,
        ...(key.requestsPerMinute === null ? {} : { keyLimit: key.requestsPerMinute }),
      });
      if (!allowance.isExceeded) env.keyUse.note(key.id);
      return allowance;
    },
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
      actor,
    },
  });
};

/** What somebody without a key is in an institution by their role; without one nothing, until they choose it. */
const inInstitution = (acting: { institution: Account; role: Role } | undefined) => ({
  tenantId: acting?.institution.id ?? ("" as TenantId), // gives access to no tenant's data
  plan: acting?.institution.platformPlan ?? null,
  environment: "live" as const,
  permissions: acting ? ROLE_MAY[acting.role].permissions : [],
  role: acting?.role,
  isPending: acting === undefined,
});

/** Unpaid invoices or an inactive account close nothing to an operator, who looks after it. */
const byPerson = (env: PlatformEnv, arrival: Arrived, person: Person): Known => {
  const { account, kind } = person;
  return known(env, arrival, {
    allow: () => allowPerson(env, person, false),
    isInactive: account !== undefined && kind === "member" && isInactive(account.tenant),
    principal: {
      ...inInstitution(account && { institution: account.tenant, role: account.role }),
      user: kind === "member" ? { userId: person.id, sessionId: undefined } : undefined,
      person,
      actor: { name: actorNameOf(person), address: arrival.address },
    },
  });
};

const byToken = async (env: PlatformEnv, arrival: Arrived, presented: string): Promise<Sender> => {
  const found = await recogniseToken(env, presented);
  if (!found) return stranger(arrival, "INVALID_TOKEN");
  const { userId, sessionId, acting } = found;
  const institution = acting?.institution;
  return known(env, arrival, {
    allow: () =>
      institution
        ? allowInstitution(env, { tenantId: institution.id, plan: institution.platformPlan })
        : allowUser(env, userId),
    isInactive: institution !== undefined && isInactive(institution),
    principal: {
      ...inInstitution(acting),
      user: { userId, sessionId },
      actor: { name: `user:${userId}`, address: arrival.address },
    },
  });
};

/** A request of a known principal at its route. `route`: the path of the route. `headers`: those of the answer. */
type Asking = { principal: Principal; request: Request; route: string; headers: Headers };

/** Counts the request against the limit of its operation. Throws TooMany. */
const countOperation = async (
  env: PlatformEnv,
  { principal: { tenantId }, request, route, headers }: Asking,
  perMinute: number,
): Promise<void> => {
  const allowance = allowOperation(env, tenantId, `${request.method} ${route}`, perMinute);
  await env.limiter.written();
  if (allowance.isExceeded || allowance.remaining < Number(headers["x-ratelimit-remaining"]))
    Object.assign(headers, windowHeaders(env, allowance));
  if (allowance.isExceeded) throw new TooMany(secondsUntilReset(env, allowance));
};

/** Throws Forbidden for a principal who lacks what the route demands. */
const requireRight = (principal: Principal, { access, permission, power }: PlatformRouteOptions): void => {
  if (permission !== "" && !principal.permissions.includes(permission))
    throw new Forbidden(`The credentials lack the permission ${permission}.`);
  if (access === "testKey" && principal.environment !== "test") throw new Forbidden("Only a test key opens this.");
  if (access === "user" || access === "pending") requireUser(principal);
  if (power !== "" && !ROLE_MAY[requireMember(principal).role].powers.includes(power))
    throw new Forbidden(`Your role in this institution lacks ${power}.`);
};

/**
 * Gives handlers the request's principal, and refuses what the route does not allow them. A request counts before its
 * rights are checked, and both come before the schema of the body.
 */
export const platformAuth = (env: PlatformEnv, find: Find) =>
  withPrincipal("platform.auth", principals).onTransform({ as: "scoped" }, async ({ request, route, set }) => {
    const { routeOptions } = find(request);
    const principal = principals.of(request);
    const { perMinute } = routeOptions;
    if (perMinute > 0) await countOperation(env, { principal, request, route, headers: set.headers }, perMinute);
    requireRight(principal, routeOptions);
  });
export type PlatformAuth = ReturnType<typeof platformAuth>;

/** Thrown by the conditions above; the API answers 403 FORBIDDEN_PERMISSION. */
export class Forbidden extends Error {}

/** Throws Forbidden when a test key would change or delete something that no test key made. */
export const checkOwner = ({ environment }: Principal, made: { environment: "live" | "test" }): void => {
  if (environment === "test" && made.environment !== "test")
    throw new Forbidden("A test key changes and deletes only what test keys made.");
};

/** A rate window that is full; the API answers 429 RATE_LIMIT_EXCEEDED. */
export class TooMany extends Error {
  readonly retryAfterSeconds: number;
  constructor(seconds: number) {
    super(`Too many requests; try again in ${seconds} seconds.`);
    this.retryAfterSeconds = seconds;
  }
}
