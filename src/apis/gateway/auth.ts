import { Elysia } from "elysia";
import { unpaidInvoices } from "../../core/billing/invoices/invoices.ts";
import { pixCodeOf } from "../../core/billing/invoices/pix.ts";
import { isProcessorToken } from "../../core/billing/invoices/processor-events.ts";
import { accountRefusal } from "../../core/tenancy/accounts/accounts.ts";
import {
  type Allowance,
  allowAccount,
  allowAddress,
  allowPerson,
  forgeriesOf,
  noteForgery,
  secondsUntilReset,
} from "../../core/tenancy/accounts/limits.ts";
import type { Actor, Caller, Requester } from "../../core/tenancy/audit/audit.ts";
import { adminAccess } from "../../core/tenancy/keys/admin-token.ts";
import type { KeyOwner } from "../../core/tenancy/keys/keyed-requests.ts";
import { type KeyBounds, mayComeFrom, recogniseKey, UNBOUNDED } from "../../core/tenancy/keys/keys.ts";
import { recordToolCall } from "../../core/tenancy/keys/tool-calls.ts";
import { ROLE_SCOPES } from "../../core/tenancy/people/roles.ts";
import { isSameSecret } from "../../kernel/crypto.ts";
import { AppError } from "../../kernel/errors.ts";
import { newId, type TenantId } from "../../kernel/ids.ts";
import { rateLimitHeaders } from "../shared/http/http-answers.ts";
import { isOfLongTarget, isPlainPath, LONG_TARGET, NOT_PLAIN } from "../shared/http/paths.ts";
import { addressOf, isTooLarge, nameRequest, noteBodyTerms } from "../shared/http/request.ts";
import { isWithinLimits, type KeyLimits, keyLimits } from "../shared/key-scopes.ts";
import { actorNameOf, type Person, personOf } from "../shared/person.ts";
import { type Found, linkOf } from "../shared/route-table.ts";
import type { GatewayEnv } from "./env.ts";
import { faultResponse, refuse } from "./errors.ts";
import type { GatewayRouteOptions } from "./route-options.ts";

/** The account of a request, and who acts in it: an API key, or a person in the console. */
export type Principal = Caller & {
  /** The id of the key; undefined for a person. */
  keyId: string | undefined;
  /** Undefined for a key. */
  person: Person | undefined;
  /** What limits the key or the person; undefined for one that may do everything. */
  limits: KeyLimits | undefined;
  /** From where the key may be used, and until when; nothing for a person. */
  bounds: KeyBounds;
  /** Whether the request would still be admitted now. A request that lasts long asks from time to time. */
  mayGoOn(): Promise<boolean>;
};

const principals = new WeakMap<Request, Principal>();
const administrators = new WeakMap<Request, Requester>();

/** The principal of a request. Throws when a protected route has none, which is a bug in the server. */
const principalOf = (request: Request): Principal => {
  const principal = principals.get(request);
  if (!principal) throw new Error("a protected route was reached without a principal");
  return principal;
};

/** The header by which a client names the tool of a language model that asks. The audit log has each such request. */
export const TOOL_HEADER = "x-recado-tool";
/** Who has the idempotency keys of a request; undefined for one without credentials. */
export const gatewayKeyOwner = (request: Request): KeyOwner | undefined => {
  const principal = principals.get(request);
  if (principal) {
    const { tenantId, actor, person } = principal;
    // a person has keys of their own in each account; a key belongs to one
    return { credential: person ? `gateway ${tenantId} ${actor.name}` : `gateway ${actor.name}`, owner: tenantId };
  }
  const administrator = administrators.get(request);
  if (!administrator) return undefined;
  const isPerson = personOf(request) !== undefined;
  return { credential: isPerson ? `gateway admin ${administrator.actor.name}` : "gateway admin", owner: "admin" };
};

/** Finds the route of a request, once all routes are declared. */
export type Lookup = { find(request: Request): Found<GatewayRouteOptions>; scopeOf(name: string): string | undefined };

