import { Elysia } from "elysia";
import { ANY_KEY } from "../shared/key-scopes.ts";
import type { WahaAuth } from "./auth.ts";
import type { WahaEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";
import { ENGINE } from "./session-views.ts";

/** The version of WAHA whose routes and shapes these are. Its clients read it. */
const COMPATIBLE_WITH = "2026.9.1";

/** WAHA's description of a server, which stands in every event too. */
export const ENVIRONMENT = { version: COMPATIBLE_WITH, engine: ENGINE, tier: "PLUS", browser: null } as const;

const open = { ...routeOptions({ access: "public" }) };
const read = { ...routeOptions({ scope: ANY_KEY }) };

/** What the server says of itself. */
export const system = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia()
    .use(auth)
    .get("/api/version", () => ENVIRONMENT, { detail: read })
    .get("/api/server/version", () => ENVIRONMENT, { detail: read })
    .get(
      "/api/server/status",
      () => {
        const { startedAt } = env.version;
        return { startTimestamp: startedAt, uptime: env.clock.now() - startedAt, worker: { id: "recado" } };
      },
      { detail: read },
    );

/** What anybody may ask. */
export const openSystem = () =>
  new Elysia()
    .get("/", () => ({ message: "Recado speaks WAHA's API here.", ...ENVIRONMENT }), { detail: open })
    .get("/ping", () => ({ message: "pong" }), { detail: open });
