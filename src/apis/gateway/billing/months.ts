import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { invoicesPage, type MonthOfAccount, monthsOfAccount, readTakings } from "../../../core/billing/costs/months.ts";
import { INVOICE_STATUSES } from "../../../core/billing/invoices/invoices.ts";
import { gatewayLimit, queryNumber } from "../../../kernel/page.ts";
import { described, OneOf } from "../../../kernel/schema.ts";
import { Cursor, IDS } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, Page, QueryLimit, QueryText, REFUSALS } from "../schemas.ts";
import { InvoiceView, listedInvoiceView } from "./invoices.ts";
import { chargesView, NetworkCharge } from "./usage.ts";

const LONGEST_MONTHS = 24;
const USUAL_MONTHS = 12;
const Months = QueryLimit(LONGEST_MONTHS, USUAL_MONTHS);
const monthsIn = (text: string | undefined): number =>
  queryNumber("months", text, { fallback: USUAL_MONTHS, min: 1, max: LONGEST_MONTHS });

const Common = {
  month: Type.String({ description: "A calendar month in UTC", examples: ["2026-11"] }),
  isOver: Type.Boolean({ description: "False for the current month, whose numbers still grow", examples: [false] }),
  messagesSent: Type.Integer({ description: "Messages that were sent in the month", examples: [120] }),
  messagesReceived: Type.Integer({ description: "Messages that came in during the month", examples: [95] }),
  networkCharges: Type.Array(NetworkCharge, { description: "The network's charges, by category" }),
};
const MonthView = Type.Object(
  {
    ...Common,
    costCents: Type.Integer({ description: "BRL cents, passed-on charges included", examples: [12990] }),
    wabaPassthroughCents: Type.Integer({
      description: "BRL cents: the network's charge, with the account's markup",
      examples: [2990],
    }),
    activePhones: Type.Integer({ description: "Phones that sent at least one message" }),
  },
  { title: "MonthOfAccount" },
);
const monthView = ({ month, isOver, cost, ...used }: MonthOfAccount): Static<typeof MonthView> => ({
  month,
  isOver,
  messagesSent: used.sent,
  messagesReceived: used.received,
  networkCharges: chargesView(used.charges),
  costCents: cost.totalCents,
  wabaPassthroughCents: cost.passthroughCents,
  activePhones: used.activeChannels,
});

/** The usage of an account, month by month. */
export const months = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/billing/months", tags: ["billing"] }).use(auth).get(
    "/",
    async ({ principal, query }) => ({
      items: (await monthsOfAccount(env, principal, monthsIn(query.months))).map(monthView),
    }),
    {
      query: Type.Object({ months: described(Months, "How many months; 12 by default, up to 24") }),
      response: {
        200: Type.Object({
          items: Type.Array(MonthView, { description: "The months, the oldest first; the current one is the last" }),
        }),
        ...REFUSALS,
      },
      detail: {
        ...route({ operationId: "listMonths", isolation: "own" }),
        summary: "Get the cost of each of the last months, the oldest first",
        description: "The cost is that of today's plan and markup. Days in UTC count.",
      },
    },
  );

const OwedView = Type.Object(
  {
    count: Type.Integer({ description: "How many invoices", examples: [2] }),
    cents: Type.Integer({ description: "The sum in cents of BRL", examples: [12990] }),
  },
  { title: "Owed" },
);
const MonthOfAllView = Type.Object(
  {
    ...Common,
    invoicedCents: Type.Integer({ description: "The invoices of this month, in cents of BRL", examples: [129900] }),
    paidCents: Type.Integer({ description: "The paid part of them, in cents of BRL", examples: [0] }),
  },
  { title: "MonthOfAll" },
);
const TakingsView = Type.Object(
  {
    unpaid: described(OwedView, "The unpaid part"),
    overdue: described(OwedView, "The overdue part"),
    months: Type.Array(MonthOfAllView, { description: "Every month with its sums, the oldest first" }),
  },
  { title: "Takings" },
);
const NamedInvoiceView = Type.Composite(
  [
    InvoiceView,
    Type.Object({
      accountName: Type.String({
        description: "The account that pays, as it is called now",
        examples: ["Padaria Estrela"],
      }),
    }),
  ],
  {
    title: "InvoiceOfAccount",
  },
);

/** The money of all accounts. */
export const adminMoney = (env: GatewayEnv) =>
  new Elysia()
    .get(
      "/billing",
      async ({ query }) => {
        const { months: found, ...owed } = await readTakings(env, monthsIn(query.months));
        return {
          ...owed,
          months: found.map(({ sent, received, charges, ...month }) => ({
            ...month,
            messagesSent: sent,
            messagesReceived: received,
            networkCharges: chargesView(charges),
          })),
        };
      },
      {
        query: Type.Object({ months: described(Months, "How many months; 12 by default, up to 24") }),
        response: { 200: TakingsView, ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "getTakings", isolation: "administrator" }),
          summary: "Get the debts of all accounts, and their usage by month",
          description: "Sums are in cents of BRL. The months are those of UTC, the oldest first.",
        },
      },
    )
    .get(
      "/invoices",
      async ({ query: { accountId, status, cursor, limit } }) => {
        const { items, nextCursor } = await invoicesPage(env, accountId, {
          status,
          cursor,
          limit: gatewayLimit(limit),
        });
        return {
          items: items.map(({ accountName, ...invoice }) => ({ ...listedInvoiceView(env, invoice), accountName })),
          nextCursor,
        };
      },
      {
        query: Type.Object({
          accountId: described(QueryText, "Only entries of this account", IDS.account),
          status: Type.Optional(
            OneOf([...INVOICE_STATUSES, "UNPAID"], { description: "Only entries with this status" }),
          ),
          cursor: Cursor(QueryText),
          limit: QueryLimit(),
        }),
        response: { 200: Page(NamedInvoiceView), ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "listAllInvoices", isolation: "administrator" }),
          summary: "List the invoices of all accounts, newest first",
          description: "`UNPAID` finds those that wait to be paid.",
        },
      },
    );
