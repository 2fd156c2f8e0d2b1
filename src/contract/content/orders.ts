import { type Static, Type } from "@sinclair/typebox";
import { type Issue, issue, OneOf, Text } from "../../kernel/schema.ts";

// Orders and payments inside a chat: https://developers.facebook.com/docs/whatsapp/cloud-api/payments-api/payments-br

const MAX_AMOUNT = 1_000_000_000_00;
/** An amount in hundredths of its currency: `{ value: 1250 }` is 12.50. */
const Amount = Type.Object(
  {
    value: Type.Integer({ minimum: 0, maximum: MAX_AMOUNT }),
    offset: Type.Optional(Type.Literal(100)),
  },
  { title: "Amount" },
);
const NamedAmount = Type.Composite([Amount, Type.Object({ description: Type.Optional(Text(1, 60)) })], {
  title: "NamedAmount",
});

const ReferenceId = Type.String({
  pattern: "^[A-Za-z0-9_.-]{1,35}$",
  description: "must be 1 to 35 letters, digits, dashes, dots and underscores",
});

const Payment = Type.Object(
  {
    type: OneOf(["pix_dynamic_code", "payment_link", "boleto", "offsite_card_pay"]),
    code: Type.Optional(Text(1, 2048)),
    merchantName: Type.Optional(Text(1, 60)),
    key: Type.Optional(Text(1, 140)),
    keyType: Type.Optional(OneOf(["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"])),
    url: Type.Optional(Type.String({ pattern: "^https://\\S{1,2040}$", description: "must be an https URL" })),
    digitableLine: Type.Optional(
      Type.String({ pattern: "^[0-9. ]{1,80}$", description: "must be the line of a boleto" }),
    ),
    lastFourDigits: Type.Optional(Type.String({ pattern: "^\\d{4}$", description: "must be 4 digits" })),
    credentialId: Type.Optional(Text(1, 255)),
  },
  { title: "OrderPayment" },
);
export type OrderPayment = Static<typeof Payment>;

const Item = Type.Object(
  {
    retailerId: Text(1, 100),
    name: Text(1, 60),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    amount: Amount,
    saleAmount: Type.Optional(Amount),
  },
  { title: "OrderItem" },
);

/** An order to be paid, in BRL. Each payment names what its type needs. */
export const OrderDetailsContent = Type.Object(
  {
    text: Text(1, 1024),
    footer: Type.Optional(Text(0, 60)),
    referenceId: ReferenceId,
    goods: OneOf(["digital-goods", "physical-goods"]),
    totalAmount: Amount,
    payments: Type.Array(Payment, { minItems: 1, maxItems: 3 }),
    items: Type.Array(Item, { minItems: 1, maxItems: 100 }),
    subtotal: Amount,
    tax: Type.Optional(NamedAmount),
    shipping: Type.Optional(NamedAmount),
    discount: Type.Optional(NamedAmount),
  },
  { title: "OrderDetailsContent" },
);

const ORDER_STATES = ["pending", "processing", "partially-shipped", "shipped", "completed", "canceled"] as const;

/** What became of an order that was sent before, by its reference. */
export const OrderStatusContent = Type.Object(
  {
    text: Text(1, 1024),
    footer: Type.Optional(Text(0, 60)),
    referenceId: ReferenceId,
    status: OneOf(ORDER_STATES),
    description: Type.Optional(Text(1, 120)),
    payment: Type.Optional(
      Type.Object({
        status: OneOf(["pending", "captured", "failed"]),
        timestamp: Type.Optional(Type.Integer({ minimum: 0, maximum: 99_999_999_999 })),
      }),
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
export const orderIssues = (order: Static<typeof OrderDetailsContent>): Issue[] => {
  const { payments, items, subtotal, tax, shipping, discount, totalAmount } = order;
  const missing = payments.flatMap((payment, at) =>
    NEEDED[payment.type]
      .filter((field) => payment[field] === undefined)
      .map((field) => issue(`content.payments.${at}.${field}`, "required", `is required for ${payment.type}`)),
  );
  const ofItems = items.reduce(
    (sum, { quantity, amount, saleAmount }) => sum + quantity * (saleAmount ?? amount).value,
    0,
  );
  const total = subtotal.value + (tax?.value ?? 0) + (shipping?.value ?? 0) - (discount?.value ?? 0);
  return [
    ...missing,
    ...(subtotal.value === ofItems
      ? []
      : [issue("content.subtotal", "forbidden", `must be ${ofItems}, the sum of the items`)]),
    ...(totalAmount.value === total
      ? []
      : [
          issue(
            "content.totalAmount",
            "forbidden",
            `must be ${total}: subtotal, tax and shipping without the discount`,
          ),
        ]),
  ];
};
