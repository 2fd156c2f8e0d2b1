import { unpaidInvoices } from "../../core/billing/invoices/invoices.ts";
import { pixCodeOf } from "../../core/billing/invoices/pix.ts";
import { isProcessorToken } from "../../core/billing/invoices/processor-events.ts";
import { accountRefusal } from "../../core/tenancy/accounts/accounts.ts";
import { allowPerson, forgeriesOf, noteForgery, secondsUntilReset } from "../../core/tenancy/accounts/limits.ts";
import type { Actor, Caller, Requester } from "../../core/tenancy/audit/audit.ts";
import { adminAccess } from "../../core/tenancy/keys/admin-token.ts";
import type { KeyOwner } from "../../core/tenancy/keys/keyed-requests.ts";
import { type KeyBounds, recogniseKey, UNBOUNDED } from "../../core/tenancy/keys/keys.ts";
import { recordToolCall } from "../../core/tenancy/keys/tool-calls.ts";
import { ROLE_SCOPES } from "../../core/tenancy/people/roles.ts";
import { isSameSecret } from "../../kernel/crypto.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { type Arrival, countStranger, requestFrame, type Sender } from "../shared/auth/frame.ts";
import { createNoted, withPrincipal } from "../shared/auth/noted.ts";
import { type AccountRefusal, type KeyFault, senderByKey } from "../shared/auth/presented-key.ts";
import { rateLimitHeaders } from "../shared/http/http-answers.ts";
import { addressOf } from "../shared/http/request.ts";
import { isWithinLimits, type KeyLimits, keyLimits } from "../shared/key-scopes.ts";
import { actorNameOf, type Person, personOf } from "../shared/person.ts";
import type { Found } from "../shared/route-table.ts";
import type { GatewayEnv } from "./env.ts";
import { faultResponse, type GatewayCode, refuse } from "./errors.ts";
import { neededLink } from "./needed-link.ts";
import type { GatewayRouteOptions } from "./route-options.ts";

/** The account of a request, and its actor: an API key, or a person in the console. */
export type Principal = Caller & {
  /** The id of the key; undefined for a person. */
  keyId: string | undefined;
  /** Undefined for a key. */
  person: Person | undefined;
  /** The limits of the key or the person; undefined without limits. */
  limits: KeyLimits | undefined;
  /** The addresses from which the key may be used, and its end; empty for a person. */
  bounds: KeyBounds;
  /** Whether the request would still be admitted now. A long request asks from time to time. */
  mayGoOn(): Promise<boolean>;
};

const principals = createNoted<Principal>("a principal");
const administrators = createNoted<Requester>("an administrator");

/** The header in which a client names the tool of a language model. The audit log has each such request. */
export const TOOL_HEADER = "x-recado-tool";
/** The owner of a request's idempotency keys; undefined for a request without credentials. */
export const gatewayKeyOwner = (request: Request): KeyOwner | undefined => {
  const principal = principals.find(request);
  if (principal) {
    const { tenantId, actor, person } = principal;
    // a person has separate keys in each account; an API key belongs to one account
    return { credential: person ? `gateway ${tenantId} ${actor.name}` : `gateway ${actor.name}`, owner: tenantId };
  }
  const administrator = administrators.find(request);
  if (!administrator) return undefined;
  const isPerson = personOf(request) !== undefined;
  return { credential: isPerson ? `gateway admin ${administrator.actor.name}` : "gateway admin", owner: "admin" };
};

/** Finds the route of a request and its scope, once all routes are declared. */
export type Lookup = { find(request: Request): Found<GatewayRouteOptions>; scopeOf(name: string): string | undefined };
type Arrived = Arrival<GatewayRouteOptions> & { scope: string | undefined };

export const gatewayFrame = (env: GatewayEnv, { find, scopeOf }: Lookup) =>
  requestFrame<GatewayRouteOptions>(env, {
    ...strangersOf(env),
    find,
    windowHeaders: (allowance) => rateLimitHeaders(env, allowance),
    recognise: (arrival) => {
      const { name } = arrival.route;
      return recognise(env, { ...arrival, scope: name === undefined ? undefined : scopeOf(name) });
    },
    refuseFault: (fault) => faultResponse(fault, true),
    refuseExceeded: ({ retryAfterSeconds }) => exceeded(retryAfterSeconds),
    check: ({ request, route }) =>
      route.routeOptions.namesPhone && !request.headers.get("x-phone-id")?.trim()
        ? refuse("MISSING_PHONE_ID")
        : undefined,
    linkFor: (arrival) => neededLink(env, principals.find(arrival.request), arrival),
  });

