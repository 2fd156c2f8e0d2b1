import { Elysia } from "elysia";
import { ANY_KEY } from "../shared/key-scopes.ts";
import type { WahaAuth } from "./auth.ts";
import type { WahaEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";
import { ENVIRONMENT } from "./session-views.ts";

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
