import { type Channel, readChannels } from "../../core/channels/channel.ts";
import { requireChannelNamed } from "../../core/channels/named.ts";
import type { Caller } from "../../core/tenancy/audit/audit.ts";
import { AppError } from "../../kernel/errors.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import { type Arrival, requestFrame, type Sender } from "../shared/auth/frame.ts";
import { createNoted, withPrincipal } from "../shared/auth/noted.ts";
import { senderByKey } from "../shared/auth/presented-key.ts";
import { bodyCopy } from "../shared/http/body-intake.ts";
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

/** The same on a route that removes its session: undefined where there is none. */
export const removedSessionOf = sessions.find;

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
    async linkFor(arrival) {
      const { link } = arrival.route.routeOptions;
      const session = link === "none" ? undefined : await sessionFor(env, arrival);
      return session && { channelId: session.id, isRequired: link === "required" };
    },
  });

/** The session of a request, wherever the request names it; undefined for an unknown one, which its handler refuses. */
const sessionFor = async (env: WahaEnv, { request, route }: Arrived): Promise<Channel | undefined> => {
  const field = BODY_FIELDS[route.routeOptions.names];
  if (field === undefined) return sessions.find(request);
  const name = textField(await bodyCopy(env.intake, request), field);
  return sessionNamed(env, principals.of(request), name).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
};

/** TABLE: the field of the body that names the session. */
const BODY_FIELDS: Partial<Record<WahaRouteOptions["names"], string>> = { body: "session", "body-name": "name" };

/** A field with a text in a body of JSON; undefined for any other body, which its handler refuses. */
const textField = (body: string, field: string): string | undefined => {
  const value = (parsedJson(body) as Record<string, unknown> | null | undefined)?.[field];
  return typeof value === "string" ? value : undefined;
};

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
  const found = (await sessionCalled(env, principal, name)) ?? (await onlySession(env, principal, name));
  if (!found) throw unknownSession(name);
  return found;
};

/**
 * The session that a request removes; undefined where there is none. `default` stands for no other session here, so that
 * a program without a name removes no phone.
 * @throws AppError CHANNEL_NOT_FOUND for `default` in place of a name, CHANNEL_EXISTS
 */
export const sessionToRemove = async (
  env: WahaEnv,
  principal: Principal,
  name: string,
): Promise<Channel | undefined> => {
  const found = await sessionCalled(env, principal, name);
  if (found || !(await onlySession(env, principal, name))) return found;
  throw new AppError("CHANNEL_NOT_FOUND", {
    message: `"${name}" is not the name of a session: a session is removed by its own name or its id.`,
  });
};

const sessionCalled = (env: WahaEnv, principal: Principal, name: string): Promise<Channel | undefined> =>
  requireChannelNamed(env, principal, name).catch((error: unknown) => {
    if (isUnknown(error)) return undefined;
    throw error;
  });

/** The account's only phone, if it is asked for as `default`. */
const onlySession = async (env: WahaEnv, principal: Principal, name: string): Promise<Channel | undefined> => {
  const [only, another] = name === DEFAULT_SESSION ? await readChannels(env, principal) : [];
  return another ? undefined : only;
};

const unknownSession = (name: string): AppError =>
  new AppError("CHANNEL_NOT_FOUND", { message: `There is no session with the name "${name}".` });

/** Refuses an unknown session. Another account's session is unknown too. A removal finds nothing to do. */
const findSession = async (
  env: WahaEnv,
  { request, route: { routeOptions } }: Arrived,
  name: string,
): Promise<Response | undefined> => {
  try {
    const find = routeOptions.removes ? sessionToRemove : sessionNamed;
    const session = await find(env, principals.of(request), name);
    if (session) sessions.note(request, session);
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
