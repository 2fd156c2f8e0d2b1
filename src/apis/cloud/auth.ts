import { type AppNumber, ensureAppNumber } from "../../core/channels/settings/app-numbers.ts";
import type { Caller } from "../../core/tenancy/audit/audit.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ChannelId, TenantId } from "../../kernel/ids.ts";
import { type Arrival, requestFrame, type Sender } from "../shared/auth/frame.ts";
import { createNoted, withPrincipal } from "../shared/auth/noted.ts";
import { type KeyFault, senderByKey } from "../shared/auth/presented-key.ts";
import { pathOf } from "../shared/http/request.ts";
import type { Found } from "../shared/route-table.ts";
import type { CloudEnv } from "./env.ts";
import { faultResponse, type GraphError, graphError } from "./errors.ts";
import type { CloudRouteOptions } from "./route-options.ts";

/**
 * The sender of a request: a token, which opens one phone of one account. `number` has the ids of that phone in this
 * API.
 */
export type Principal = Caller & {
  channelId: ChannelId;
  keyId: string;
  number: AppNumber;
  /** The token if the query has it; answers then repeat it in the addresses of pages. */
  tokenInQuery: string | undefined;
};

const principals = createNoted<Principal>("a principal");

type Lookup = { find(request: Request): Found<CloudRouteOptions>; prefix: string };
type Arrived = Arrival<CloudRouteOptions>;

/** Known senders' requests need a version in their path, which their answers repeat. */
export const cloudFrame = (env: CloudEnv, { find, prefix }: Lookup) =>
  requestFrame<CloudRouteOptions>(env, {
    api: "cloud",
    find,
    strangersPerMinute: () => env.rates.gatewayPerMinute,
    headersFor: (traceId) => ({ "x-fb-trace-id": traceId }),
    recognise: (arrival) => recognise(env, arrival),
    refuseFault: (fault, { requestId }) => faultResponse(fault, requestId),
    refuseExceeded: ({ retryAfterSeconds, isStranger }, { requestId: traceId, route }) => {
      const ofAccount = route.routeOptions.countsAsSend ? "throughput" : "calls";
      const headers = { "Retry-After": String(retryAfterSeconds) };
      return graphError(isStranger ? "strangers" : ofAccount, { headers, traceId });
    },
    check({ request, requestId: traceId, headers }) {
      const [, version = ""] = pathOf(request).slice(prefix.length).split("/");
      if (!VERSION.test(version)) return graphError("path", { details: "The path begins with a version.", traceId });
      headers["facebook-api-version"] = version;
      return undefined;
    },
    linkFor({ request, route }) {
      const { link } = route.routeOptions;
      const { channelId } = principals.of(request);
      return link === "none" ? undefined : { channelId, isRequired: link === "required" };
    },
  });

/** The versions of the network's API. This API is the same under each. */
const VERSION = /^v\d{1,3}\.\d{1,3}$/;

const tokenOf = (request: Request): { token: string; isInQuery: boolean } | undefined => {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (bearer !== undefined) return { token: bearer, isInQuery: false };
  const token = new URL(request.url).searchParams.get("access_token");
  return token ? { token, isInQuery: true } : undefined;
};

const KEY_FAULTS = {
  missing: "noToken",
  unknown: "token",
  revoked: "token",
  expired: "tokenExpired",
  elsewhere: "denied",
} as const satisfies Record<KeyFault, GraphError>;

const recognise = async (env: CloudEnv, arrival: Arrived): Promise<Sender | undefined> => {
  const { request, requestId: traceId, address, route } = arrival;
  const { access, countsAsSend } = route.routeOptions;
  if (access === "public") return undefined;
  const { token, isInQuery } = tokenOf(request) ?? {};
  return senderByKey(env, {
    apis: ["cloud"],
    presented: token,
    address,
    countsAsSend,
    door: token && "cloud",
    refuseKey: (fault) => graphError(KEY_FAULTS[fault], { traceId }),
    refuseClosed: () => graphError("locked", { details: "The account is not active.", traceId }),
    async admit({ tenant: { id: tenantId }, key, actor }) {
      const number = await numberOf(env, tenantId, key.channelId);
      if (!number) return graphError("token", { details: "The token's phone was deleted.", traceId });
      const tokenInQuery = isInQuery ? token : undefined;
      principals.note(request, { tenantId, channelId: number.channelId, keyId: key.id, number, actor, tokenInQuery });
      return undefined;
    },
  });
};

const numberOf = async (
  env: CloudEnv,
  tenantId: TenantId,
  channelId: ChannelId | null,
): Promise<AppNumber | undefined> => {
  try {
    return channelId === null ? undefined : await ensureAppNumber(env, { tenantId }, channelId);
  } catch (refusal) {
    if (refusal instanceof AppError && refusal.code === "CHANNEL_NOT_FOUND") return undefined;
    throw refusal;
  }
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
export const cloudAuth = () => withPrincipal("cloud.auth", principals);
export type CloudAuth = ReturnType<typeof cloudAuth>;
