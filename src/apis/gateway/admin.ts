import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { changeAccount } from "../../core/billing/accounts.ts";
import { deadLettersPage, replayDeadLetters } from "../../core/events/log.ts";
import {
  ACCOUNT_STATUSES,
  type Account,
  accountsPage,
  changeInstitutionPlan,
  createAccount,
  DUNNING_STAGES,
  getAccount,
  PLATFORM_PLANS,
} from "../../core/tenancy/accounts.ts";
import { issueGatewayKey, type Key, keysOf, MAX_ALLOWED_ADDRESSES, revokeGatewayKey } from "../../core/tenancy/keys.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { invalid } from "../../kernel/errors.ts";
import { gatewayLimit } from "../../kernel/page.ts";
import { AnyText, DateTime, Email, issue, Nullable, OneOf, Text } from "../../kernel/schema.ts";
import { adminAudit } from "./admin-audit.ts";
import { adminInvoices, adminPlans } from "./admin-billing.ts";
import { adminMoving } from "./admin-moving.ts";
import { adminPeople } from "./admin-people.ts";
import { adminServer } from "./admin-server.ts";
import { adminUsers } from "./admin-users.ts";
import { asAdmin } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { ADMIN_REFUSALS, Instant, InstantOrNull, OptionalBody, Page } from "./schemas.ts";
import { scopeOf } from "./scope-of.ts";
import { isWithinLimits, limitsOf, SCOPES } from "./scopes.ts";

const AccountFields = {
  planCode: Type.Optional(AnyText(1)),
  billingEmail: Type.Optional(Nullable(Email(254))),
  wabaMarkupPct: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1000 }))),
};
const CreateAccountBody = Type.Object({ name: Text(1, 120), ...AccountFields });
const PatchAccountBody = Type.Object({
  name: Type.Optional(Text(1, 120)),
  status: Type.Optional(OneOf(ACCOUNT_STATUSES)),
  ...AccountFields,
});
const SCOPES_TEXT = [
  `The key is limited to those of ${SCOPES.join(", ")};`,
  "with none of these among its scopes it may do everything. Other texts are kept and mean nothing.",
].join(" ");
const ADDRESSES_TEXT = "IP addresses and CIDRs from which alone the key may be used; none: from anywhere";
const CreateKeyBody = Type.Object({
  name: Text(1, 100),
  scopes: Type.Optional(Type.Array(Text(0, 100), { maxItems: 100, description: SCOPES_TEXT })),
  readOnly: Type.Optional(Type.Boolean({ description: "The key reads, and changes nothing, within its scopes" })),
  allowedAddresses: Type.Optional(
    Type.Array(Text(1, 50), { maxItems: MAX_ALLOWED_ADDRESSES, description: ADDRESSES_TEXT }),
  ),
  expiresAt: Type.Optional(DateTime()),
});

const AccountView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  dunningStage: OneOf(DUNNING_STAGES),
  planCode: Type.String(),
  billingEmail: Nullable(Type.String()),
  wabaMarkupPct: Nullable(Type.Number()),
  createdAt: Instant,
  updatedAt: Instant,
});
const KeyItem = Type.Object({
  id: Type.String(),
  accountId: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Array(Type.String()),
  limitedTo: Nullable(
    Type.Array(Type.String(), { description: "The scopes that limit the key; null for a key that may do everything" }),
  ),
  readOnly: Type.Boolean(),
  allowedAddresses: Type.Array(Type.String()),
  expiresAt: InstantOrNull,
  lastUsedAt: InstantOrNull,
  revokedAt: InstantOrNull,
  createdAt: Instant,
});
const IssuedKeyView = Type.Composite([KeyItem, Type.Object({ key: Type.String() })]);
const DeadLetterItem = Type.Object({
  id: Type.String(),
  eventId: Type.String(),
  accountId: Type.String(),
  type: Type.String(),
  url: Type.String(),
  attempts: Type.Integer(),
  lastStatusCode: Nullable(Type.Integer()),
  lastError: Nullable(Type.String()),
  createdAt: Instant,
});

