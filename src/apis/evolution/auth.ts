import type { Channel } from "../../core/channels/channel.ts";
import { requireChannelNamed } from "../../core/channels/named.ts";
import { allowFurtherSends, secondsUntilReset } from "../../core/tenancy/accounts/limits.ts";
import type { Caller } from "../../core/tenancy/audit/audit.ts";
import type { TokenMaker } from "../../core/tenancy/keys/keys.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { type Arrival, requestFrame, type Sender } from "../shared/auth/frame.ts";
import { createNoted, withPrincipal } from "../shared/auth/noted.ts";
import { senderByKey } from "../shared/auth/presented-key.ts";
import { isWithinLimits, type KeyLimits, keyLimits } from "../shared/key-scopes.ts";
import { type Found, linkOf } from "../shared/route-table.ts";
import type { EvolutionEnv } from "./env.ts";
import { faultResponse, refuse } from "./errors.ts";
import type { EvolutionRouteOptions } from "./route-options.ts";

/** The sender of a request: a key of the account, or an instance's own token. */
export type Principal = Caller & {
  /** The only instance that the token opens; null for a key of the account. */
  onlyChannel: ChannelId | null;
  /** The scopes of a limited key; undefined for a key that may do everything. */
  limits: KeyLimits | undefined;
  /** The limits of the tokens that it makes. */
  maker: TokenMaker;
};

const principals = createNoted<Principal>("a principal");
const instances = createNoted<Channel>("an instance");

/** The instance that the path names. Throws on a route that names none, which is a bug in the server. */
export const instanceOf = instances.of;

type Lookup = { find(request: Request): Found<EvolutionRouteOptions> };
type Arrived = Arrival<EvolutionRouteOptions>;

/** Known senders' requests may name an instance at the end of their path. */
export const evolutionFrame = (env: EvolutionEnv, { find }: Lookup) =>
  requestFrame<EvolutionRouteOptions>(env, {
    api: "evolution",
    find,
    strangersPerMinute: () => env.rates.gatewayPerMinute,
    recognise: (arrival) => recognise(env, arrival),
    refuseFault: (fault) => faultResponse(fault, ""),
    refuseExceeded: ({ retryAfterSeconds }) => exceeded(retryAfterSeconds),
    check({ request, route }) {
      const name = route.pattern?.endsWith("/:instance") ? route.params.at(-1) : undefined;
      return name === undefined ? undefined : findInstance(env, request, name);
    },
    linkFor({ request, route }) {
      const link = linkOf(route);
      return link && { ...link, channelId: instances.of(request).id };
    },
  });

const recognise = async (env: EvolutionEnv, { request, address, route }: Arrived): Promise<Sender | undefined> => {
  const { access, countsAsSend, scope, isOfAccount } = route.routeOptions;
  if (access === "public") return undefined;
  const presented = request.headers.get("apikey");
  return senderByKey(env, {
    apis: ["gateway", "evolution"],
    presented,
    address,
    countsAsSend,
    door: presented === null ? undefined : "evolution",
    refuseKey: unauthorized,
    refuseClosed: (code) =>
      refuse(code === "ACCOUNT_SUSPENDED" ? 402 : 403, { message: ["The account is not active."] }),
    admit({ tenant, key, actor }) {
      const limits = keyLimits({ permissions: key.permissions, isReadOnly: key.isReadOnly });
      if (limits && !isWithinLimits(limits, scope)) return lacks(scope);
      if (key.channelId !== null && isOfAccount)
        return refuse(403, { message: ["The token of an instance may not do this: use a key of the account."] });
      principals.note(request, { tenantId: tenant.id, onlyChannel: key.channelId, limits, maker: key, actor });
      return undefined;
    },
  });
};

/** Refuses an unknown instance. For the token of another instance it is unknown too. */
const findInstance = async (env: EvolutionEnv, request: Request, name: string): Promise<Response | undefined> => {
  const principal = principals.of(request);
  try {
    const channel = await requireChannelNamed(env, principal, name);
    if (principal.onlyChannel !== null && principal.onlyChannel !== channel.id) return unauthorized();
    instances.note(request, channel);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (principal.onlyChannel !== null) return unauthorized();
    if (error.code !== "CHANNEL_NOT_FOUND") return faultResponse({ kind: "refused", error }, "");
    return refuse(404, { message: [`The "${name}" instance does not exist`] });
  }
};

const lacks = (scope: string): Response => refuse(403, { message: [`The key lacks the scope ${scope}.`] });

/** The refusal of a part of a request that needs another scope than its route; undefined if the key has it. */
export const refuseWithout = ({ limits }: Principal, scope: string): Response | undefined =>
  limits && !isWithinLimits(limits, scope) ? lacks(scope) : undefined;

/** Counts the further sends of a request, which itself counts as one: all of them, or none, and then it is refused. */
export const refuseMoreSends = (env: EvolutionEnv, { tenantId }: Principal, more: number): Response | undefined => {
  const allowance = allowFurtherSends(env, tenantId, more);
  return allowance.isExceeded ? exceeded(secondsUntilReset(env, allowance)) : undefined;
};

const exceeded = (seconds: number): Response =>
  refuse(429, { message: ["Too many requests in this minute."], headers: { "Retry-After": String(seconds) } });

const unauthorized = (): Response => refuse(401, { message: "Unauthorized" });

/** Gives handlers the request's principal. */
export const evolutionAuth = () => withPrincipal("evolution.auth", principals);
export type EvolutionAuth = ReturnType<typeof evolutionAuth>;
