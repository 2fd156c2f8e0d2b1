import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import { BILLING_TYPES } from "../../../contract/ports/processor.ts";
import { getCustomer, registerCustomer } from "../../../core/billing/invoices/customer.ts";
import { issueInvoice } from "../../../core/billing/invoices/issue.ts";
import { isoOrNull } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { Id, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { APP_REFUSALS, InstantOrNull, OptionalBody, REFUSALS } from "../schemas.ts";
import { InvoiceView, invoiceView } from "./invoices.ts";

/** The core checks the check digits of a CNPJ with letters; the processor checks numbers of digits alone. */
const CpfCnpj = Type.String({
  pattern: "^(\\d{11}|\\d{14}|[0-9A-Z]{12}\\d{2})$",
  description: "must be 11 or 14 digits, or a CNPJ with letters",
});
const Given = (max: number) => Type.Optional(Text(1, max));
const Customer = Type.Object(
  {
    cpfCnpj: Type.Optional(
      described(
        Nullable(CpfCnpj),
        "The payer's CPF or CNPJ: 11 or 14 digits, or a CNPJ with letters; null removes it",
        "12345678000195",
      ),
    ),
    name: described(Given(200), "Who pays, as invoices name them", "Padaria Estrela Ltda."),
    phone: described(Given(40), "The payer's telephone number", "5511988887777"),
    addressLine: described(Given(255), "The street of the payer", "Rua das Flores"),
    addressNumber: described(Given(40), "The house number of the payer", "100"),
    province: described(Given(100), "The district of the payer", "Centro"),
    postalCode: described(Given(20), "The payer's CEP", "01000-000"),
  },
  { title: "BillingCustomer" },
);
const CustomerView = Type.Object(
  {
    processorCustomerId: Nullable(
      Type.String({
        description: "The processor's id of the payer; null before the first charge",
        examples: ["cus_000005401844"],
      }),
    ),
    cpfCnpj: Nullable(
      Type.String({
        description: "The payer's CPF or CNPJ, masked as `***.456.789-**`; null without one",
        examples: ["12345678000195"],
      }),
    ),
    updatedAt: described(InstantOrNull, "When it was last saved; null before", "2026-11-22T12:00:00.000Z"),
  },
  { title: "KnownBillingCustomer" },
);
const IssueBody = OptionalBody({
  billingType: Type.Optional(
    OneOf(BILLING_TYPES, { description: "How it is paid; UNDEFINED by default: the payer chooses", examples: ["PIX"] }),
  ),
  dueInDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, description: "Days from today; 10 by default", examples: [10] }),
  ),
});

/** How to pay an issued invoice. */
const IssuedView = Type.Pick(
  InvoiceView,
  [
    "id",
    "status",
    "gatewayChargeId",
    "gatewayInvoiceUrl",
    "pixQrCode",
    "pixCopyPaste",
    "boletoUrl",
    "boletoBarcode",
    "dueDate",
  ],
  { title: "IssuedInvoice" },
);

export const payment = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/billing",
    tags: ["billing"],
    detail: inPath({ id: Id("The invoice, as `GET /v1/billing/invoices` lists it") }),
  })
    .use(auth)
    .get(
      "/customer",
      async ({ principal }) => {
        const known = await getCustomer(env, principal);
        return {
          processorCustomerId: known?.processorCustomerId ?? null,
          cpfCnpj: known?.cpfCnpj ?? null,
          updatedAt: isoOrNull(known?.updatedAt ?? null),
        };
      },
      {
        response: { 200: CustomerView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getBillingCustomer", isolation: "own" }),
          summary: "Get the payer",
          description: "Every field is null until a payer is named.",
        },
      },
    )
    .post(
      "/customer",
      async ({ principal, body, status }) => {
        // unknown fields are not sent to the processor
        const { cpfCnpj, ...given } = Value.Clean(Customer, { ...body }) as Static<typeof Customer>;
        if (cpfCnpj === undefined || cpfCnpj === null)
          throw new AppError("CPF_CNPJ_REQUIRED", { message: "The field cpfCnpj is missing." });
        return status(201, { processorCustomerId: await registerCustomer(env, principal, { cpfCnpj, ...given }) });
      },
      {
        body: OptionalBody(Customer.properties),
        response: {
          201: Type.Object({
            processorCustomerId: Type.String({
              description: "The processor's id of the payer",
              examples: ["cus_000005401844"],
            }),
          }),
          ...APP_REFUSALS,
        },
        detail: {
          ...route({ operationId: "saveBillingCustomer", acts: ["account.change"], isolation: "own" }),
          summary: "Set the payer",
          description:
            "A repeat changes the payer's data, which are needed before an invoice is charged. A CNPJ with " +
            "letters is refused when its check digits are wrong. The number is stored sealed.",
        },
      },
    )
    .post(
      "/invoices/:id/issue",
      async ({ principal, params, body }) =>
        invoiceView(env, await issueInvoice(env, principal, params.id, body ?? {})),
      {
        body: IssueBody,
        response: { 200: IssuedView, ...APP_REFUSALS },
        detail: {
          ...route({ operationId: "issueInvoice", acts: ["invoice.issue"], isolation: { id: "invoice" } }),
          summary: "Charge an invoice through the processor",
          description: "The answer has the ways to pay it. An invoice that has a charge is returned unchanged.",
        },
      },
    );
