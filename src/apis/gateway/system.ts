import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso } from "../../kernel/clock.ts";
import { described, OneOf } from "../../kernel/schema.ts";
import { originOf } from "../shared/http/request.ts";
import type { GatewayEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { Instant } from "./schemas.ts";

const Check = OneOf(["ok", "error"], { title: "CheckState" });
const ReadyView = Type.Object(
  {
    status: OneOf(["ready", "not_ready"], { description: "`not_ready`: something does not work" }),
    checks: described(
      Type.Object({
        database: described(Check, "The store of everything except media"),
        cache: described(Check, "The store inside the process"),
        storage: described(Check, "The store of media"),
      }),
      "The state of each part",
    ),
    degraded: Type.Optional(
      Type.Array(Type.String(), {
        description: "The adapters in the plugin folder that cannot be used; absent if all can",
        examples: [["pager"]],
      }),
    ),
  },
  { title: "Readiness" },
);

const said = (isOk: boolean) => (isOk ? ("ok" as const) : ("error" as const));

/** Routes for operators and load balancers, without a key. */
export const system = (env: GatewayEnv) =>
  new Elysia({ tags: ["system"] })
    .get("/health", () => ({ status: "ok" as const }), {
      response: { 200: Type.Object({ status: OneOf(["ok"], { description: "The process answers" }) }) },
      detail: {
        ...route({ operationId: "health", isolation: "none: says whether the server is alive" }),
        summary: "Check that the process is alive",
        description: "It does not use the database. Needs no key.",
        security: [],
      },
    })
    .get(
      "/health/ready",
      async ({ status }) => {
        const { database, cache, storage } = await env.readiness();
        const checks = { database: said(database), cache: said(cache), storage: said(storage) };
        const names = env.registry.unavailable.map(({ name }) => name);
        const degraded = names.length === 0 ? {} : { degraded: names };
        return database && cache && storage
          ? status(200, { status: "ready" as const, checks, ...degraded })
          : status(503, { status: "not_ready" as const, checks });
      },
      {
        response: { 200: ReadyView, 503: ReadyView },
        detail: {
          ...route({ operationId: "ready", isolation: "none: says whether the server takes requests" }),
          summary: "Check that database, in-process store and media storage work",
          description:
            "503 names the part that does not work. `degraded` names adapters that cannot be used: all others " +
            "work, so the status stays 200. Needs no key.",
          security: [],
        },
      },
    )
    .get("/versao", () => ({ servico: "recado", commit: env.version.commit, subidoEm: iso(env.version.startedAt) }), {
      response: {
        200: Type.Object({
          servico: Type.String({ description: "The name of the service", examples: ["recado"] }),
          commit: Type.String({ description: "The commit that was built", examples: ["4f2c9e1"] }),
          subidoEm: described(Instant, "When it was started"),
        }),
      },
      detail: {
        ...route({ operationId: "version", isolation: "none: says the version of the server" }),
        summary: "Get the commit that this instance serves",
        description: "No key is needed. The answer names the commit that was built and when the process started.",
        security: [],
      },
    })
    .get("/origin", ({ request }) => originOf(request), {
      response: {
        200: Type.Object({
          address: Type.String({ description: "Where the request comes from", examples: ["203.0.113.7"] }),
          isLocal: Type.Boolean({ description: "Whether it comes from this machine", examples: [false] }),
          isTrusted: Type.Boolean({ description: "Whether RECADO_TRUSTED_PROXIES names that proxy" }),
          isProxied: Type.Boolean({ description: "Whether a proxy passed the request on" }),
        }),
      },
      detail: {
        ...route({ operationId: "origin", isolation: "none: names the server" }),
        summary: "Show the origin of this request, as the server sees it",
        description: "For checking a reverse proxy and RECADO_TRUSTED_PROXIES.",
        security: [],
      },
    });
