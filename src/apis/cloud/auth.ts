import { Elysia } from "elysia";
import { type CloudNumber, ensureCloudNumber } from "../../core/channels/settings/cloud-numbers.ts";
import { accountRefusal } from "../../core/tenancy/accounts/accounts.ts";
import { type Allowance, allowAccount, allowAddress, secondsUntilReset } from "../../core/tenancy/accounts/limits.ts";
import type { Caller } from "../../core/tenancy/audit/audit.ts";
import { type KeyState, mayComeFrom, recogniseKey } from "../../core/tenancy/keys/keys.ts";
import { AppError } from "../../kernel/errors.ts";
import { type ChannelId, newId, type TenantId } from "../../kernel/ids.ts";
import { isOfLongTarget, isPlainPath, LONG_TARGET, NOT_PLAIN } from "../shared/http/paths.ts";
import { addressOf, isTooLarge, nameRequest, noteBodyTerms, pathOf } from "../shared/http/request.ts";
import type { Found } from "../shared/route-table.ts";
import type { CloudEnv } from "./env.ts";
import { faultResponse, type GraphError, graphError } from "./errors.ts";
import type { CloudRouteOptions } from "./route-options.ts";

/** Who asks: a token, which opens one phone of one account. `number` has the ids of that phone in this API. */
export type Principal = Caller & {
  channelId: ChannelId;
  keyId: string;
  number: CloudNumber;
  /** The token, where the query has it; answers then repeat it in the addresses of pages. */
  tokenInQuery: string | undefined;
};

const principals = new WeakMap<Request, Principal>();

/** The principal of a request. Throws when a protected route has none, which is a bug in the server. */
const principalOf = (request: Request): Principal => {
  const principal = principals.get(request);
  if (!principal) throw new Error("a protected route was reached without a principal");
  return principal;
};

type Lookup = { find(request: Request): Found<CloudRouteOptions>; prefix: string };

/** The versions of the network's API. This API is the same under each. */
const VERSION = /^v\d{1,3}\.\d{1,3}$/;

/**
 * The first hook of every request. Checks in this order, before the body is read: the token, its allowed addresses, the
 * account's state, its limits, the path, the body's length, the version, the phone.
 */
export const requestFrame = (env: CloudEnv, { find, prefix }: Lookup) =>
  new Elysia({ name: "cloud.frame" }).onRequest(async ({ request, set }) => {
    const traceId = nameRequest(request, () => newId(env));
    set.headers["x-fb-trace-id"] = traceId;
    set.headers["x-request-id"] = traceId;
    const route = find(request);
    const { access, maxBodyBytes, countsAsSend } = route.routeOptions;
    if (isOfLongTarget(request)) return faultResponse(LONG_TARGET, traceId);
    const unfit = refusalOfForm(request, maxBodyBytes, traceId);
    noteBodyTerms(request, { maxBodyBytes, receiver: `cloud ${route.pattern}` });
    if (access === "public") return unfit;
    const refusal = (await authenticate(env, request, { isSend: countsAsSend, traceId })) ?? unfit;
    if (refusal) return refusal;
    const [, version = ""] = pathOf(request).slice(prefix.length).split("/");
    if (!VERSION.test(version)) return graphError("path", { details: "The path begins with a version.", traceId });
    set.headers["facebook-api-version"] = version;
    const { link } = route.routeOptions;
    const { channelId } = principalOf(request);
    return link === "none"
      ? undefined
      : env.elsewhere?.({ request, requestId: traceId, link: { channelId, isRequired: link === "required" } });
  });

/** The refusal of a request whose path or body cannot be taken from any sender. */
const refusalOfForm = (request: Request, maxBodyBytes: number, traceId: string): Response | undefined => {
  if (!isPlainPath(request)) return faultResponse(NOT_PLAIN, traceId);
  return isTooLarge(request, maxBodyBytes) ? graphError("tooLarge", { traceId }) : undefined;
};

const tokenOf = (request: Request): { token: string; isInQuery: boolean } | undefined => {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (bearer !== undefined) return { token: bearer, isInQuery: false };
  const token = new URL(request.url).searchParams.get("access_token");
  return token ? { token, isInQuery: true } : undefined;
};

