import { withVersion } from "./apis/cloud/versionless.ts";
import { metricsPage } from "./apis/metrics.ts";
import type { Mount } from "./apis/shared/api-env.ts";
import {
  EVOLUTION_CHALLENGE,
  GATEWAY_CHALLENGE,
  type HttpTerms,
  PLATFORM_CHALLENGE,
  withHttpHeaders,
} from "./apis/shared/http/http-answers.ts";
import type { Api, ApiName } from "./apis/shared/measured.ts";
import type { CommonRouteOptions } from "./apis/shared/route-table.ts";
import type { ServerEnv } from "./composition.ts";
import type { HandOver } from "./console/server/hand-over.ts";
import { consoleMounts } from "./console/server/mounts.ts";
import { createForwarding } from "./forwarding.ts";
import { lazily } from "./kernel/async.ts";
import type { Addresses } from "./kernel/network/addresses.ts";
import type { Config } from "./kernel/settings/config.ts";
import { type Handle, mountPoint, routeBetween } from "./listener.ts";

type Made = Promise<Api<CommonRouteOptions>>;

/** TABLE: how each API is made. Its routes and their schemas are loaded then. */
const APIS: Readonly<Record<ApiName, (env: ServerEnv, mount: Mount) => Made>> = {
  gateway: async (env, mount) => (await import("./apis/gateway/api.ts")).createGatewayApi(env, mount),
  platform: async (env, mount) => (await import("./apis/platform/api.ts")).createPlatformApi(env, mount),
  cloud: async (env, mount) => (await import("./apis/cloud/api.ts")).createCloudApi(env, mount),
  evolution: async (env, mount) => (await import("./apis/evolution/api.ts")).createEvolutionApi(env, mount),
  waha: async (env, mount) => (await import("./apis/waha/api.ts")).createWahaApi(env, mount),
};

/**
 * Makes an API. It reads its environment and its URL at each request, but for what decides its routes and schemas: the
 * registry, the version, and whether there is a test clock.
 */
export type MakeApi = (name: ApiName, env: ServerEnv, mount: Mount) => Made;
export const makeApi: MakeApi = (name, env, mount) => APIS[name](env, mount);

/** `makeApi`: makes each API; only tests replace it. */
type MountedParts = Pick<Config, "corsOrigins" | "isConsoleOn" | "mcp"> & {
  handOver?: HandOver | undefined;
  makeApi?: MakeApi | undefined;
};
const CLOSED: MountedParts = { corsOrigins: [], isConsoleOn: false, mcp: { isOn: false, maySend: false } };

type ApiParts = { name: ApiName; url: string; make: MakeApi; terms: HttpTerms };

/**
 * An API at its public address, and behind the console's door: there no other origin may ask. Its routes and their
 * schemas are loaded with its first request: most servers answer one API, and no API before the first request.
 */
const mountedApi = (env: ServerEnv, place: ReturnType<typeof mountPoint>, { name, url, make, terms }: ApiParts) => {
  const opened = lazily(async () => {
    const { measured } = await import("./apis/shared/measured.ts");
    const api = await make(name, env, { prefix: place.prefix, url: () => url });
    const handle = measured(env, name, api);
    return {
      isUrlSigned: (method: string, pathname: string) => api.table.find(method, pathname).routeOptions.isUrlSigned,
      handle: withHttpHeaders(api.table, terms, handle),
      behindDoor: withHttpHeaders(api.table, { ...terms, corsOrigins: [] }, handle),
    };
  });
  const isUrlSigned = async (method: string, pathname: string) => (await opened()).isUrlSigned(method, pathname);
  return {
    mount: {
      ...place,
      isApi: true,
      isUrlSigned,
      handle: async (request: Request, pathname: string) => (await opened()).handle(request, pathname),
    },
    behind: {
      prefix: place.prefix,
      isUrlSigned,
      handle: async (request: Request, pathname: string) => (await opened()).behindDoor(request, pathname),
    },
  };
};

