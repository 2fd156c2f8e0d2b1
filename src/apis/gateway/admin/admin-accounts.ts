import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type UsedAccount, usedAccount, usedAccountsPage } from "../../../core/billing/account-use.ts";
import { changeAccount } from "../../../core/billing/accounts.ts";
import { joinAccount } from "../../../core/joining.ts";
import {
  ACCOUNT_STATUSES,
  type Account,
  changeInstitutionPlan,
  createAccount,
  DUNNING_STAGES,
  getAccount,
  isSuspended,
  PLATFORM_PLANS,
} from "../../../core/tenancy/accounts/accounts.ts";
import { makeInstitution } from "../../../core/tenancy/people/invitations.ts";
import { iso } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { AnyText, Email, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { UserEmail } from "../../shared/docs/texts.ts";
import { DryRunQuery, isDryRun } from "../../shared/dry-run.ts";
import { JoinedView, joinedView } from "../../shared/joining.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { ADMIN_REFUSALS, CONFLICT, Instant, Page, QueryLimit, QueryText } from "../schemas.ts";

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

const AccountView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.String(),
    dunningStage: OneOf(DUNNING_STAGES),
    planCode: Type.String(),
    billingEmail: Nullable(Type.String()),
    wabaMarkupPct: Nullable(Type.Number()),
    joinedInto: Type.Optional(
      Type.String({ description: "Of an account that was joined: the institution that has everything of it since" }),
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: "Account" },
);

/** What an operator sees of an account at a glance. */
const UsedAccountView = Type.Composite(
  [
    AccountView,
    Type.Object({
      isSuspended: Type.Boolean(),
      institutionPlan: Nullable(OneOf(PLATFORM_PLANS, { title: "InstitutionPlan" })),
      phones: Type.Integer(),
      connectedPhones: Type.Integer(),
      members: Type.Integer(),
      messagesSent: Type.Integer(),
      messagesReceived: Type.Integer(),
      owedCents: Type.Integer(),
      overdueCents: Type.Integer(),
    }),
  ],
  { title: "UsedAccount" },
);

