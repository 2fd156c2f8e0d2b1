import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { testAlerts } from "../../../core/alerts/sending.ts";
import { MOST_COUNTED, serverActivity, stats } from "../../../core/tenancy/accounts/stats.ts";
import { renewAdminToken } from "../../../core/tenancy/keys/admin-token.ts";
import { runNow } from "../../../core/timetable.ts";
import { Nullable, OneOf } from "../../../kernel/schema.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { SERIES_QUERY, SeriesView, seriesView } from "../account/stats.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { ADMIN_REFUSALS, CONFLICT, msOf } from "../schemas.ts";

const StatsView = Type.Object(
  {
    accounts: Type.Object({ total: Type.Integer(), suspended: Type.Integer() }),
    phones: Type.Object({ total: Type.Integer(), connected: Type.Integer() }),
    today: Type.Object({ sent: Type.Integer(), received: Type.Integer() }),
    deliveries: Type.Object({ pending: Type.Integer(), dead: Type.Integer() }),
    jobs: Type.Object({ waiting: Type.Integer() }),
    invoices: Type.Object({ unpaid: Type.Integer() }),
    activity: SeriesView,
  },
  { title: "Stats" },
);

const TestedView = Type.Object(
  {
    way: OneOf(["mail", "url", "telegram"]),
    isSent: Type.Boolean(),
    reason: Nullable(Type.String()),
  },
  { title: "TestedAlert" },
);

/** The administrator's routes for the whole server. */
export const adminServer = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/token",
      async ({ status, request }) => {
        requireFreshProof(env, request);
        return status(201, { token: await renewAdminToken(env, administratorOf(request)) });
      },
      {
        response: { 201: Type.Object({ token: Type.String() }), ...ADMIN_REFUSALS },
        detail: {
          operationId: "renewAdminToken",
          summary: "Make a new admin token",
          description: "It is shown only now, and replaces the one made before. A configured token stays valid.",
        },
      },
    )
    .post(
      "/jobs/:name/run",
      async ({ params, status, request }) => {
        await runNow(env, administratorOf(request), params.name);
        return status(202, { status: "enqueued" });
      },
      {
        response: { 202: Type.Object({ status: OneOf(["enqueued"]) }), ...ADMIN_REFUSALS },
        detail: {
          operationId: "runJob",
          summary: "Run now what happens at fixed times",
          description: "The job is only enqueued.",
        },
      },
    )
    .post("/alerts/test", async ({ request }) => ({ sent: await testAlerts(env, administratorOf(request)) }), {
      response: { 200: Type.Object({ sent: Type.Array(TestedView) }), ...ADMIN_REFUSALS, 409: CONFLICT },
      detail: {
        operationId: "testAlerts",
        summary: "Send the operator a test message by every way",
      },
    })
    .get(
      "/stats",
      async ({ query: { since, until, step } }) => {
        const found = await stats(env);
        const series = await serverActivity(env, { since: msOf(since), until: msOf(until), step });
        return {
          accounts: { total: found.accounts, suspended: found.suspendedAccounts },
          phones: { total: found.channels, connected: found.connectedChannels },
          today: { sent: found.sentToday, received: found.receivedToday },
          deliveries: { pending: found.pendingDeliveries, dead: found.deadDeliveries },
          jobs: { waiting: found.jobs },
          invoices: { unpaid: found.unpaidInvoices },
          activity: seriesView(series),
        };
      },
      {
        query: Type.Object(SERIES_QUERY),
        response: { 200: StatsView, ...ADMIN_REFUSALS },
        detail: {
          operationId: "getStats",
          summary: "Get how much there is of what, over all accounts",
          description:
            "`activity` is what `GET /v1/stats` answers for one account. Deliveries and jobs are counted up to " +
            `${MOST_COUNTED.toLocaleString("en")}, which stands for more.`,
        },
      },
    );