const strangersOf = (env: GatewayEnv) => ({ api: "gateway", strangersPerMinute: () => env.rates.gatewayPerMinute });

const exceeded = (retryAfterSeconds: number): Response =>
  refuse("RATE_LIMITED", { "Retry-After": String(retryAfterSeconds) });

/** What may be known of a sender by the headers alone. Who signs a body is known once it is read. */
const recognise = async (env: GatewayEnv, arrival: Arrived): Promise<Sender | undefined> => {
  const { access } = arrival.route.routeOptions;
  if (access === "admin") return recogniseAdministrator(env, arrival);
  if (access === "processor") return recogniseProcessor(env, arrival);
  if (access === "signature") return recogniseForger(env, arrival);
  if (access === "public") return undefined;
  const person = personOf(arrival.request);
  return person ? recogniseIn(env, arrival, person) : recogniseByKey(env, arrival);
};

const PROCESSOR_TOKENS = ["asaas-access-token", "x-processor-access-token"];
/** By the processor's own header, and by the one that our documentation names. */
const recogniseProcessor = (env: GatewayEnv, { request: { headers } }: Arrived): Sender =>
  PROCESSOR_TOKENS.map((name) => isProcessorToken(env, headers.get(name) ?? "")).includes(true)
    ? { admit: () => undefined }
    : { stranger: refuse("AUTH_INVALID"), door: "gateway" };

const recogniseForger = (env: GatewayEnv, { address }: Arrived): Sender | undefined => {
  const forgeries = forgeriesOf(env, address);
  return forgeries.isExceeded ? { refused: exceeded(secondsUntilReset(env, forgeries)) } : undefined;
};

const recogniseAdministrator = async (env: GatewayEnv, { request }: Arrived): Promise<Sender> => {
  const person = personOf(request);
  if (person) return recogniseOperator(env, request, person);
  const given = request.headers.get("x-admin-token");
  const isLocal = given !== null && isSameSecret(given, env.localToken);
  const access = isLocal ? "open" : await adminAccess(env, given);
  if (access === "disabled") return { refused: refuse("ADMIN_DISABLED") };
  return access === "open"
    ? administrator(request, isLocal ? "local" : "admin")
    : { stranger: refuse("ADMIN_FORBIDDEN"), door: given === null ? undefined : "admin" };
};

const administrator = (request: Request, name: Actor["name"]): Sender => ({
  admit() {
    administrators.note(request, { actor: { name, address: addressOf(request) } });
    return undefined;
  },
});

/** Of persons operators alone administer the server, as themselves. */
const recogniseOperator = (env: GatewayEnv, request: Request, person: Person): Sender => {
  if (person.kind !== "operator") return { refused: refuse("ADMIN_FORBIDDEN", {}, {}, "Only operators may do this.") };
  const allowance = allowPerson(env, person, false);
  return allowance.isExceeded
    ? { refused: exceeded(secondsUntilReset(env, allowance)) }
    : administrator(request, actorNameOf(person));
};

const KEY_FAULTS = {
  missing: "AUTH_MISSING",
  unknown: "AUTH_INVALID",
  revoked: "AUTH_REVOKED",
  expired: "AUTH_EXPIRED",
  elsewhere: "KEY_ADDRESS_FORBIDDEN",
} as const satisfies Record<KeyFault, GatewayCode>;

const recogniseByKey = (env: GatewayEnv, { request, address, route, scope }: Arrived): Promise<Sender> => {
  const presented = request.headers.get("x-api-key");
  return senderByKey(env, {
    apis: ["gateway"],
    presented,
    address,
    countsAsSend: route.routeOptions.countsAsSend,
    door: presented ? "gateway" : undefined,
    refuseKey: (fault) => refuse(KEY_FAULTS[fault], {}, fault === "elsewhere" ? { address } : {}),
    refuseClosed: (code, tenantId) => refuseClosed(env, code, tenantId),
    async admit({ tenant, key, actor }) {
      const caller: Caller = { tenantId: tenant.id, actor };
      const tool = request.headers.get(TOOL_HEADER);
      if (tool !== null) await recordToolCall(env, caller, tool); // one that is refused too
      const limits = keyLimits({ permissions: key.permissions, isReadOnly: key.isReadOnly });
      if (limits && !isWithinLimits(limits, scope))
        return refuse("KEY_SCOPE_MISSING", {}, { scope: scope ?? null, readOnly: key.isReadOnly });
      const mayGoOn = async () => {
        const now = await recogniseKey(env, "gateway", presented ?? "");
        return now?.state === "valid" && accountRefusal(now.tenant) === undefined;
      };
      principals.note(request, { ...caller, keyId: key.id, person: undefined, limits, bounds: key, mayGoOn });
      return undefined;
    },
  });
};

