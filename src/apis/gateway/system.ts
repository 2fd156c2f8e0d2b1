import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso } from "../../kernel/clock.ts";
import { OneOf } from "../../kernel/schema.ts";
import { originOf } from "../shared/http/request.ts";
import type { GatewayEnv } from "./env.ts";
import { Instant } from "./schemas.ts";

const Check = OneOf(["ok", "error"], { title: "CheckState" });
const ReadyView = Type.Object(
  {
    status: OneOf(["ready", "not_ready"]),
    checks: Type.Object({ database: Check, cache: Check, storage: Check }),
    degraded: Type.Optional(Type.Array(Type.String())),
  },
  { title: "Readiness" },
);

const said = (isOk: boolean) => (isOk ? ("ok" as const) : ("error" as const));

/** Routes for operators and load balancers, without a key. */
export const system = (env: GatewayEnv) =>
  new Elysia({ tags: ["system"] })
    .get("/health", () => ({ status: "ok" as const }), {
      response: { 200: Type.Object({ status: OneOf(["ok"]) }) },
      detail: {
        operationId: "health",
        summary: "Check that the process is alive",
        description: "It asks nothing of the database. Needs no key.",
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
          operationId: "ready",
          summary: "Check that database, in-process store and media storage work",
          description:
            "503 names the part that does not work. `degraded` names adapters that cannot be used: all others are " +
            "served, so that 200 stays. Needs no key.",
          security: [],
        },
      },
    )
    .get("/versao", () => ({ servico: "recado", commit: env.version.commit, subidoEm: iso(env.version.startedAt) }), {
      response: { 200: Type.Object({ servico: Type.String(), commit: Type.String(), subidoEm: Instant }) },
      detail: { operationId: "version", summary: "Get the commit that this instance serves", security: [] },
    })
    .get("/origin", ({ request }) => originOf(request), {
      response: {
        200: Type.Object({
          address: Type.String(),
          isLocal: Type.Boolean(),
          isTrusted: Type.Boolean(),
          isProxied: Type.Boolean(),
        }),
      },
      detail: {
        operationId: "origin",
        summary: "Show where the server takes this request to come from",
        description: "For checking a reverse proxy and RECADO_TRUSTED_PROXIES.",
        security: [],
      },
    });
