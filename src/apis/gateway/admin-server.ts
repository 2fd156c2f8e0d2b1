import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { testAlerts } from "../../core/alerts/sending.ts";
import { renewAdminToken } from "../../core/tenancy/admin-token.ts";
import { stats } from "../../core/tenancy/stats.ts";
import { runNow } from "../../core/timetable.ts";
import { Nullable, OneOf } from "../../kernel/schema.ts";
import { asAdmin } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { ADMIN_REFUSALS } from "./schemas.ts";

const StatsView = Type.Object({
  accounts: Type.Object({ total: Type.Integer(), suspended: Type.Integer() }),
  phones: Type.Object({ total: Type.Integer(), connected: Type.Integer() }),
  today: Type.Object({ sent: Type.Integer(), received: Type.Integer() }),
  deliveries: Type.Object({ pending: Type.Integer(), dead: Type.Integer() }),
  jobs: Type.Object({ waiting: Type.Integer() }),
  invoices: Type.Object({ unpaid: Type.Integer() }),
});

const TestedView = Type.Object({
  way: OneOf(["mail", "url", "telegram"]),
  isSent: Type.Boolean(),
  reason: Nullable(Type.String()),
});

/** The administrator's routes for the whole server. */
export const adminServer = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/token",
      async ({ status, request }) => status(201, { token: await renewAdminToken(asAdmin(env, request)) }),
      {
        response: { 201: Type.Object({ token: Type.String() }), ...ADMIN_REFUSALS },
        detail: {
          operationId: "renewAdminToken",
          summary:
            "Make a new admin token; it is shown only now, and the one made before it opens nothing any more. " +
            "A configured one is not touched",
        },
      },
    )
    .post(
      "/jobs/:name/run",
      async ({ params, status, request }) => {
        await runNow(asAdmin(env, request), params.name);
        return status(202, { status: "enqueued" });
      },
      {
        response: { 202: Type.Object({ status: OneOf(["enqueued"]) }), ...ADMIN_REFUSALS },
        detail: {
          operationId: "runJob",
          summary: "Have what happens at fixed times done now: backup, dunning, invoices, media-retention or scheduler",
        },
      },
    )
    .post("/alerts/test", async ({ request }) => ({ sent: await testAlerts(asAdmin(env, request)) }), {
      response: { 200: Type.Object({ sent: Type.Array(TestedView) }), ...ADMIN_REFUSALS },
      detail: {
        operationId: "testAlerts",
        summary: "Send a test message by every way in which the operator is notified of troubles",
      },
    })
    .get(
      "/stats",
      async () => {
        const found = await stats(env);
        return {
          accounts: { total: found.accounts, suspended: found.suspendedAccounts },
          phones: { total: found.channels, connected: found.connectedChannels },
          today: { sent: found.sentToday, received: found.receivedToday },
          deliveries: { pending: found.pendingDeliveries, dead: found.deadDeliveries },
          jobs: { waiting: found.jobs },
          invoices: { unpaid: found.unpaidInvoices },
        };
      },
      {
        response: { 200: StatsView, ...ADMIN_REFUSALS },
        detail: { operationId: "getStats", summary: "How much there is of what, over all accounts" },
      },
    );
