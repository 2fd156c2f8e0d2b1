import type { Mount } from "../../../src/apis/shared/api-env.ts";
import type { ApiName } from "../../../src/apis/shared/measured.ts";
import type { ServerEnv } from "../../../src/composition.ts";
import type { ChannelPlugin } from "../../../src/contract/plugin.ts";
import { type MakeApi, makeApi } from "../../../src/mounts.ts";

type Api = Awaited<ReturnType<MakeApi>>;

/**
 * An API that serves one world after another. `env` and `mount`: the parts of the world that it serves now. `open`: the
 * requests that have no answer yet.
 */
type Shared = { key: string; api: Api; env: ServerEnv; mount: Mount; open: number };

/** The mount of an API that no world uses. Those of the worlds keep their environments. */
const NOWHERE: Mount = {
  prefix: "",
  url: () => {
    throw new Error("no world uses this API");
  },
};

/** The APIs that no world uses, by what they were made from. */
const idle = new Map<string, Shared[]>();

/** What an adapter declares, but for the addresses that it asks: they are the world's own. */
const declarationOf = (adapter: ChannelPlugin): object => ({ ...adapter, probes: undefined });

/** What an API is made from. `makeApi` reads all other parts of the environment at each request. */
const madeFrom = (name: ApiName, { registry, version, advanceClock }: ServerEnv, { prefix }: Mount): string => {
  const adapters = registry.adapters.map(declarationOf);
  return JSON.stringify([name, prefix, adapters, version.version, advanceClock !== undefined]);
};

/** Sees the API alone: an asynchronous function keeps its parameters as long as the functions made in it. */
const urlOf = (shared: Shared) => (): string => shared.mount.url();

const compileShared = async (name: ApiName, shared: Shared): Promise<void> => {
  const { app, table } = await makeApi(name, shared.env, { prefix: shared.mount.prefix, url: urlOf(shared) });
  const compiled = app.compile();
  const fetch = async (request: Request): Promise<Response> => {
    shared.open++;
    try {
      return await compiled.fetch(request);
    } finally {
      shared.open--;
    }
  };
  shared.api = { app: { compile: () => ({ fetch }) }, table };
};

const newShared = async (key: string, name: ApiName, env: ServerEnv, mount: Mount): Promise<Shared> => {
  const shared = { key, env: { ...env }, mount, open: 0 } as Shared;
  await compileShared(name, shared);
  return shared;
};

const empty = (object: object): void => {
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
};

export type SharedApis = {
  makeApi: MakeApi;
  /** What the API of the running process was made from; undefined before its first request. */
  madeFrom(name: ApiName): string | undefined;
  /** The process has ended: other worlds may use its APIs. */
  release(): void;
};

/**
 * The APIs of a world's processes. A stopped world leaves its APIs to the next one that makes equal ones, because making
 * them and compiling their routes takes longer than the rest of a start.
 */
export const sharedApis = (): SharedApis => {
  const used = new Map<ApiName, Shared>();
  return {
    async makeApi(name, env, mount) {
      const key = madeFrom(name, env, mount);
      const known = idle.get(key)?.pop();
      if (known) Object.assign(Object.assign(known, { mount }).env, env);
      const shared = known ?? (await newShared(key, name, env, mount));
      used.set(name, shared);
      return shared.api;
    },
    madeFrom: (name) => used.get(name)?.key,
    release() {
      for (const shared of used.values()) {
        if (shared.open > 0) continue; // its handlers would go on in the next world
        empty(shared.env);
        shared.mount = NOWHERE;
        idle.set(shared.key, [...(idle.get(shared.key) ?? []), shared]);
      }
      used.clear();
    },
  };
};