/**
 * The first hook of every request. Sets its id, then checks the credentials, the account's state, its limits and the
 * key's, before the body is read.
 */
export const requestFrame = (env: GatewayEnv, lookup: Lookup) =>
  new Elysia({ name: "gateway.frame" }).onRequest(async ({ request, set }) => {
    const requestId = nameRequest(request, () => newId(env));
    set.headers["x-request-id"] = requestId;
    const route = lookup.find(request);
    const { access, maxBodyBytes, namesPhone } = route.routeOptions;
    if (isOfLongTarget(request)) return faultResponse(LONG_TARGET, false);
    noteBodyTerms(request, { maxBodyBytes, receiver: `gateway ${route.pattern}` });
    if (access === "admin") return orOfForm(request, await refusalOfAdmin(env, request), maxBodyBytes);
    if (access !== "key") return orOfForm(request, refusalOfCaller(env, request, access), maxBodyBytes);
    const scope = route.name === undefined ? undefined : lookup.scopeOf(route.name);
    const asked: Asked = { isSend: route.routeOptions.countsAsSend, scope, headers: set.headers };
    const person = personOf(request);
    const refusal = person
      ? await admitPerson(env, request, person, { ...asked, scope: route.routeOptions.roleScope || scope })
      : await authenticate(env, request, asked);
    const refused = orOfForm(request, refusal, maxBodyBytes);
    if (refused) return refused;
    if (namesPhone && !request.headers.get("x-phone-id")?.trim()) return refuse("MISSING_PHONE_ID");
    const link = linkOf(route);
    return link && env.elsewhere?.({ request, requestId, link });
  });

/** A refusal by the credentials, else that of a path which is not plain, or of a body that is announced as too long. */
const orOfForm = (request: Request, refusal: Response | undefined, maxBodyBytes: number): Response | undefined => {
  if (refusal) return refusal;
  if (!isPlainPath(request)) return faultResponse(NOT_PLAIN, true);
  return isTooLarge(request, maxBodyBytes) ? refuse("PAYLOAD_TOO_LARGE") : undefined;
};

const PROCESSOR_TOKENS = ["asaas-access-token", "x-processor-access-token"];
/** The processor's own header, and the one that our documentation names. */
const presentsToken = (env: GatewayEnv, { headers }: Request): boolean =>
  PROCESSOR_TOKENS.map((name) => isProcessorToken(env, headers.get(name) ?? "")).includes(true);

/** The refusal of a request by its headers alone, before its body is read; undefined when there is none. */
const refusalOfCaller = (
  env: GatewayEnv,
  request: Request,
  access: "public" | "signature" | "processor",
): Response | undefined => {
  if (access === "processor") {
    if (!presentsToken(env, request)) return refuseStranger(env, request, "AUTH_INVALID");
    env.intake.trust(request);
    return undefined;
  }
  const forgeries = access === "signature" ? forgeriesOf(env, addressOf(request)) : undefined;
  return forgeries?.isExceeded
    ? refuse("RATE_LIMITED", { "Retry-After": String(secondsUntilReset(env, forgeries)) })
    : undefined;
};

const refusalOfAdmin = async (env: GatewayEnv, request: Request): Promise<Response | undefined> => {
  const person = personOf(request);
  if (person) return refusalOfOperator(env, request, person);
  const given = request.headers.get("x-admin-token");
  const isLocal = given !== null && isSameSecret(given, env.localToken);
  const access = isLocal ? "open" : await adminAccess(env, given);
  if (access === "open") {
    env.intake.trust(request);
    administrators.set(request, { actor: { name: isLocal ? "local" : "admin", address: addressOf(request) } });
    return undefined;
  }
  return access === "disabled" ? refuse("ADMIN_DISABLED") : refuseStranger(env, request, "ADMIN_FORBIDDEN");
};