/** A suspended or inactive account is closed to its members; an operator may still look after it. */
const closedTo = (person: Person): ReturnType<typeof accountRefusal> =>
  person.account && person.kind === "member" ? accountRefusal(person.account.tenant) : undefined;

/** A person in the console, as a key of the account that the request names, with the scopes of their role. */
const recogniseIn = async (env: GatewayEnv, arrival: Arrived, person: Person): Promise<Sender> => {
  const { request, address, route, scope: ofKeys } = arrival;
  const { account } = person;
  if (!account) return { refused: refuse("FORBIDDEN", {}, {}, "The request names no account in which you may act.") };
  const { tenant, role } = account;
  const closed = closedTo(person);
  if (closed) return { refused: await refuseClosed(env, closed, tenant.id) };
  const { countsAsSend, roleScope } = route.routeOptions;
  const scope = roleScope || ofKeys;
  return {
    allow: () => allowPerson(env, person, countsAsSend),
    admit() {
      const limits = limitsOfRole(role);
      if (limits && !isWithinLimits(limits, scope))
        return refuse(
          "KEY_SCOPE_MISSING",
          {},
          { scope: scope ?? null, readOnly: false },
          "Your role does not allow this.",
        );
      principals.note(request, {
        tenantId: tenant.id,
        actor: { name: actorNameOf(person), address },
        keyId: undefined,
        person,
        limits,
        bounds: UNBOUNDED,
        async mayGoOn() {
          const now = await person.again();
          return now?.account !== undefined && closedTo(now) === undefined;
        },
      });
      return undefined;
    },
  };
};

const limitsOfRole = (role: keyof typeof ROLE_SCOPES): KeyLimits | undefined => {
  const scopes = ROLE_SCOPES[role];
  return scopes ? { scopes, isReadOnly: false } : undefined;
};

/** A suspended account can call no route, so the refusal itself says what to pay, and where. */
const refuseClosed = async (env: GatewayEnv, code: AccountRefusal, tenantId: TenantId): Promise<Response> => {
  if (code !== "ACCOUNT_SUSPENDED") return refuse(code);
  const invoices = (await unpaidInvoices(env, { tenantId })).map((invoice) => {
    const { id, totalCents, dueDate, gatewayInvoiceUrl } = invoice;
    return { id, totalCents, dueDate, gatewayInvoiceUrl, pixCopyPaste: pixCodeOf(env, invoice) };
  });
  return refuse("ACCOUNT_SUSPENDED", {}, { invoices });
};

/** Refuses a handshake with a wrong verify token, as one with a wrong key. */
export const refuseHandshake = (env: GatewayEnv, request: Request): Response => {
  const allowance = countStranger(env, strangersOf(env), { address: addressOf(request), door: "gateway" });
  return allowance.isExceeded ? exceeded(secondsUntilReset(env, allowance)) : refuse("FORBIDDEN");
};

const isForgery = (refusal: unknown): boolean =>
  refusal instanceof AppError &&
  (refusal.code === "SIGNATURE_REFUSED" || refusal.code === "FLOW_SIGNATURE_REFUSED" || isForgery(refusal.cause));

/** Counts a wrong signature against the sender's IP address. Returns the error to throw. */
export const notingForgery = (env: GatewayEnv, request: Request, refusal: unknown): unknown => {
  if (isForgery(refusal)) noteForgery(env, addressOf(request));
  return refusal;
};

/** The administrator who asks. Throws where a route has none, which is a bug in the server. */
export const administratorOf = administrators.of;

/** Gives handlers the request's principal. */
export const gatewayAuth = () => withPrincipal("gateway.auth", principals);
export type GatewayAuth = ReturnType<typeof gatewayAuth>;
