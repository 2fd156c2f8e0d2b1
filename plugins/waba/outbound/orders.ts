import type { OrderOfTemplate, OrderPayment } from "../../../src/contract/content/orders.ts";
import type { SendOrder } from "../../../src/contract/plugin.ts";
import type { Json } from "../../../src/kernel/texts/json.ts";

type OrderDetails = Extract<SendOrder, { type: "order_details" }>["content"];
type OrderStatus = Extract<SendOrder, { type: "order_status" }>["content"];

const OFFSET = 100;

type Amount = { value: number; description?: string };
const amountOf = ({ value, description }: Amount): Json => ({
  value,
  offset: OFFSET,
  ...(description === undefined ? {} : { description }),
});

/** The action of an order to be paid in Brazil. */
export const orderAction = (order: OrderDetails): Json => ({
  name: "review_and_pay",
  parameters: orderParameters(order),
});

/** The same order as a button of a template has it. */
export const orderParameters = (order: OrderOfTemplate): Json => ({
  reference_id: order.referenceId,
  type: order.goods,
  payment_type: "br",
  currency: "BRL",
  total_amount: amountOf(order.totalAmount),
  payment_settings: order.payments.map(paymentOf),
  order: {
    status: "pending",
    items: order.items.map(({ retailerId, name, quantity, amount, saleAmount }) => ({
      retailer_id: retailerId,
      name,
      quantity,
      amount: amountOf(amount),
      ...(saleAmount === undefined ? {} : { sale_amount: amountOf(saleAmount) }),
    })),
    subtotal: amountOf(order.subtotal),
    ...amounts(order),
  },
});

const amounts = ({ tax, shipping, discount }: OrderOfTemplate): Json =>
  Object.fromEntries(
    Object.entries({ tax, shipping, discount }).flatMap(([name, amount]) =>
      amount === undefined ? [] : [[name, amountOf(amount)]],
    ),
  );

/** The schema has checked that each type of payment has its fields. */
const paymentOf = ({ type, ...payment }: OrderPayment): Json => ({ type, [type]: PAYMENT[type](payment) });

const PAYMENT: Record<OrderPayment["type"], (payment: Omit<OrderPayment, "type">) => Json> = {
  pix_dynamic_code: ({ code, merchantName, key, keyType }) => ({
    code,
    merchant_name: merchantName,
    key,
    key_type: keyType,
  }),
  payment_link: ({ url }) => ({ uri: url }),
  boleto: ({ digitableLine }) => ({ digitable_line: digitableLine }),
  offsite_card_pay: ({ lastFourDigits, credentialId }) => ({
    last_four_digits: lastFourDigits,
    credential_id: credentialId,
  }),
};

/** The action of an order's new state. The network refuses a transition that it does not know (2046, 2047). */
export const orderStatusAction = ({ referenceId, status, description, payment }: OrderStatus): Json => ({
  name: "review_order",
  parameters: {
    reference_id: referenceId,
    order: { status, ...(description === undefined ? {} : { description }) },
    ...(payment ? { payment } : {}),
  },
});
