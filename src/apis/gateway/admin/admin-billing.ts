import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { allPlans, changePlan, createPlan, PLAN_KINDS, type Plan } from "../../../core/billing/costs/plans.ts";
import { createInvoice, markPaid, voidInvoice } from "../../../core/billing/invoices/invoices.ts";
import { issueAnyInvoice } from "../../../core/billing/invoices/issue.ts";
import { dayIn, iso } from "../../../kernel/clock.ts";
import { DateTime, described, OneOf } from "../../../kernel/schema.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { administratorOf } from "../auth.ts";
import { InvoiceView, invoiceView } from "../billing/invoices.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, Instant, msOf, REFUSALS } from "../schemas.ts";

const MAX_UNIT_CENTS = 100_000_00;
const MAX_FEE_CENTS = 10_000_000_00;
const Unit = (maximum = MAX_UNIT_CENTS) => Type.Optional(Type.Integer({ minimum: 0, maximum }));

const Metadata = Type.Object(
  {
    wabaCents: Type.Optional(
      Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: MAX_UNIT_CENTS }), {
        description:
          "Cents for each message that the network charges for, by its category, with at most four decimals " +
          "(3.5 is R$ 0.0350). A missing category has the price of the network's list",
      }),
    ),
  },
  { title: "PlanMetadata", additionalProperties: Type.Unknown() },
);

const Terms = {
  currency: Type.Optional(OneOf(["BRL"], { description: "The currency of the prices: BRL" })),
  perMessageCents: described(Unit(), "Cents of BRL for each message sent", 5),
  perPhoneMonthCents: described(Unit(), "Cents of BRL for each phone and month", 4000),
  monthlyFeeCents: described(Unit(MAX_FEE_CENTS), "Cents of BRL a month", 9900),
  includedMessages: described(Unit(1_000_000_000), "How many the monthly fee covers", 1000),
  overageCents: described(Unit(), "Cents of BRL for each further message", 4),
  metadata: Type.Optional(
    described(Metadata, "Further terms of the plan; at most 16 KiB as JSON", { cliente: "desde 2024" }),
  ),
};
const CreatePlanBody = Type.Object({
  code: described(
    Type.String({
      pattern: "^[a-z0-9_-]{1,60}$",
      description: "must be 1 to 60 of a-z 0-9 _ -",
      examples: ["123456"],
    }),
    "The short name of the plan: 1 to 60 of a-z, 0-9, _ and -",
  ),
  kind: OneOf(PLAN_KINDS, { title: "PlanKind", description: "How the plan bills" }),
  ...Terms,
});
const PatchPlanBody = Type.Object({
  kind: Type.Optional(OneOf(PLAN_KINDS, { title: "PlanKind", description: "How the plan bills" })),
  ...Terms,
});
const PlanView = Type.Object(
  {
    code: Type.String({ description: "The plan's short name", examples: ["plano_padaria"] }),
    kind: OneOf(PLAN_KINDS, { title: "PlanKind", description: "How the plan bills" }),
    currency: Type.String({ description: "The currency of the prices: BRL", examples: ["BRL"] }),
    perMessageCents: Type.Integer({ description: "Cents of BRL for each message sent", examples: [5] }),
    perPhoneMonthCents: Type.Integer({ description: "Cents of BRL for each phone and month", examples: [4000] }),
    monthlyFeeCents: Type.Integer({ description: "Cents of BRL a month", examples: [9900] }),
    includedMessages: Type.Integer({ description: "How many the monthly fee covers", examples: [1000] }),
    overageCents: Type.Integer({ description: "Cents of BRL for each further message", examples: [4] }),
    metadata: described(
      Type.Object({}, { additionalProperties: Type.Unknown() }),
      "`wabaCents`, and what else was stored",
      { cliente: "desde 2024" },
    ),
    createdAt: CreatedAt("plan"),
    updatedAt: described(Instant, "When the plan last changed"),
  },
  { title: "Plan" },
);
const planView = ({ createdAt, updatedAt, ...plan }: Plan): Static<typeof PlanView> => ({
  ...plan,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

const InvoiceBody = Type.Object({
  periodStart: Type.Optional(
    described(
      DateTime(),
      "The beginning of the time that is billed; with `periodEnd`, in place of `totalCents`",
      "2026-11-01T00:00:00.000Z",
    ),
  ),
  periodEnd: Type.Optional(
    described(
      DateTime(),
      "The end of the time that is billed, exclusive, in the same month in UTC",
      "2026-11-30T00:00:00.000Z",
    ),
  ),
  totalCents: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_FEE_CENTS,
      description: "A sum in cents of BRL, in place of a period",
      examples: [12990],
    }),
  ),
  dueDate: Type.Optional(
    described(DateTime(), "The last day for paying; in 10 days by default", "2026-12-10T12:00:00.000Z"),
  ),
});