const accountView = ({
  id,
  name,
  status,
  dunningStage,
  planCode,
  billingEmail,
  wabaMarkupPct,
  createdAt,
  updatedAt,
}: Account): Static<typeof AccountView> => ({
  id,
  name,
  status,
  dunningStage,
  planCode,
  billingEmail,
  wabaMarkupPct,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

const limitedTo = (key: Key): string[] | null => {
  const limits = limitsOf(key);
  return limits ? SCOPES.filter((scope) => isWithinLimits(limits, scope)) : null;
};

const keyItem = (key: Key): Static<typeof KeyItem> => ({
  id: key.id,
  accountId: key.tenantId,
  name: key.name,
  prefix: key.prefix,
  scopes: key.permissions,
  limitedTo: limitedTo(key),
  readOnly: key.isReadOnly,
  allowedAddresses: key.allowedAddresses,
  expiresAt: isoOrNull(key.expiresAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  revokedAt: isoOrNull(key.revokedAt),
  createdAt: iso(key.createdAt),
});

const PAGE = { limit: Type.Optional(Type.String()), cursor: Type.Optional(Type.String()) };

/** The administrator's routes for accounts and keys. `requestFrame` has checked the token. */
export const admin = (env: GatewayEnv) =>
  new Elysia({ prefix: "/v1/admin", tags: ["admin"], detail: { security: [{ adminToken: [] }] } })
    .use(accounts(env))
    .use(keys(env))
    .use(deliveries(env))
    .use(adminPlans(env))
    .use(adminInvoices(env))
    .use(adminServer(env))
    .use(adminAudit(env))
    .use(adminPeople(env))
    .use(adminMoving(env))
    .use(adminUsers(env))
    .use(env.advanceClock ? testClock(env, env.advanceClock) : new Elysia());

const accounts = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/accounts",
      async ({ body, status, request }) => status(201, accountView(await createAccount(asAdmin(env, request), body))),
      {
        body: CreateAccountBody,
        response: { 201: AccountView, ...ADMIN_REFUSALS },
        detail: { operationId: "createAccount", summary: "Create an account" },
      },
    )
    .get(
      "/accounts",
      async ({ query }) => {
        const { items, nextCursor } = await accountsPage(env, {
          status: query.status,
          cursor: query.cursor,
          limit: gatewayLimit(query.limit),
        });
        return { items: items.map(accountView), nextCursor };
      },
      {
        query: Type.Object({ status: Type.Optional(OneOf([...ACCOUNT_STATUSES, "SUSPENDED"])), ...PAGE }),
        response: { 200: Page(AccountView), ...ADMIN_REFUSALS },
        detail: { operationId: "listAccounts", summary: "List accounts, newest first" },
      },
    )
    .get("/accounts/:id", async ({ params }) => accountView(await getAccount(env, params.id)), {
      response: { 200: AccountView, ...ADMIN_REFUSALS },
      detail: { operationId: "getAccount", summary: "Get an account" },
    })
    .patch(
      "/accounts/:id",
      async ({ params, body, request }) => accountView(await changeAccount(asAdmin(env, request), params.id, body)),
      {
        body: PatchAccountBody,
        response: { 200: AccountView, ...ADMIN_REFUSALS },
        detail: { operationId: "updateAccount", summary: "Change an account" },
      },
    )
    .patch(
      "/institutions/:id",
      async ({ params, body, request }) => {
        const { id, name } = await changeInstitutionPlan(asAdmin(env, request), params.id, body.plan);
        return { id, name, plan: body.plan };
      },
      {
        body: Type.Object({ plan: OneOf(PLATFORM_PLANS) }),
        response: {
          200: Type.Object({ id: Type.String(), name: Type.String(), plan: OneOf(PLATFORM_PLANS) }),
          ...ADMIN_REFUSALS,
        },
        detail: { operationId: "updateInstitution", summary: "Change the plan of an institution of the platform" },
      },
    );

const keys = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/accounts/:id/api-keys",
      async ({ params, body, status, request }) => {
        const issued = await issueGatewayKey(asAdmin(env, request), params.id, body);
        return status(201, { ...keyItem(issued), key: issued.key });
      },
      {
        body: CreateKeyBody,
        response: { 201: IssuedKeyView, ...ADMIN_REFUSALS },
        detail: { operationId: "issueApiKey", summary: "Issue an API key; it is shown only now" },
      },
    )
    .get(
      "/accounts/:id/api-keys",
      async ({ params }) =>
        (await keysOf(env, scopeOf(await getAccount(env, params.id)), "gateway", { withRevoked: true })).map(keyItem),
      {
        response: { 200: Type.Array(KeyItem), ...ADMIN_REFUSALS },
        detail: { operationId: "listAccountApiKeys", summary: "List an account's API keys" },
      },
    )
    .post("/api-keys/:id/revoke", ({ params, request }) => revokeGatewayKey(asAdmin(env, request), params.id), {
      response: { 200: Type.Object({ id: Type.String(), revokedAt: Instant }), ...ADMIN_REFUSALS },
      detail: { operationId: "revokeApiKey", summary: "Revoke an API key, at once" },
    });

/** The account that the query or the body names. Throws VALIDATION when they name different ones. */
const namedAccount = (inQuery: string | undefined, inBody: string | undefined): string | undefined => {
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody)
    throw invalid(issue("accountId", "forbidden", "is another in the body than in the query"));
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
        query: Type.Object({ accountId: Type.Optional(Type.String()), ...PAGE }),
        response: { 200: Page(DeadLetterItem), ...ADMIN_REFUSALS },
        detail: { operationId: "listDeadLetters", summary: "List dead letters, newest first" },
      },
    )
    .post(
      "/dead-letters/replay",
      async ({ body, query, status, request }) => {
        const accountId = namedAccount(query.accountId, body?.accountId);
        const scope = accountId === undefined ? undefined : scopeOf(await getAccount(env, accountId));
        return status(202, { status: "enqueued", count: await replayDeadLetters(asAdmin(env, request), scope) });
      },
      {
        query: Type.Object({ accountId: Type.Optional(Type.String()) }),
        body: OptionalBody({ accountId: Type.Optional(Type.String()) }),
        response: { 202: Type.Object({ status: OneOf(["enqueued"]), count: Type.Integer() }), ...ADMIN_REFUSALS },
        detail: { operationId: "replayDeadLetters", summary: "Send dead letters out again, at most 1,000 a call" },
      },
    );

/** The route of the test clock, which only a server under test has. */
const testClock = (env: GatewayEnv, advanceClock: NonNullable<GatewayEnv["advanceClock"]>) =>
  new Elysia().post(
    "/clock",
    async ({ body, request }) => ({ now: iso(await advanceClock(body.advanceMs, asAdmin(env, request).actor)) }),
    {
      body: Type.Object({ advanceMs: Type.Integer({ minimum: 0, maximum: 10 * 365 * 24 * 3600 * 1000 }) }),
      response: { 200: Type.Object({ now: Instant }), ...ADMIN_REFUSALS },
      detail: { operationId: "advanceClock", summary: "Move the test clock forward" },
    },
  );
