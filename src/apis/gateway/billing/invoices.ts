import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getInvoice, INVOICE_STATUSES, type Invoice, lastInvoices } from "../../../core/billing/invoices/invoices.ts";
import { pixCodeOf } from "../../../core/billing/invoices/pix.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { qrPngBase64 } from "../../shared/qr.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, REFUSALS } from "../schemas.ts";

const TextOrNull = Nullable(Type.String());

export const InvoiceView = Type.Object(
  {
    id: Id("The invoice's id"),
    accountId: Id("The account that pays", "account"),
    periodStart: described(Instant, "The beginning of the time that is billed", "2026-11-01T00:00:00.000Z"),
    periodEnd: described(Instant, "The end of the time that is billed, exclusive", "2026-12-01T00:00:00.000Z"),
    totalCents: Type.Integer({ description: "The sum in cents of BRL", examples: [12990] }),
    breakdown: described(
      Type.Object({
        messages: Type.Integer({ description: "The part for messages, in cents of BRL", examples: [6000] }),
        phoneMonths: Type.Integer({ description: "The part for phones, in cents of BRL", examples: [4000] }),
        wabaPassthrough: Type.Integer({ description: "The network's charges in cents", examples: [2990] }),
      }),
      "The parts of the sum, in cents of BRL",
    ),
    status: OneOf(INVOICE_STATUSES, { title: "InvoiceStatus", description: "Whether the invoice is paid" }),
    dueDate: Type.String({ format: "date", description: "The last day for paying", examples: ["2026-12-10"] }),
    paidAt: described(InstantOrNull, "When the payment arrived; null before", "2026-11-22T12:00:00.000Z"),
    paidCents: Nullable(
      Type.Integer({
        description:
          "The paid amount in cents of BRL, without interest; null before. It differs from `totalCents` if " +
          "the charge was changed at the processor",
        examples: [12990],
      }),
    ),
    gatewayProvider: described(TextOrNull, "The processor; null before a charge", "asaas"),
    gatewayChargeId: described(TextOrNull, "The processor's id of the charge; null before", "pay_080225913252"),
    gatewayInvoiceUrl: described(
      TextOrNull,
      "The processor's page; null before a charge",
      "https://processor.example/i/080225913252",
    ),
    pixQrCode: Nullable(
      Type.String({
        description: "The Pix QR code as a PNG in base64; null if the charge has none",
        examples: ["iVBORw0KGgo="],
      }),
    ),
    pixCopyPaste: described(
      TextOrNull,
      "The Pix code as text; null if the charge has none",
      "00020126580014br.gov.bcb.pix",
    ),
    boletoUrl: described(
      TextOrNull,
      "The page with the boleto; null if the charge has none",
      "https://processor.example/b/080225913252",
    ),
    boletoBarcode: described(
      TextOrNull,
      "The typeable line of the boleto; null if the charge has none",
      "23793381286000000000300000000409184340000005000",
    ),
    createdAt: CreatedAt("invoice"),
    updatedAt: described(Instant, "When the invoice last changed"),
  },
  { title: "Invoice" },
);

type View = Static<typeof InvoiceView>;

/** A list without a processor has no pictures of codes: drawing one takes milliseconds. */
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
  new Elysia({
    prefix: "/v1/billing/invoices",
    tags: ["billing"],
    detail: inPath({ id: Id("The invoice, as `GET /v1/billing/invoices` lists it") }),
  })
    .use(auth)
    .get("/", async ({ principal }) => (await lastInvoices(env, principal)).map((one) => listedInvoiceView(env, one)), {
      response: { 200: Type.Array(InvoiceView), ...REFUSALS },
      detail: {
        ...route({ operationId: "listInvoices", isolation: "own" }),
        summary: "List the last 24 invoices, newest first",
        description: "Without a payment processor, `pixQrCode` is in the invoice itself alone.",
      },
    })
    .get("/:id", async ({ principal, params }) => invoiceView(env, await getInvoice(env, principal, params.id)), {
      response: { 200: InvoiceView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getInvoice", isolation: { id: "invoice" } }),
        summary: "Get an invoice",
        description: "Without a payment processor, an unpaid invoice carries a Pix code to the operator's own key.",
      },
    });