const CONFLICT = { ...ADMIN_REFUSALS, 409: REFUSALS[409] };

const DAY_ALONE = /^\d{4}-\d{2}-\d{2}$/;

/** A date stays as it is; a time becomes its day in the time zone of billing. */
const dayOf = ({ config }: GatewayEnv, datetime: string | undefined): string | undefined =>
  datetime === undefined || DAY_ALONE.test(datetime) ? datetime : dayIn(config.billingTz, Date.parse(datetime));

/** The plans of accounts. The frame has checked the administrator's token. */
export const adminPlans = (env: GatewayEnv) =>
  new Elysia({ detail: inPath({ code: Type.String({ description: "The plan, by its short name" }) }) })
    .get("/plans", async () => (await allPlans(env)).map(planView), {
      response: { 200: Type.Array(PlanView), ...ADMIN_REFUSALS },
      detail: {
        ...route({ operationId: "listPlans", isolation: "administrator" }),
        summary: "List the plans that accounts can have",
        description: "The answer has every plan.",
      },
    })
    .post(
      "/plans",
      async ({ body, status, request }) => status(201, planView(await createPlan(env, administratorOf(request), body))),
      {
        body: CreatePlanBody,
        response: { 201: PlanView, ...CONFLICT },
        detail: {
          ...route({ operationId: "createPlan", acts: ["plan.create"], isolation: "administrator" }),
          summary: "Create a plan",
          description: "A missing price is 0.",
        },
      },
    )
    .patch(
      "/plans/:code",
      async ({ params, body, request }) => planView(await changePlan(env, administratorOf(request), params.code, body)),
      {
        body: PatchPlanBody,
        response: { 200: PlanView, ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "updatePlan", acts: ["plan.change"], isolation: "administrator" }),
          summary: "Change a plan",
          description: "A missing field stays unchanged. Existing invoices stay unchanged too.",
        },
      },
    );

/** The charges and invoices of accounts. */
export const adminInvoices = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/accounts/:id/invoices",
      async ({ params, body: { periodStart, periodEnd, totalCents, dueDate }, status, request }) => {
        const input = {
          periodStart: msOf(periodStart),
          periodEnd: msOf(periodEnd),
          totalCents,
          dueDate: dayOf(env, dueDate),
        };
        return status(
          201,
          await invoiceView(env, await createInvoice(env, administratorOf(request), params.id, input)),
        );
      },
      {
        body: InvoiceBody,
        response: { 201: InvoiceView, ...ADMIN_REFUSALS },
        detail: {
          ...inPath({ id: Id("The account, as `GET /v1/admin/accounts` lists it", "account") }),
          ...route({ operationId: "createInvoice", acts: ["invoice.create"], isolation: "administrator" }),
          summary: "Invoice the cost of a period, or a sum",
          description:
            "A period lies within one calendar month in UTC, and is invoiced once. Without `dueDate` it is due " +
            "in 10 days.",
        },
      },
    )
    .post(
      "/invoices/:id/void",
      async ({ params, request }) => invoiceView(env, await voidInvoice(env, administratorOf(request), params.id)),
      {
        response: { 200: InvoiceView, ...CONFLICT },
        detail: {
          ...inPath({ id: Id("The invoice, as `GET /v1/admin/invoices` lists it") }),
          ...route({
            operationId: "voidInvoice",
            acts: ["invoice.void", "account.reinstate", "account.suspend"],
            isolation: "administrator",
          }),
          summary: "Cancel an unpaid invoice and its charge",
          description: "An invoice that is paid or void already is refused.",
        },
      },
    )
    .post(
      "/invoices/:id/issue",
      async ({ params, request }) => invoiceView(env, await issueAnyInvoice(env, administratorOf(request), params.id)),
      {
        response: { 200: InvoiceView, ...CONFLICT },
        detail: {
          ...inPath({ id: Id("The invoice, as `GET /v1/admin/invoices` lists it") }),
          ...route({ operationId: "issueInvoiceOfAccount", acts: ["invoice.issue"], isolation: "administrator" }),
          summary: "Charge any account's invoice through the processor",
          description: "The payer chooses how to pay. An invoice that has a charge stays as it is.",
        },
      },
    )
    .post(
      "/invoices/:id/mark-paid",
      async ({ params, request }) => invoiceView(env, await markPaid(env, administratorOf(request), params.id)),
      {
        response: { 200: InvoiceView, ...CONFLICT },
        detail: {
          ...inPath({ id: Id("The invoice, as `GET /v1/admin/invoices` lists it") }),
          ...route({
            operationId: "markInvoicePaid",
            acts: ["invoice.mark-paid", "account.reinstate", "account.suspend"],
            isolation: "administrator",
          }),
          summary: "Record that an invoice was paid elsewhere",
          description: "Its charge is cancelled first, so that it cannot be paid twice.",
        },
      },
    );
