import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getInvoice, INVOICE_STATUSES, type Invoice, lastInvoices } from "../../../core/billing/invoices.ts";
import { pixCodeOf } from "../../../core/billing/pix.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { Nullable, OneOf } from "../../../kernel/schema.ts";
import { qrPngBase64 } from "../../shared/qr.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Instant, InstantOrNull, REFUSALS } from "../schemas.ts";

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

type View = Static<typeof InvoiceView>;

/** A list has no pictures of codes without a processor: drawing takes milliseconds. */
export const listedInvoiceView = (env: GatewayEnv, invoice: Invoice): View => {
  const { tenantId, periodStart, periodEnd, isManual: _, paidAt, createdAt, updatedAt, ...same } = invoice;
  return {
    ...same,
    pixCopyPaste: pixCodeOf(env, invoice),
    accountId: tenantId,
    periodStart: iso(periodStart),
    periodEnd: iso(periodEnd),
    paidAt: isoOrNull(paidAt),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
};

export const invoiceView = async (env: GatewayEnv, invoice: Invoice): Promise<View> => {
  const view = listedInvoiceView(env, invoice);
  const isOwn = invoice.pixCopyPaste === null && view.pixCopyPaste !== null;
  return isOwn ? { ...view, pixQrCode: await qrPngBase64(view.pixCopyPaste ?? "") } : view;
};

export const invoices = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/billing/invoices", tags: ["billing"] })
    .use(auth)
    .get("/", async ({ principal }) => (await lastInvoices(env, principal)).map((one) => listedInvoiceView(env, one)), {
      response: { 200: Type.Array(InvoiceView), ...REFUSALS },
      detail: {
        operationId: "listInvoices",
        summary: "List the last 24 invoices, newest first",
        description: "Without a payment processor, `pixQrCode` is in the invoice itself alone.",
      },
    })
    .get("/:id", async ({ principal, params }) => invoiceView(env, await getInvoice(env, principal, params.id)), {
      response: { 200: InvoiceView, ...REFUSALS },
      detail: {
        operationId: "getInvoice",
        summary: "Get an invoice",
        description: "Without a payment processor, an unpaid invoice carries a Pix code to the operator's own key.",
      },
    });
