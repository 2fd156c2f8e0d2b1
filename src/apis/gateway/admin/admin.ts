import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { deadLettersPage, replayDeadLetters } from "../../../core/events/log.ts";
import { getAccount } from "../../../core/tenancy/accounts/accounts.ts";
import { iso } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, issue, Nullable, OneOf } from "../../../kernel/schema.ts";
import { Cursor, Id } from "../../shared/fields.ts";
import { adminKeys } from "../account/api-keys.ts";
import { adminAudit } from "../account/audit.ts";
import { administratorOf } from "../auth.ts";
import { adminMoney } from "../billing/months.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, Instant, OptionalBody, Page, QueryLimit } from "../schemas.ts";
import { scopeOf } from "../scope-of.ts";
import { adminAccounts } from "./admin-accounts.ts";
import { adminAdapters } from "./admin-adapters.ts";
import { adminInvoices, adminPlans } from "./admin-billing.ts";
import { adminHealth } from "./admin-health.ts";
import { adminHistory } from "./admin-history.ts";
import { adminMachine } from "./admin-machine.ts";
import { adminMoving } from "./admin-moving.ts";
import { adminOperators } from "./admin-operators.ts";
import { adminPeople } from "./admin-people.ts";
import { adminServer } from "./admin-server.ts";
import { adminUsers } from "./admin-users.ts";

const DeadLetterItem = Type.Object(
  {
    id: Id("The dead letter's id"),
    eventId: Id("The event that was not delivered", "event"),
    accountId: Id("The account that the event belongs to", "account"),
    type: Type.String({ description: "The type of the event that was not delivered", examples: ["message:received"] }),
    url: Type.String({
      description: "The address to which the delivery went",
      examples: ["https://padaria-estrela.example/eventos"],
    }),
    attempts: Type.Integer({ description: "How often delivery was tried" }),
    lastStatusCode: Nullable(
      Type.Integer({ description: "The last answer of the endpoint; null without an answer", examples: [200] }),
    ),
    lastError: Nullable(Type.String({ description: "Why the last attempt failed; null if none did" })),
    createdAt: described(Instant, "When the delivery was given up"),
  },
  { title: "DeadLetter" },
);

const PAGE = {
  limit: QueryLimit(),
  cursor: Type.Optional(Cursor(Type.String())),
};

/** The administrator's routes for accounts and keys. The frame has checked the token. */
export const admin = (env: GatewayEnv) =>
  new Elysia({ prefix: "/v1/admin", tags: ["admin"], detail: { security: [{ adminToken: [] }] } })
    .use(adminAccounts(env))
    .use(adminKeys(env))
    .use(deliveries(env))
    .use(adminPlans(env))
    .use(adminInvoices(env))
    .use(adminMoney(env))
    .use(adminServer(env))
    .use(adminHealth(env))
    .use(adminMachine(env))
    .use(adminAdapters(env))
    .use(adminAudit(env))
    .use(adminPeople(env))
    .use(adminMoving(env))
    .use(adminHistory(env))
    .use(adminUsers(env))
    .use(adminOperators(env))
    .use(hasTestClock(env) ? testClock(env) : new Elysia());

/** The account that the query or the body names. Throws VALIDATION when they name different ones. */
const namedAccount = (inQuery: string | undefined, inBody: string | undefined): string | undefined => {
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody)
    throw invalid(issue("accountId", "forbidden", "differs between the body and the query"));
  return inQuery ?? inBody;
};

const deliveries = (env: GatewayEnv) =>
  new Elysia()
    .get(
      "/dead-letters",
      async ({ query }) => {
        const scope = query.accountId === undefined ? undefined : scopeOf(await getAccount(env, query.accountId));
        const { items, nextCursor } = await deadLettersPage(env, scope, {
          cursor: query.cursor,
          limit: gatewayLimit(query.limit),
        });
        const view = ({ delivery, event }: (typeof items)[number]): Static<typeof DeadLetterItem> => ({
          id: delivery.id,
          eventId: event.id,
          accountId: delivery.tenantId,
          type: event.type,
          url: delivery.url,
          attempts: delivery.attempts,
          lastStatusCode: delivery.lastStatusCode,
          lastError: delivery.lastError,
          createdAt: iso(delivery.createdAt),
        });
        return { items: items.map(view), nextCursor };
      },
      {
        query: Type.Object({ accountId: Type.Optional(Id("Only entries of this account", "account")), ...PAGE }),
        response: { 200: Page(DeadLetterItem), ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "listDeadLetters", isolation: "administrator" }),
          summary: "List dead letters, newest first",
          description: "A dead letter is a delivery that was given up.",
        },
      },
    )
    .post(
      "/dead-letters/replay",
      async ({ body, query, status, request }) => {
        const accountId = namedAccount(query.accountId, body?.accountId);
        const scope = accountId === undefined ? undefined : scopeOf(await getAccount(env, accountId));
        return status(202, {
          status: "enqueued",
          count: await replayDeadLetters(env, administratorOf(request), scope),
        });
      },
      {
        query: Type.Object({ accountId: Type.Optional(Id("Only entries of this account", "account")) }),
        body: OptionalBody({
          accountId: Type.Optional(Id("Only dead letters of this account; all accounts by default", "account")),
        }),
        response: {
          202: Type.Object({
            status: OneOf(["enqueued"], { description: "The deliveries are tried again soon" }),
            count: Type.Integer({ description: "How many deliveries are tried again", examples: [2] }),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "replayDeadLetters", acts: ["dead-letters.replay"], isolation: "administrator" }),
          summary: "Send dead letters again",
          description: "Sends at most 1,000 per call: call it again until `count` is 0.",
        },
      },
    );

/** The route of the test clock, which only a server under test has. */
type WithTestClock = GatewayEnv & { advanceClock: NonNullable<GatewayEnv["advanceClock"]> };
const hasTestClock = (env: GatewayEnv): env is WithTestClock => env.advanceClock !== undefined;

const testClock = (env: WithTestClock) =>
  new Elysia().post(
    "/clock",
    async ({ body, request }) => ({ now: iso(await env.advanceClock(body.advanceMs, administratorOf(request))) }),
    {
      body: Type.Object({
        advanceMs: Type.Integer({
          minimum: 0,
          maximum: 10 * 365 * 24 * 3600 * 1000,
          description: "How many milliseconds the clock moves; 0 moves nothing",
          examples: [60_000],
        }),
      }),
      response: {
        200: Type.Object({ now: described(Instant, "The time that the test clock shows") }),
        ...ADMIN_REFUSALS,
      },
      detail: {
        ...route({ operationId: "advanceClock", acts: ["clock.advance"], isolation: "administrator" }),
        summary: "Move the test clock forward",
        description: "Only a server under test has it. Jobs that are due by then run.",
      },
    },
  );