/** Programs call it, but never browsers' pages. */
const mountedCloud = (env: ServerEnv, { url, make }: Pick<ApiParts, "url" | "make">, addresses: Addresses) => {
  const place = mountPoint(url, addresses);
  const { mount } = mountedApi(env, place, {
    name: "cloud",
    url,
    make,
    terms: { challenge: PLATFORM_CHALLENGE, corsOrigins: [] },
  });
  return { ...mount, handle: withVersion(mount.handle, place.prefix, env.intake.release) };
};

/** TABLE: the APIs made for programs of others that need nothing else, and how each is asked for its key. */
const CHALLENGES = { evolution: EVOLUTION_CHALLENGE, waha: GATEWAY_CHALLENGE } as const;

/** The same for another API, where it is switched on. */
const mountedOther = (
  env: ServerEnv,
  { name, url, make }: Pick<ApiParts, "make"> & { name: keyof typeof CHALLENGES; url: string | undefined },
  addresses: Addresses,
) => {
  if (url === undefined) return [];
  const terms = { challenge: CHALLENGES[name], corsOrigins: [] };
  return [mountedApi(env, mountPoint(url, addresses), { name, url, make, terms }).mount];
};

/** Mounts every API and page. They read the parts of `env` when a request needs them. */
export const mountApis = (env: ServerEnv, addresses: Addresses, parts: MountedParts = CLOSED): Handle => {
  const { corsOrigins, isConsoleOn, mcp, handOver, makeApi: make = makeApi } = parts;
  const forwarding = env.db.isShared
    ? createForwarding({
        holderOf: env.owners.holderOf,
        ask: env.http.trusted,
        secrets: env.secrets,
        intake: env.intake,
        log: env.log,
      })
    : undefined;
  env.elsewhere = forwarding?.elsewhere;
  const gateway = mountPoint(addresses.gatewayUrl, addresses);
  const platform = mountPoint(addresses.platformUrl, addresses);
  const pairing = mountPoint(`${addresses.publicUrl}/pairing`, addresses);
  const apis = {
    gateway: mountedApi(env, gateway, {
      name: "gateway",
      url: addresses.gatewayUrl,
      make,
      terms: { challenge: GATEWAY_CHALLENGE, corsOrigins },
    }),
    platform: mountedApi(env, platform, {
      name: "platform",
      url: addresses.platformUrl,
      make,
      terms: { challenge: PLATFORM_CHALLENGE, corsOrigins },
    }),
  };
  const { cloudUrl, evolutionUrl, wahaUrl } = addresses;
  const cloud = cloudUrl === undefined ? [] : [mountedCloud(env, { url: cloudUrl, make }, addresses)];
  const others = [
    ...mountedOther(env, { name: "evolution", url: evolutionUrl, make }, addresses),
    ...mountedOther(env, { name: "waha", url: wahaUrl, make }, addresses),
  ];
  const bridge = lazily(async () => (await import("./console/server/passkey-bridge.ts")).passkeyBridge(env, pairing));
  const protocol = lazily(async () => {
    const { mcpOverHttp } = await import("./apis/mcp/http.ts");
    const { version } = env.version;
    return mcpOverHttp(env, { version, maySend: mcp.maySend, corsOrigins, baseUrl: addresses.gatewayUrl, ask: handle });
  });
  const mcpPage = async (request: Request): Promise<Response> => (await protocol())(request);
  const pages = [
    ...consoleMounts(env, addresses, {
      place: mountPoint(addresses.consoleUrl, addresses),
      root: mountPoint(addresses.publicUrl, addresses),
      isOn: isConsoleOn,
      behind: { gateway: apis.gateway.behind, platform: apis.platform.behind },
      handOver,
    }),
    { ...pairing, handle: async (request: Request) => (await bridge())(request) },
    { host: undefined, prefix: "/metrics", handle: metricsPage(env) },
    ...(mcp.isOn ? [{ ...mountPoint(`${addresses.publicUrl}/mcp`, addresses), handle: mcpPage }] : []),
  ];
  const handle: Handle = routeBetween(
    [apis.gateway.mount, apis.platform.mount, ...cloud, ...others, ...pages],
    env.intake.release,
  );
  return forwarding ? forwarding.within(handle) : handle;
};
