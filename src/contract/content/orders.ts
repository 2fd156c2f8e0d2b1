import { type Static, Type } from "@sinclair/typebox";
import { described, type Issue, issue, OneOf, Text } from "../../kernel/schema.ts";

// Orders and payments inside a chat: https://developers.facebook.com/docs/whatsapp/cloud-api/payments-api/payments-br

const MAX_AMOUNT = 1_000_000_000_00;
/** An amount in hundredths of its currency: `{ value: 1250 }` is 12.50. */
const Amount = Type.Object(
  {
    value: Type.Integer({
      minimum: 0,
      maximum: MAX_AMOUNT,
      description: "The sum in hundredths of BRL",
      examples: [2500],
    }),
    offset: Type.Optional(described(Type.Literal(100), "Always 100: `value` is in hundredths")),
  },
  { title: "Amount" },
);
const NamedAmount = Type.Composite(
  [
    Amount,
    Type.Object({
      description: Type.Optional(
        described(Text(1, 60), "The purpose of the amount; at most 60 characters", "Pães e bolos todos os dias"),
      ),
    }),
  ],
  {
    title: "NamedAmount",
  },
);

const REFERENCE = /^[A-Za-z0-9_.-]{1,35}$/;
const REFERENCE_FORM = "must be 1 to 35 letters, digits, dashes, dots and underscores";
const ReferenceId = Type.String({
  pattern: REFERENCE.source,
  description: REFERENCE_FORM,
  examples: ["pedido-1042"],
});

const Payment = Type.Object(
  {
    type: OneOf(["pix_dynamic_code", "payment_link", "boleto", "offsite_card_pay"], {
      description: "Each needs fields of its own",
    }),
    code: Type.Optional(
      described(Text(1, 2048), "The Pix code; only for pix_dynamic_code", "00020126580014br.gov.bcb.pix"),
    ),
    merchantName: Type.Optional(
      described(Text(1, 60), "The receiver of the money; only for pix_dynamic_code", "Padaria Estrela"),
    ),
    key: Type.Optional(described(Text(1, 140), "The Pix key; only for pix_dynamic_code", "12345678000195")),
    keyType: Type.Optional(
      OneOf(["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"], { description: "The kind of Pix key", examples: ["CNPJ"] }),
    ),
    url: Type.Optional(
      described(
        Type.String({
          pattern: "^https://\\S{1,2040}$",
          description: "must be an https URL",
          examples: ["https://padaria-estrela.example/eventos"],
        }),
        "The page where the order is paid: an https URL; only for payment_link",
      ),
    ),
    digitableLine: Type.Optional(
      described(
        Type.String({
          pattern: "^[0-9. ]{1,80}$",
          description: "must be the line of a boleto",
          examples: ["23793.38128 60000.000003 00000.000409 1 84340000005000"],
        }),
        "The typeable line of a boleto; only for boleto",
      ),
    ),
    lastFourDigits: Type.Optional(
      described(
        Type.String({ pattern: "^\\d{4}$", description: "must be 4 digits", examples: ["4242"] }),
        "The end of the card's number: 4 digits; only for offsite_card_pay",
      ),
    ),
    credentialId: Type.Optional(
      described(Text(1, 255), "The id of the stored card; only for offsite_card_pay", "card_1042"),
    ),
  },
  { title: "OrderPayment" },
);
export type OrderPayment = Static<typeof Payment>;

const Item = Type.Object(
  {
    retailerId: described(Text(1, 100), "The item's own number at the seller", "bolo-cenoura"),
    name: described(Text(1, 60), "The name of the item; 1 to 60 characters", "Bolo de cenoura"),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "How many pieces", examples: [2] }),
    amount: described(Amount, "The price of one piece"),
    saleAmount: Type.Optional(described(Amount, "The reduced price of one piece")),
  },
  { title: "OrderItem" },
);

