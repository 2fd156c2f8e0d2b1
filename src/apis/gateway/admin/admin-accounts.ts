import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { changeAccount } from "../../../core/billing/accounts.ts";
import { type UsedAccount, usedAccount, usedAccountsPage } from "../../../core/billing/costs/account-use.ts";
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
import { gatewayLimit } from "../../../kernel/page.ts";
import { AnyText, described, Email, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { UserEmail } from "../../shared/docs/texts.ts";
import { DryRunQuery, isDryRun } from "../../shared/dry-run.ts";
import { CreatedAt, Cursor, IDS, Id, inPath } from "../../shared/fields.ts";
import { JoinedView, joinedView } from "../../shared/joining.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { toView } from "../../shared/view.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, CONFLICT, Instant, Page, QueryLimit, QueryText } from "../schemas.ts";

const AccountFields = {
  planCode: Type.Optional(described(AnyText(1), "The plan that sets the prices", "plano_padaria")),
  billingEmail: Type.Optional(
    described(
      Nullable(Email(254)),
      "Where invoices and reminders go; null sends none",
      "financeiro@padaria-estrela.example",
    ),
  ),
  wabaMarkupPct: Type.Optional(
    Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1000,
        description: "Percent on the network's charge; null is the server's default",
        examples: [10],
      }),
    ),
  ),
};
const CreateAccountBody = Type.Object({
  name: described(Text(1, 120), "The name of the business", "Padaria Estrela"),
  ...AccountFields,
});
const PatchAccountBody = Type.Object({
  name: Type.Optional(
    described(Text(1, 120), "The new name of the business; absent keeps the present one", "Padaria Estrela"),
  ),
  status: Type.Optional(OneOf(ACCOUNT_STATUSES, { description: "ACTIVE also ends a suspension" })),
  ...AccountFields,
});

const AccountView = Type.Object(
  {
    id: Id("The account's id"),
    name: Type.String({ description: "The name of the business", examples: ["Padaria Estrela"] }),
    status: Type.String({ description: "ACTIVE, CANCELLED, INACTIVE or SUSPENDED", examples: ["ACTIVE"] }),
    dunningStage: OneOf(DUNNING_STAGES, { description: "The stage of the account's late payment" }),
    planCode: Type.String({ description: "The plan that sets the prices", examples: ["plano_padaria"] }),
    billingEmail: Nullable(
      Type.String({
        description: "Where invoices and reminders go; null sends none",
        examples: ["financeiro@padaria-estrela.example"],
      }),
    ),
    wabaMarkupPct: Nullable(
      Type.Number({ description: "Percent on the network's charge; null is the server's default", examples: [10] }),
    ),
    joinedInto: Type.Optional(
      Type.String({ description: "The institution that took the account over; absent if no institution did" }),
    ),
    createdAt: CreatedAt("account"),
    updatedAt: described(Instant, "When the account last changed"),
  },
  { title: "Account" },
);

/** What an operator sees of an account at a glance. */
const UsedAccountView = Type.Composite(
  [
    AccountView,
    Type.Object({
      isSuspended: Type.Boolean({ description: "Whether its sends wait until it has paid", examples: [false] }),
      institutionPlan: described(
        Nullable(OneOf(PLATFORM_PLANS, { title: "InstitutionPlan" })),
        "The plan of an institution; null for another account",
      ),
      phones: Type.Integer({ description: "Phones, connected or not", examples: [3] }),
      connectedPhones: Type.Integer({ description: "Phones that are connected", examples: [2] }),
      members: Type.Integer({ description: "People of the institution", examples: [3] }),
      messagesSent: Type.Integer({ description: "Sent this month in UTC", examples: [120] }),
      messagesReceived: Type.Integer({ description: "Received this month in UTC", examples: [95] }),
      owedCents: Type.Integer({ description: "Unpaid invoices, in cents of BRL", examples: [12990] }),
      overdueCents: Type.Integer({
        description: "The overdue part of them, in cents of BRL",
        examples: [0],
      }),
    }),
  ],
  { title: "UsedAccount" },
);

const accountView = (account: Account) => toView(AccountView, account);

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

