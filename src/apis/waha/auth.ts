import { type Channel, readChannels } from "../../core/channels/channel.ts";
import { requireChannelNamed } from "../../core/channels/named.ts";
import type { Caller } from "../../core/tenancy/audit/audit.ts";
import { AppError } from "../../kernel/errors.ts";
import { type Arrival, requestFrame, type Sender } from "../shared/auth/frame.ts";
import { createNoted, withPrincipal } from "../shared/auth/noted.ts";
import { senderByKey } from "../shared/auth/presented-key.ts";
import { isWithinLimits, type KeyLimits, keyLimits } from "../shared/key-scopes.ts";
import type { Found } from "../shared/route-table.ts";
import type { WahaEnv } from "./env.ts";
import { faultResponse, refuse } from "./errors.ts";
import type { WahaRouteOptions } from "./route-options.ts";

/** The sender of a request: a key of the account. `limits`: undefined for a key that may do everything. */
export type Principal = Caller & { limits: KeyLimits | undefined };

/** The account of a request. */
export type Scope = Pick<Principal, "tenantId">;

const principals = createNoted<Principal>("a principal");
const sessions = createNoted<Channel>("a session");

/** The session that the path or the query names. Throws on a route that names none, which is a bug in the server. */
export const sessionOf = sessions.of;

type Lookup = { find(request: Request): Found<WahaRouteOptions> };
type Arrived = Arrival<WahaRouteOptions>;

export const wahaFrame = (env: WahaEnv, { find }: Lookup) =>
  requestFrame<WahaRouteOptions>(env, {
    api: "waha",
    find,
    strangersPerMinute: () => env.rates.gatewayPerMinute,
    recognise: (arrival) => recognise(env, arrival),
    refuseFault: (fault) => faultResponse(fault, ""),
    refuseExceeded: ({ retryAfterSeconds }) =>
      refuse(429, {
        message: "Too many requests in this minute.",
        headers: { "Retry-After": String(retryAfterSeconds) },
      }),
    check(arrival) {
      const name = nameIn(arrival);
      return name === undefined ? undefined : findSession(env, arrival, name);
    },
    linkFor({ request, route: { routeOptions } }) {
      const { link } = routeOptions;
      return link === "none" ? undefined : { channelId: sessions.find(request)?.id, isRequired: link === "required" };
    },
  });

/** The name of the session in the path or the query of a request. */
const nameIn = ({ request, route: { pattern, params, routeOptions } }: Arrived): string | undefined => {
  if (pattern?.includes("/:session")) return params[0];
  return routeOptions.names === "query"
    ? (new URL(request.url).searchParams.get("session") ?? DEFAULT_SESSION)
    : undefined;
};

const recognise = async (env: WahaEnv, { request, address, route }: Arrived): Promise<Sender | undefined> => {
  const { access, countsAsSend, scope } = route.routeOptions;
  if (access === "public") return undefined;
  const presented = request.headers.get("x-api-key");
  return senderByKey(env, {
    apis: ["gateway"],
    presented,
    address,
    countsAsSend,
    door: presented === null ? undefined : "waha",
    refuseKey: () => refuse(401, { message: "Unauthorized" }),
    refuseClosed: (code) => refuse(code === "ACCOUNT_SUSPENDED" ? 402 : 403, { message: "The account is not active." }),
    admit({ tenant, key, actor }) {
      const limits = keyLimits({ permissions: key.permissions, isReadOnly: key.isReadOnly });
      if (limits && !isWithinLimits(limits, scope)) return lacks(scope);
      principals.note(request, { tenantId: tenant.id, limits, actor });
      return undefined;
    },
  });
};

/** The name under which a client without names asks for its only session. */
const DEFAULT_SESSION = "default";

const isUnknown = (error: unknown): boolean => error instanceof AppError && error.code === "CHANNEL_NOT_FOUND";

/**
 * The session with this name or id. `default` is the only phone of the account, unless a phone has this name.
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_EXISTS if several phones have the name
 */
export const sessionNamed = async (
  env: WahaEnv,
  principal: Principal,
  name: string = DEFAULT_SESSION,
): Promise<Channel> => {
  try {
    return await requireChannelNamed(env, principal, name);
  } catch (error) {
    const [only, another] = isUnknown(error) && name === DEFAULT_SESSION ? await readChannels(env, principal) : [];
    if (only && !another) return only;
    throw isUnknown(error) ? unknownSession(name) : error;
  }
};

const unknownSession = (name: string): AppError =>
  new AppError("CHANNEL_NOT_FOUND", { message: `There is no session with the name "${name}".` });

/** Refuses an unknown session. Another account's session is unknown too. */
const findSession = async (env: WahaEnv, { request }: Arrived, name: string): Promise<Response | undefined> => {
  try {
    sessions.note(request, await sessionNamed(env, principals.of(request), name));
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return faultResponse({ kind: "refused", error }, "");
  }
};

const lacks = (scope: string): Response => refuse(403, { message: `The key lacks the scope ${scope}.` });

/** The refusal of a part of a request that needs another scope than its route; undefined if the key has it. */
export const refuseWithout = ({ limits }: Principal, scope: string): Response | undefined =>
  limits && !isWithinLimits(limits, scope) ? lacks(scope) : undefined;

/** Gives handlers the request's principal. */
export const wahaAuth = () => withPrincipal("waha.auth", principals);
export type WahaAuth = ReturnType<typeof wahaAuth>;
