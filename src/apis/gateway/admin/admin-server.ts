import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { testAlerts } from "../../../core/alerts/sending.ts";
import { MOST_COUNTED, serverActivity, stats } from "../../../core/tenancy/accounts/stats.ts";
import { renewAdminToken } from "../../../core/tenancy/keys/admin-token.ts";
import { runNow } from "../../../core/timetable.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { SERIES_QUERY, SeriesView, seriesView } from "../account/stats.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, CONFLICT, msOf } from "../schemas.ts";

const StatsView = Type.Object(
  {
    accounts: described(
      Type.Object({
        total: Type.Integer({ description: "All accounts that are not deleted", examples: [2] }),
        suspended: Type.Integer({ description: "How many are suspended", examples: [0] }),
      }),
      "The accounts of the server",
    ),
    phones: described(
      Type.Object({
        total: Type.Integer({ description: "All phones that are not deleted", examples: [2] }),
        connected: Type.Integer({ description: "How many are connected now", examples: [2] }),
      }),
      "The phones of all accounts",
    ),
    today: described(
      Type.Object({
        sent: Type.Integer({ description: "Messages that were sent", examples: [120] }),
        received: Type.Integer({ description: "Messages of other people", examples: [95] }),
      }),
      "Messages since midnight in UTC",
    ),
    deliveries: described(
      Type.Object({
        pending: Type.Integer({ description: "How many deliveries wait", examples: [3] }),
        dead: Type.Integer({ description: "Deliveries that were given up", examples: [0] }),
      }),
      "Deliveries to webhooks",
    ),
    jobs: described(
      Type.Object({ waiting: Type.Integer({ description: "How many wait to run", examples: [12] }) }),
      "The background work",
    ),
    invoices: described(
      Type.Object({ unpaid: Type.Integer({ description: "How many wait to be paid" }) }),
      "The invoices of all accounts",
    ),
    activity: described(SeriesView, "What happened, as `GET /v1/stats` answers it for one account"),
  },
  { title: "Stats" },
);

const TestedView = Type.Object(
  {
    way: OneOf(["mail", "url", "telegram"], { description: "How it was sent" }),
    isSent: Type.Boolean({ description: "Whether it was sent" }),
    reason: Nullable(Type.String({ description: "Why not; null if it was sent" })),
  },
  { title: "TestedAlert" },
);

/** The administrator's routes for the whole server. */
export const adminServer = (env: GatewayEnv) =>
  new Elysia({
    detail: inPath({
      name: Type.String({
        description: "The job: backup, charges, dunning, invoices, media-retention, scheduler or updates",
      }),
    }),
  })
    .post(
      "/token",
      async ({ status, request }) => {
        requireFreshProof(env, request);
        return status(201, { token: await renewAdminToken(env, administratorOf(request)) });
      },
      {
        response: {
          201: Type.Object({
            token: Type.String({
              description: "The token that the header X-Admin-Token needs from now on",
              examples: ["rt_Zk3vX9pQ2rT7wL5m"],
            }),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "renewAdminToken", acts: ["admin-token.create"], isolation: "administrator" }),
          summary: "Make a new admin token",
          description: "It is shown only now, and replaces the earlier token. A configured token stays valid.",
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
        response: {
          202: Type.Object({ status: OneOf(["enqueued"], { description: "The job runs soon" }) }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "runJob", acts: ["job.run"], isolation: "administrator" }),
          summary: "Run a scheduled job now",
          description: "The job is only enqueued.",
        },
      },
    )
    .post("/alerts/test", async ({ request }) => ({ sent: await testAlerts(env, administratorOf(request)) }), {
      response: {
        200: Type.Object({ sent: Type.Array(TestedView, { description: "The result of each way of notifying" }) }),
        ...ADMIN_REFUSALS,
        409: CONFLICT,
      },
      detail: {
        ...route({ operationId: "testAlerts", acts: ["alerts.test"], isolation: "administrator" }),
        summary: "Send the operator a test message by every way",
        description: "Each way has its own result: a failed way does not stop the others.",
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
          ...route({ operationId: "getStats", isolation: "administrator" }),
          summary: "Get the totals of all accounts",
          description:
            "`activity` is what `GET /v1/stats` answers for one account. Deliveries and jobs are counted up to " +
            `${MOST_COUNTED.toLocaleString("en")}, which stands for more.`,
        },
      },
    );