/** The two APIs' access to one tenant. */
const bothApis = (env: GatewayEnv) =>
  new Elysia({ detail: inPath({ id: Id("The account, as `GET /v1/admin/accounts` lists it", "account") }) })
    .post(
      "/accounts/:id/institution",
      async ({ params, body: { plan, ownerEmail }, status, request }) => {
        const { email, link } = await makeInstitution(env, administratorOf(request), params.id, { plan, ownerEmail });
        return status(201, { institutionId: params.id, plan, email, ...(link === undefined ? {} : { link }) });
      },
      {
        body: Type.Object({
          plan: OneOf(PLATFORM_PLANS, {
            title: "InstitutionPlan",
            description: "The plan of the new institution",
            examples: ["PROFESSIONAL"],
          }),
          ownerEmail: described(UserEmail, "The invited owner", "maria@example.com"),
        }),
        response: {
          201: Type.Object(
            {
              institutionId: Id("The new institution, which has the same id as the account", "institution"),
              plan: OneOf(PLATFORM_PLANS, {
                title: "InstitutionPlan",
                description: "The plan of the new institution",
                examples: ["PROFESSIONAL"],
              }),
              email: Type.String({
                description: "The address to which the owner's invitation was sent",
                examples: ["maria@example.com"],
              }),
              link: Type.Optional(
                Type.String({
                  description: "Opens once; absent if it was mailed",
                  examples: ["https://recado.example/convite/Zk3vX9pQ"],
                }),
              ),
            },
            { title: "MadeInstitution" },
          ),
          ...ADMIN_REFUSALS,
          409: CONFLICT,
        },
        detail: {
          ...route({
            operationId: "makeInstitution",
            acts: ["account.make-institution", "member.invite"],
            isolation: "administrator",
          }),
          summary: "Make an account an institution of the platform too",
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
        body: Type.Object({
          institutionId: described(Uuid(), "The institution that takes the account over", IDS.institution),
        }),
        response: { 200: JoinedView, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          ...route({
            operationId: "joinAccount",
            acts: ["account.join", "institution.add-account"],
            isolation: "administrator",
            access: "admin",
            takesDryRun: true,
          }),
          summary: "Move everything of an account to an institution",
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
        detail: {
          ...route({ operationId: "createAccount", acts: ["account.create"], isolation: "administrator" }),
          summary: "Create an account",
          description: "The new account has no key yet: `issueApiKey` makes one.",
        },
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
          status: Type.Optional(
            OneOf([...ACCOUNT_STATUSES, "SUSPENDED"], { description: "Only entries with this status" }),
          ),
          search: Type.Optional(described(Text(0, LONGEST_SEARCH), "The words to search for")),
          kind: Type.Optional(
            OneOf(KINDS, { description: "Only institutions of the platform, or only other accounts" }),
          ),
          cursor: Cursor(QueryText),
          limit: QueryLimit(),
        }),
        response: { 200: Page(UsedAccountView), ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "listAccounts", isolation: "administrator" }),
          summary: "List accounts, newest first",
          description: "With the resources of each, its messages of this month in UTC, and its debts.",
        },
      },
    )
    .get("/accounts/:id", async ({ params }) => accountView(await getAccount(env, params.id)), {
      response: { 200: AccountView, ...ADMIN_REFUSALS },
      detail: {
        ...inPath({ id: Id("The account, as `GET /v1/admin/accounts` lists it", "account") }),
        ...route({ operationId: "getAccountById", isolation: "administrator" }),
        summary: "Get an account",
        description: "An institution of the platform is an account too, with the same id.",
      },
    })
    .get("/accounts/:id/use", async ({ params }) => usedAccountView(await usedAccount(env, params.id)), {
      response: { 200: UsedAccountView, ...ADMIN_REFUSALS },
      detail: {
        ...inPath({ id: Id("The account, as `GET /v1/admin/accounts` lists it", "account") }),
        ...route({ operationId: "getAccountUse", isolation: "administrator" }),
        summary: "Get an account with its resources and its debts",
        description: "The counts are those of now, and the messages those of this month in UTC.",
      },
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
          ...inPath({ id: Id("The account, as `GET /v1/admin/accounts` lists it", "account") }),
          ...route({
            operationId: "updateAccount",
            acts: ["account.change", "account.reinstate"],
            isolation: "administrator",
          }),
          summary: "Change an account",
          description: "A missing field stays unchanged. ACTIVE also ends a suspension.",
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
        body: Type.Object({
          plan: OneOf(PLATFORM_PLANS, {
            title: "InstitutionPlan",
            description: "The new plan of the institution",
            examples: ["PROFESSIONAL"],
          }),
        }),
        response: {
          200: Type.Object({
            id: Id("The institution's id"),
            name: Type.String({ description: "The name of the business", examples: ["Padaria Estrela"] }),
            plan: OneOf(PLATFORM_PLANS, {
              title: "InstitutionPlan",
              description: "The plan that holds from now on",
              examples: ["PROFESSIONAL"],
            }),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...inPath({ id: Id("The institution, as `POST /v1/admin/users` answered it", "institution") }),
          ...route({ operationId: "updateInstitution", acts: ["institution.change-plan"], isolation: "administrator" }),
          summary: "Change the plan of an institution of the platform",
          description: "The plan sets the limits of the institution.",
        },
      },
    );