/** Of persons operators alone administer the server, as themselves. */
const refusalOfOperator = (env: GatewayEnv, request: Request, person: Person): Response | undefined => {
  if (person.kind !== "operator") return refuse("ADMIN_FORBIDDEN", {}, {}, "Only operators may do this.");
  const allowance = allowPerson(env, person, false);
  if (allowance.isExceeded) return refuseExceeded(env, allowance);
  env.intake.trust(request);
  administrators.set(request, { actor: { name: actorNameOf(person), address: addressOf(request) } });
  return undefined;
};

const refuseExceeded = (env: GatewayEnv, allowance: Allowance): Response =>
  refuse("RATE_LIMITED", { "Retry-After": String(secondsUntilReset(env, allowance)) });

/** `headers`: those of the answer. */
type Asked = { isSend: boolean; scope: string | undefined; headers: Record<string, unknown> };

/**
 * The refusal of a request with an API key; undefined when it may continue. Checked in this order: the key, its allowed
 * addresses, the account, the rate limit, the key's scopes.
 */
const authenticate = async (env: GatewayEnv, request: Request, asked: Asked): Promise<Response | undefined> => {
  const presented = request.headers.get("x-api-key");
  if (!presented) return refuseStranger(env, request, "AUTH_MISSING");
  const found = await recogniseKey(env, "gateway", presented);
  if (!found) return refuseStranger(env, request, "AUTH_INVALID");
  if (found.state !== "valid")
    return refuseStranger(env, request, found.state === "revoked" ? "AUTH_REVOKED" : "AUTH_EXPIRED");
  const { tenant, key } = found;
  if (!mayComeFrom(key, addressOf(request)))
    return refuseStranger(env, request, "KEY_ADDRESS_FORBIDDEN", { address: addressOf(request) });
  const code = accountRefusal(tenant);
  if (code) return code === "ACCOUNT_SUSPENDED" ? refuseSuspended(env, tenant.id) : refuse(code);
  const allowance = allowAccount(env, tenant.id, asked.isSend);
  Object.assign(asked.headers, rateLimitHeaders(env, allowance));
  if (allowance.isExceeded) return refuseExceeded(env, allowance);
  env.keyUse.note(key.id);
  const actor: Actor = { name: `key:${key.id}`, address: addressOf(request) };
  const tool = request.headers.get(TOOL_HEADER);
  if (tool !== null) await recordToolCall(env, { tenantId: tenant.id, actor }, tool); // one that is refused too
  const limits = keyLimits({ permissions: key.permissions, isReadOnly: key.isReadOnly });
  if (limits && !isWithinLimits(limits, asked.scope))
    return refuse("KEY_SCOPE_MISSING", {}, { scope: asked.scope ?? null, readOnly: key.isReadOnly });
  env.intake.trust(request);
  const mayGoOn = async () => {
    const now = await recogniseKey(env, "gateway", presented);
    return now?.state === "valid" && accountRefusal(now.tenant) === undefined;
  };
  principals.set(request, {
    tenantId: tenant.id,
    keyId: key.id,
    person: undefined,
    limits,
    bounds: key,
    actor,
    mayGoOn,
  });
  return undefined;
};

/** A suspended or inactive account is closed to its members; an operator still looks after it. */
const closedTo = (person: Person): ReturnType<typeof accountRefusal> =>
  person.account && person.kind === "member" ? accountRefusal(person.account.tenant) : undefined;

/**
 * The refusal of a person in the console; undefined when the request may continue. Checked in the order of keys: the
 * account that the request names, its state, the person's rate limit, the scopes of their role.
 */
