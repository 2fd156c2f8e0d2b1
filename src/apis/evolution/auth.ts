import { Elysia } from "elysia";
import type { Channel } from "../../core/channels/channel.ts";
import { requireChannelNamed } from "../../core/channels/named.ts";
import { accountRefusal } from "../../core/tenancy/accounts/accounts.ts";
import { type Allowance, allowAccount, allowAddress, secondsUntilReset } from "../../core/tenancy/accounts/limits.ts";
import type { Caller } from "../../core/tenancy/audit/audit.ts";
import { mayComeFrom, recogniseKey, type TokenMaker } from "../../core/tenancy/keys/keys.ts";
import { AppError } from "../../kernel/errors.ts";
import { type ChannelId, newId } from "../../kernel/ids.ts";
import { isOfLongTarget, isPlainPath, LONG_TARGET, NOT_PLAIN } from "../shared/http/paths.ts";
import { addressOf, isTooLarge, nameRequest, noteBodyTerms } from "../shared/http/request.ts";
import { isWithinLimits, type KeyLimits, keyLimits } from "../shared/key-scopes.ts";
import { type Found, linkOf } from "../shared/route-table.ts";
import type { EvolutionEnv } from "./env.ts";
import { faultResponse, refuse } from "./errors.ts";
import type { EvolutionRouteOptions } from "./route-options.ts";

/** Who asks: a key of the account, or the own token of one instance. */
export type Principal = Caller & {
  /** The only instance that the token opens; null for a key of the account. */
  onlyChannel: ChannelId | null;
  /** The scopes of a limited key; undefined for one that may do everything. */
  limits: KeyLimits | undefined;
  /** What limits the tokens that it makes. */
  maker: TokenMaker;
};

const principals = new WeakMap<Request, Principal>();
const instances = new WeakMap<Request, Channel>();

const foundFor = <Value>(of: WeakMap<Request, Value>, request: Request): Value => {
  const found = of.get(request);
  if (!found) throw new Error("a protected route was reached without its principal and instance");
  return found;
};

/** The instance that the path names. Throws on a route that names none, which is a bug in the server. */
export const instanceOf = (request: Request): Channel => foundFor(instances, request);

type Lookup = { find(request: Request): Found<EvolutionRouteOptions> };

/**
 * The first hook of every request. Checks in this order, before the body is read: the key, its allowed addresses, the
 * account's state, its limits, the key's scopes, the path, the body's length, the instance.
 */
export const requestFrame = (env: EvolutionEnv, { find }: Lookup) =>
  new Elysia({ name: "evolution.frame" }).onRequest(async ({ request, set }) => {
    const requestId = nameRequest(request, () => newId(env));
    set.headers["x-request-id"] = requestId;
    const route = find(request);
    const { access, maxBodyBytes } = route.routeOptions;
    if (isOfLongTarget(request)) return faultResponse(LONG_TARGET, "");
    const unfit = refusalOfForm(request, maxBodyBytes);
    noteBodyTerms(request, { maxBodyBytes, receiver: `evolution ${route.pattern}` });
    if (access === "public") return unfit;
    const refusal = (await authenticate(env, request, route.routeOptions)) ?? unfit;
    if (refusal) return refusal;
    const name = route.pattern?.endsWith("/:instance") ? route.params.at(-1) : undefined;
    if (name === undefined) return undefined;
    const missing = await findInstance(env, request, name);
    if (missing) return missing;
    const link = linkOf(route) && { ...linkOf(route), channelId: instanceOf(request).id };
    return link && env.elsewhere?.({ request, requestId, link: { isRequired: true, ...link } });
  });

/** The refusal of a request whose path or body cannot be taken from any sender. */
const refusalOfForm = (request: Request, maxBodyBytes: number): Response | undefined => {
  if (!isPlainPath(request)) return faultResponse(NOT_PLAIN, "");
  return isTooLarge(request, maxBodyBytes) ? faultResponse({ kind: "too-large" }, "") : undefined;
};

const authenticate = async (
  env: EvolutionEnv,
  request: Request,
  { countsAsSend, scope, isOfAccount }: EvolutionRouteOptions,
): Promise<Response | undefined> => {
  const presented = request.headers.get("apikey");
  const found =
    presented && ((await recogniseKey(env, "gateway", presented)) ?? (await recogniseKey(env, "evolution", presented)));
  if (!found || found.state !== "valid") return refuseStranger(env, request);
  const { tenant, key } = found;
  if (!mayComeFrom(key, addressOf(request))) return refuseStranger(env, request);
  const closed = accountRefusal(tenant);
  if (closed) return refuse(closed === "ACCOUNT_SUSPENDED" ? 402 : 403, { message: ["The account is not active."] });
  const allowance = allowAccount(env, tenant.id, countsAsSend);
  if (allowance.isExceeded) return refuseExceeded(env, allowance);
  env.keyUse.note(key.id);
  const limits = keyLimits({ permissions: key.permissions, isReadOnly: key.isReadOnly });
  if (limits && !isWithinLimits(limits, scope)) return lacks(scope);
  if (key.channelId !== null && isOfAccount)
    return refuse(403, { message: ["The token of an instance may not do this: use a key of the account."] });
  env.intake.trust(request);
  principals.set(request, {
    tenantId: tenant.id,
    onlyChannel: key.channelId,
    limits,
    maker: key,
    actor: { name: `key:${key.id}`, address: addressOf(request) },
  });
  return undefined;
};

/** Refuses an unknown instance. For the token of another one there is none. */
const findInstance = async (env: EvolutionEnv, request: Request, name: string): Promise<Response | undefined> => {
  const principal = foundFor(principals, request);
  try {
    const channel = await requireChannelNamed(env, principal, name);
    if (principal.onlyChannel !== null && principal.onlyChannel !== channel.id) return unauthorized();
    instances.set(request, channel);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (principal.onlyChannel !== null) return unauthorized();
    if (error.code !== "CHANNEL_NOT_FOUND") return faultResponse({ kind: "refused", error }, "");
    return refuse(404, { message: [`The "${name}" instance does not exist`] });
  }
};

const lacks = (scope: string): Response => refuse(403, { message: [`The key lacks the scope ${scope}.`] });

/** The refusal of a part of a request that needs another scope than its route; undefined where the key has it. */
export const refuseWithout = ({ limits }: Principal, scope: string): Response | undefined =>
  limits && !isWithinLimits(limits, scope) ? lacks(scope) : undefined;

const unauthorized = (): Response => refuse(401, { message: "Unauthorized" });

const refuseExceeded = (env: EvolutionEnv, allowance: Allowance): Response =>
  refuse(429, {
    message: ["Too many requests in this minute."],
    headers: { "Retry-After": String(secondsUntilReset(env, allowance)) },
  });

/** Refuses a failed authentication, and limits the attempts per IP address, so that keys cannot be guessed. */
const refuseStranger = (env: EvolutionEnv, request: Request): Response => {
  if (request.headers.has("apikey")) env.refusals.note({ door: "evolution", address: addressOf(request) });
  const allowance = allowAddress(env, {
    at: "evolution",
    address: addressOf(request),
    perMinute: env.rates.gatewayPerMinute,
  });
  return allowance.isExceeded ? refuseExceeded(env, allowance) : unauthorized();
};

/** Gives handlers the request's principal. */
export const evolutionAuth = () =>
  new Elysia({ name: "evolution.auth" }).derive({ as: "scoped" }, ({ request }) => ({
    principal: foundFor(principals, request),
  }));
export type EvolutionAuth = ReturnType<typeof evolutionAuth>;
