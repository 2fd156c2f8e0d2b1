import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getInvoice, INVOICE_STATUSES, type Invoice, lastInvoices } from "../../core/billing/invoices.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { Nullable, OneOf } from "../../kernel/schema.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { Instant, InstantOrNull, REFUSALS } from "./schemas.ts";

const TextOrNull = Nullable(Type.String());

export const InvoiceView = Type.Object(
  {
    id: Type.String(),
    accountId: Type.String(),
    periodStart: Instant,
    periodEnd: Instant,
    totalCents: Type.Integer(),
    breakdown: Type.Object({ messages: Type.Integer(), phoneMonths: Type.Integer(), wabaPassthrough: Type.Integer() }),
    status: OneOf(INVOICE_STATUSES, { title: "InvoiceStatus" }),
    dueDate: Type.String({ format: "date" }),
    paidAt: InstantOrNull,
    paidCents: Nullable(
      Type.Integer({
        description:
          "What was paid, without interest; it differs from `totalCents` where the charge was changed at the processor",
      }),
    ),
    gatewayProvider: TextOrNull,
    gatewayChargeId: TextOrNull,
    gatewayInvoiceUrl: TextOrNull,
    pixQrCode: Nullable(Type.String({ description: "PNG in base64" })),
    pixCopyPaste: TextOrNull,
    boletoUrl: TextOrNull,
    boletoBarcode: TextOrNull,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: "Invoice" },
);

export const invoiceView = (invoice: Invoice): Static<typeof InvoiceView> => {
  const { tenantId, periodStart, periodEnd, isManual: _, paidAt, createdAt, updatedAt, ...same } = invoice;
  return {
    ...same,
    accountId: tenantId,
    periodStart: iso(periodStart),
    periodEnd: iso(periodEnd),
    paidAt: isoOrNull(paidAt),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
};

export const invoices = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/billing/invoices", tags: ["billing"] })
    .use(auth)
    .get("/", async ({ principal }) => (await lastInvoices(env, principal)).map(invoiceView), {
      response: { 200: Type.Array(InvoiceView), ...REFUSALS },
      detail: { operationId: "listInvoices", summary: "List the last 24 invoices, newest first" },
    })
    .get("/:id", async ({ principal, params }) => invoiceView(await getInvoice(env, principal, params.id)), {
      response: { 200: InvoiceView, ...REFUSALS },
      detail: { operationId: "getInvoice", summary: "Get an invoice" },
    });
