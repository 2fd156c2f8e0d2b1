import { channelOfCall } from "../../core/calls/calls.ts";
import { channelOfGroup } from "../../core/groups/groups.ts";
import type { Caller } from "../../core/tenancy/audit/audit.ts";
import type { Kind } from "../shared/isolation.ts";
import { type Found, linkOf, type NeededLink, segmentsOf } from "../shared/route-table.ts";
import type { GatewayEnv } from "./env.ts";
import type { GatewayRouteOptions } from "./route-options.ts";

type TenantScope = Pick<Caller, "tenantId">;

/** TABLE: the things by which a request may name a channel, beside the channel itself. */
const OWNERS: Partial<Record<Kind, (env: GatewayEnv, scope: TenantScope, id: string) => Promise<string | undefined>>> =
  {
    call: channelOfCall,
    group: channelOfGroup,
  };

/**
 * The live link that a request needs. The route's isolation says which parameter names its channel, or what belongs to
 * one. Without such a parameter the body names the channel.
 */
export const neededLink = async (
  env: GatewayEnv,
  scope: TenantScope | undefined,
  { request, route }: { request: Request; route: Found<GatewayRouteOptions> },
): Promise<NeededLink | undefined> => {
  const link = linkOf(route);
  const { isolation } = route.routeOptions;
  if (!link || typeof isolation === "string") return link;
  const inPath = new Map(
    segmentsOf(route.pattern ?? "")
      .filter((segment) => segment.startsWith(":"))
      .map((segment, at) => [segment.slice(1), route.params[at]]),
  );
  for (const [name, [kind]] of isolation) {
    const named = inPath.get(name);
    const ownerOf = kind && OWNERS[kind];
    if (kind === "channel")
      return { ...link, channelId: named ?? new URL(request.url).searchParams.get(name) ?? undefined };
    // nobody's call is answered here, as one that is not there
    if (ownerOf && named !== undefined)
      return { ...link, channelId: (scope && (await ownerOf(env, scope, named))) ?? named };
  }
  return link;
};