/** An order to be paid, in BRL. Each payment names what its type needs. */
export const OrderDetailsContent = Type.Object(
  {
    text: described(Text(1, 1024), "The text above the order", "Olá, Maria! Seu bolo está pronto."),
    footer: Type.Optional(described(Text(0, 60), "A line of small print", "Padaria Estrela")),
    referenceId: described(ReferenceId, "The order's own id: 1 to 35 letters, digits, dashes, dots and underscores"),
    goods: OneOf(["digital-goods", "physical-goods"], {
      description: "The kind of goods that are sold",
      examples: ["physical-goods"],
    }),
    totalAmount: described(Amount, "The total to be paid"),
    payments: Type.Array(Payment, {
      minItems: 1,
      maxItems: 3,
      description: "How the order can be paid; each way needs the fields of its `type`",
    }),
    items: Type.Array(Item, { minItems: 1, maxItems: 100, description: "The ordered products" }),
    subtotal: described(Amount, "The price of all items"),
    tax: Type.Optional(described(NamedAmount, "The taxes of the order")),
    shipping: Type.Optional(described(NamedAmount, "The price of the delivery")),
    discount: Type.Optional(described(NamedAmount, "The discount on the price")),
  },
  { title: "OrderDetailsContent" },
);

/** The order of a template's button. Its reference is a text, which a batch can fill for each recipient. */
export const TemplateOrder = Type.Composite(
  [
    Type.Omit(OrderDetailsContent, ["text", "footer", "referenceId"]),
    Type.Object({
      referenceId: described(
        Text(1, 1000),
        "The order's own id: 1 to 35 letters, digits, dashes, dots and underscores",
        "pedido-1042",
      ),
    }),
  ],
  { title: "TemplateOrder" },
);
export type OrderOfTemplate = Static<typeof TemplateOrder>;

const ORDER_STATES = ["pending", "processing", "partially-shipped", "shipped", "completed", "canceled"] as const;

/** The new status of an order that was sent earlier, named by its reference. */
export const OrderStatusContent = Type.Object(
  {
    text: described(Text(1, 1024), "The text with the status", "Olá, Maria! Seu bolo está pronto."),
    footer: Type.Optional(described(Text(0, 60), "A line of small print", "Padaria Estrela")),
    referenceId: described(
      ReferenceId,
      "The `referenceId` of the order: 1 to 35 letters, digits, dashes, dots and underscores",
    ),
    status: OneOf(ORDER_STATES, { description: "The status of the order", examples: ["shipped"] }),
    description: Type.Optional(described(Text(1, 120), "The new status of the order", "Saiu para entrega")),
    payment: Type.Optional(
      described(
        Type.Object({
          status: OneOf(["pending", "captured", "failed"], {
            description: "The status of the payment",
            examples: ["captured"],
          }),
          timestamp: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 99_999_999_999,
              description: "When the payment was made, in seconds since 1970",
              examples: [1795348800],
            }),
          ),
        }),
        "The details of the payment",
      ),
    ),
  },
  { title: "OrderStatusContent" },
);

/** The fields that each type of payment needs. */
const NEEDED: Record<OrderPayment["type"], readonly (keyof OrderPayment)[]> = {
  pix_dynamic_code: ["code", "merchantName", "key", "keyType"],
  payment_link: ["url"],
  boleto: ["digitableLine"],
  offsite_card_pay: ["lastFourDigits", "credentialId"],
};

/** The network refuses an order whose sums do not fit. */
export const orderIssues = (order: OrderOfTemplate, path = "content"): Issue[] => {
  const { referenceId, payments, items, subtotal, tax, shipping, discount, totalAmount } = order;
  const missing = payments.flatMap((payment, at) =>
    NEEDED[payment.type]
      .filter((field) => payment[field] === undefined)
      .map((field) => issue(`${path}.payments.${at}.${field}`, "required", `is required for ${payment.type}`)),
  );
  const ofItems = items.reduce(
    (sum, { quantity, amount, saleAmount }) => sum + quantity * (saleAmount ?? amount).value,
    0,
  );
  const total = subtotal.value + (tax?.value ?? 0) + (shipping?.value ?? 0) - (discount?.value ?? 0);
  return [
    ...(REFERENCE.test(referenceId) ? [] : [issue(`${path}.referenceId`, "pattern", REFERENCE_FORM)]),
    ...missing,
    ...(subtotal.value === ofItems
      ? []
      : [issue(`${path}.subtotal`, "forbidden", `must be ${ofItems}, the sum of the items`)]),
    ...(totalAmount.value === total
      ? []
      : [
          issue(
            `${path}.totalAmount`,
            "forbidden",
            `must be ${total}: subtotal, tax and shipping without the discount`,
          ),
        ]),
  ];
};