const accountView = ({
  id,
  name,
  status,
  dunningStage,
  planCode,
  billingEmail,
  wabaMarkupPct,
  joinedInto,
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
  ...(joinedInto === null ? {} : { joinedInto }),
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

const usedAccountView = ({ use, ...account }: UsedAccount): Static<typeof UsedAccountView> => {
  const { sent, received, ...counts } = use;
  return {
    ...accountView(account),
    isSuspended: isSuspended(account),
    institutionPlan: account.platformPlan,
    ...counts,
    messagesSent: sent,
    messagesReceived: received,
  };
};

const LONGEST_SEARCH = 120;
const KINDS = ["account", "institution"] as const;

/** How the two APIs get at one tenant. */
const bothApis = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/accounts/:id/institution",
      async ({ params, body: { plan, ownerEmail }, status, request }) => {
        const { email, link } = await makeInstitution(env, administratorOf(request), params.id, { plan, ownerEmail });
        return status(201, { institutionId: params.id, plan, email, ...(link === undefined ? {} : { link }) });
      },
      {
        body: Type.Object({ plan: OneOf(PLATFORM_PLANS, { title: "InstitutionPlan" }), ownerEmail: UserEmail }),
        response: {
          201: Type.Object(
            {
              institutionId: Type.String(),
              plan: OneOf(PLATFORM_PLANS, { title: "InstitutionPlan" }),
              email: Type.String(),
              link: Type.Optional(Type.String()),
            },
            { title: "MadeInstitution" },
          ),
          ...ADMIN_REFUSALS,
          409: CONFLICT,
        },
        detail: {
          operationId: "makeInstitution",
          summary: "Give an account its side of the platform",
          description:
            "The account becomes an institution too, with the same id, and the owner is invited. Without a mail server " +
            "the answer has the link.",
        },
      },
    )
    .post(
      "/accounts/:id/join",
      async ({ params, body, query, request }) => {
        const dryRun = isDryRun(query);
        if (!dryRun) requireFreshProof(env, request);
        const { institutionId } = body;
        return joinedView(
          await joinAccount(env, administratorOf(request), { accountId: params.id, institutionId, isDryRun: dryRun }),
          dryRun,
        );
      },
      {
        query: DryRunQuery,
        body: Type.Object({ institutionId: Uuid() }),
        response: { 200: JoinedView, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          ...routeOptions({ access: "admin", takesDryRun: true }),
          operationId: "joinAccount",
          summary: "Give everything of an account to an institution",
          description:
            "Its phones, keys, webhooks, people, messages and bills then belong to the institution, with their ids. " +
            "It cannot be undone: try it with `dryRun=true`, and make a backup.",
        },
      },
    );

/** The administrator's routes for accounts, and for the plans of institutions. */
export const adminAccounts = (env: GatewayEnv) =>
  new Elysia()
    .use(bothApis(env))
    .post(
      "/accounts",
      async ({ body, status, request }) =>
        status(201, accountView(await createAccount(env, administratorOf(request), body))),
      {
        body: CreateAccountBody,
        response: { 201: AccountView, ...ADMIN_REFUSALS },
        detail: { operationId: "createAccount", summary: "Create an account" },
      },
    )
    .get(
      "/accounts",
      async ({ query: { status, search, kind, cursor, limit } }) => {
        const { items, nextCursor } = await usedAccountsPage(env, {
          status,
          search: search?.trim() || undefined,
          isInstitution: kind && kind === "institution",
          cursor,
          limit: gatewayLimit(limit),
        });
        return { items: items.map(usedAccountView), nextCursor };
      },
      {
        query: Type.Object({
          status: Type.Optional(OneOf([...ACCOUNT_STATUSES, "SUSPENDED"])),
          search: Type.Optional(Text(0, LONGEST_SEARCH)),
          kind: Type.Optional(OneOf(KINDS)),
          cursor: QueryText,
          limit: QueryLimit(),
        }),
        response: { 200: Page(UsedAccountView), ...ADMIN_REFUSALS },
        detail: {
          operationId: "listAccounts",
          summary: "List accounts, newest first",
          description: "With what each has, the messages of this month in UTC, and what it owes.",
        },
      },
    )
    .get("/accounts/:id", async ({ params }) => accountView(await getAccount(env, params.id)), {
      response: { 200: AccountView, ...ADMIN_REFUSALS },
      detail: { operationId: "getAccountById", summary: "Get an account" },
    })
    .get("/accounts/:id/use", async ({ params }) => usedAccountView(await usedAccount(env, params.id)), {
      response: { 200: UsedAccountView, ...ADMIN_REFUSALS },
      detail: { operationId: "getAccountUse", summary: "Get an account with what it has and owes" },
    })
    .patch(
      "/accounts/:id",
      async ({ params, body, request }) => {
        if (body.status === "CANCELLED") requireFreshProof(env, request);
        return accountView(await changeAccount(env, administratorOf(request), params.id, body));
      },
      {
        body: PatchAccountBody,
        response: { 200: AccountView, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          operationId: "updateAccount",
          summary: "Change an account",
          description: "A missing field stays. ACTIVE also ends a suspension.",
        },
      },
    )
    .patch(
      "/institutions/:id",
      async ({ params, body, request }) => {
        const { id, name } = await changeInstitutionPlan(env, administratorOf(request), params.id, body.plan);
        return { id, name, plan: body.plan };
      },
      {
        body: Type.Object({ plan: OneOf(PLATFORM_PLANS, { title: "InstitutionPlan" }) }),
        response: {
          200: Type.Object({
            id: Type.String(),
            name: Type.String(),
            plan: OneOf(PLATFORM_PLANS, { title: "InstitutionPlan" }),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: { operationId: "updateInstitution", summary: "Change the plan of an institution of the platform" },
      },
    );