const admitPerson = async (
  env: GatewayEnv,
  request: Request,
  person: Person,
  asked: Asked,
): Promise<Response | undefined> => {
  const { account } = person;
  if (!account) return refuse("FORBIDDEN", {}, {}, "The request names no account in which you may act.");
  const { tenant, role } = account;
  const code = closedTo(person);
  if (code) return code === "ACCOUNT_SUSPENDED" ? refuseSuspended(env, tenant.id) : refuse(code);
  const allowance = allowPerson(env, person, asked.isSend);
  Object.assign(asked.headers, rateLimitHeaders(env, allowance));
  if (allowance.isExceeded) return refuseExceeded(env, allowance);
  const limits = limitsOfRole(role);
  if (limits && !isWithinLimits(limits, asked.scope))
    return refuse(
      "KEY_SCOPE_MISSING",
      {},
      { scope: asked.scope ?? null, readOnly: false },
      "Your role does not allow this.",
    );
  const actor: Actor = { name: actorNameOf(person), address: addressOf(request) };
  const mayGoOn = async () => {
    const now = await person.again();
    return now?.account !== undefined && closedTo(now) === undefined;
  };
  env.intake.trust(request);
  principals.set(request, {
    tenantId: tenant.id,
    keyId: undefined,
    person,
    limits,
    bounds: UNBOUNDED,
    actor,
    mayGoOn,
  });
  return undefined;
};

const limitsOfRole = (role: keyof typeof ROLE_SCOPES): KeyLimits | undefined => {
  const scopes = ROLE_SCOPES[role];
  return scopes ? { scopes, isReadOnly: false } : undefined;
};

/** A suspended account can call no route, so the refusal itself says what to pay, and where. */
const refuseSuspended = async (env: GatewayEnv, tenantId: TenantId): Promise<Response> => {
  const invoices = (await unpaidInvoices(env, { tenantId })).map((invoice) => {
    const { id, totalCents, dueDate, gatewayInvoiceUrl } = invoice;
    return { id, totalCents, dueDate, gatewayInvoiceUrl, pixCopyPaste: pixCodeOf(env, invoice) };
  });
  return refuse("ACCOUNT_SUSPENDED", {}, { invoices });
};

/** Refuses a failed authentication, and limits the attempts per IP address, so that keys cannot be guessed. */
export const refuseStranger = (
  env: GatewayEnv,
  request: Request,
  code:
    | "AUTH_MISSING"
    | "AUTH_INVALID"
    | "AUTH_REVOKED"
    | "AUTH_EXPIRED"
    | "KEY_ADDRESS_FORBIDDEN"
    | "ADMIN_FORBIDDEN"
    | "FORBIDDEN",
  details: object = {},
): Response => {
  const allowance = allowAddress(env, {
    at: "gateway",
    address: addressOf(request),
    perMinute: env.rates.gatewayPerMinute,
  });
  const door = code === "ADMIN_FORBIDDEN" ? "admin" : "gateway";
  const presents = door === "admin" ? request.headers.has("x-admin-token") : code !== "AUTH_MISSING";
  if (presents) env.refusals.note({ door, address: addressOf(request) });
  return allowance.isExceeded
    ? refuse("RATE_LIMITED", { "Retry-After": String(secondsUntilReset(env, allowance)) })
    : refuse(code, {}, details);
};

/** Counts a wrong signature against the sender's IP address. Returns the error to throw. */
export const notingForgery = (env: GatewayEnv, request: Request, refusal: unknown): unknown => {
  const isForgery =
    refusal instanceof AppError && (refusal.code === "SIGNATURE_REFUSED" || refusal.code === "FLOW_SIGNATURE_REFUSED");
  if (isForgery) noteForgery(env, addressOf(request));
  return refusal;
};

/** The administrator who asks. Throws where a route has none, which is a bug in the server. */
export const administratorOf = (request: Request): Requester => {
  const administrator = administrators.get(request);
  if (!administrator) throw new Error("a route of the administrator was reached without one");
  return administrator;
};

/** Gives handlers the request's principal. */
export const gatewayAuth = () =>
  new Elysia({ name: "gateway.auth" }).derive({ as: "scoped" }, ({ request }) => ({ principal: principalOf(request) }));
export type GatewayAuth = ReturnType<typeof gatewayAuth>;