const REFUSED = { revoked: "token", expired: "tokenExpired" } as const satisfies Record<
  Exclude<KeyState, "valid">,
  GraphError
>;

type Asked = { isSend: boolean; traceId: string };

const authenticate = async (
  env: CloudEnv,
  request: Request,
  { isSend, traceId }: Asked,
): Promise<Response | undefined> => {
  const presented = tokenOf(request);
  if (!presented) return refuseStranger(env, request, "noToken", traceId);
  const found = await recogniseKey(env, "cloud", presented.token);
  if (!found) return refuseStranger(env, request, "token", traceId);
  if (found.state !== "valid") return refuseStranger(env, request, REFUSED[found.state], traceId);
  const { tenant, key } = found;
  if (!mayComeFrom(key, addressOf(request))) return refuseStranger(env, request, "denied", traceId);
  if (accountRefusal(tenant)) return graphError("locked", { details: "The account is not active.", traceId });
  const allowance = allowAccount(env, tenant.id, isSend);
  if (allowance.isExceeded) return refuseExceeded(env, allowance, isSend ? "throughput" : "calls", traceId);
  env.keyUse.note(key.id);
  const number = await numberOf(env, tenant.id, key.channelId);
  if (!number) return graphError("token", { details: "The token's phone was deleted.", traceId });
  env.intake.trust(request);
  principals.set(request, {
    tenantId: tenant.id,
    channelId: number.channelId,
    keyId: key.id,
    number,
    actor: { name: `key:${key.id}`, address: addressOf(request) },
    tokenInQuery: presented.isInQuery ? presented.token : undefined,
  });
  return undefined;
};

const numberOf = async (
  env: CloudEnv,
  tenantId: TenantId,
  channelId: ChannelId | null,
): Promise<CloudNumber | undefined> => {
  try {
    return channelId === null ? undefined : await ensureCloudNumber(env, { tenantId }, channelId);
  } catch (refusal) {
    if (refusal instanceof AppError && refusal.code === "CHANNEL_NOT_FOUND") return undefined;
    throw refusal;
  }
};

const refuseExceeded = (env: CloudEnv, allowance: Allowance, name: GraphError, traceId: string): Response =>
  graphError(name, { headers: { "Retry-After": String(secondsUntilReset(env, allowance)) }, traceId });

/** Refuses a failed authentication, and limits the attempts per IP address, so that tokens cannot be guessed. */
const refuseStranger = (env: CloudEnv, request: Request, name: GraphError, traceId: string): Response => {
  if (name !== "noToken") env.refusals.note({ door: "cloud", address: addressOf(request) });
  const allowance = allowAddress(env, {
    at: "cloud",
    address: addressOf(request),
    perMinute: env.rates.gatewayPerMinute,
  });
  return allowance.isExceeded ? refuseExceeded(env, allowance, "strangers", traceId) : graphError(name, { traceId });
};

/** The refusal of an id that is not of the token's phone; it is that of an id which nobody has. */
export const unknownObject = (id: string): AppError =>
  new AppError("CHANNEL_NOT_FOUND", {
    message:
      `Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this ` +
      "operation.",
  });

/** @throws AppError as `unknownObject`, unless the id is the phone number's */
export const requireNumber = ({ number }: Principal, id: string): void => {
  if (id !== number.numberId) throw unknownObject(id);
};

/** @throws AppError as `unknownObject`, unless the id is the account's */
export const requireAccount = ({ number }: Principal, id: string): void => {
  if (id !== number.accountId) throw unknownObject(id);
};

/** @throws AppError as `unknownObject`, unless the id is the app's */
export const requireApp = ({ number }: Principal, id: string): void => {
  if (id !== number.appId) throw unknownObject(id);
};

/** Gives handlers the request's principal. */
export const cloudAuth = () =>
  new Elysia({ name: "cloud.auth" }).derive({ as: "scoped" }, ({ request }) => ({ principal: principalOf(request) }));
export type CloudAuth = ReturnType<typeof cloudAuth>;
