import { toDataURL } from "qrcode";
import type { Fields } from "../graph/shape.ts";
import { dayIn, newIdOf, nextNumber, type Payment, Refusal, type State, timeIn, unknown } from "./state.ts";

const BILLING_TYPES = ["UNDEFINED", "BOLETO", "CREDIT_CARD", "PIX"];

/** An amount in BRL with two decimals, not in cents. */
const valueIn = (body: Fields): number => {
  const { value } = body;
  if (typeof value !== "number" || !(value > 0) || !/^\d+(\.\d{1,2})?$/.test(String(value)))
    throw new Refusal(400, "invalid_value", "O campo value é inválido.");
  return value;
};

export const createPayment = (state: State, body: Fields): Payment => {
  const {
    customer,
    billingType,
    dueDate,
    description = null,
    externalReference = null,
  } = body as Record<string, string | null>;
  const value = valueIn(body);
  if (!state.customers.has(String(customer)))
    throw new Refusal(400, "invalid_customer", "Customer inválido ou não informado.");
  if (!BILLING_TYPES.includes(String(billingType)))
    throw new Refusal(400, "invalid_billingType", "O campo billingType é inválido.");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(String(dueDate)))
    throw new Refusal(400, "invalid_dueDate", "O campo dueDate deve ser informado.");
  if (String(dueDate) < dayIn(state))
    throw new Refusal(400, "invalid_dueDate", "Não é permitido data de vencimento inferior a hoje.");
  const id = newIdOf(state, "pay");
  const hasBoleto = billingType === "BOLETO" || billingType === "UNDEFINED";
  const payment = {
    object: "payment",
    id,
    dateCreated: dayIn(state),
    customer,
    value,
    netValue: value,
    originalValue: null,
    interestValue: null,
    description,
    billingType,
    status: "PENDING",
    dueDate,
    originalDueDate: dueDate,
    paymentDate: null,
    clientPaymentDate: null,
    invoiceUrl: `https://www.asaas.com/i/${id.slice(4)}`,
    invoiceNumber: String(nextNumber(state)).padStart(8, "0"),
    bankSlipUrl: hasBoleto ? `https://www.asaas.com/b/pdf/${id.slice(4)}` : null,
    externalReference,
    deleted: false,
  } as unknown as Payment;
  state.payments.set(id, payment);
  return payment;
};

export const paymentOf = (state: State, id: string): Payment => {
  const payment = state.payments.get(id);
  if (!payment) throw unknown();
  return payment;
};

/** A picture that a phone can read, and the text that is in it. */
export const pixQrCode = async (state: State, id: string): Promise<Fields> => {
  const { billingType, dueDate, value } = paymentOf(state, id);
  if (billingType === "CREDIT_CARD")
    throw new Refusal(400, "invalid_billingType", "A cobrança não permite pagamento via Pix.");
  const payload = `00020101021226800014br.gov.bcb.pix2558pix.asaas.com/qr/${id}520400005303986540${value}5802BR6304ABCD`;
  const image = await toDataURL(payload);
  return {
    encodedImage: image.slice(image.indexOf(",") + 1),
    payload,
    expirationDate: `${Number(dueDate.slice(0, 4)) + 1}${dueDate.slice(4)} 23:59:59`,
    description: null,
  };
};

export const identificationField = (state: State, id: string): Fields => {
  const { billingType, value } = paymentOf(state, id);
  if (billingType !== "BOLETO" && billingType !== "UNDEFINED")
    throw new Refusal(400, "invalid_action", "Somente é possível obter linha digitável de boletos.");
  const digits = String(BigInt(Bun.hash(id))).padStart(24, "0");
  const amount = String(Math.round(value * 100)).padStart(10, "0");
  return {
    identificationField: `${digits.slice(0, 24)}${"0".repeat(13)}${amount}`,
    nossoNumero: digits.slice(0, 9),
    barCode: `${digits}${amount}${"0".repeat(10)}`,
  };
};

/** Paid charges stay. */
export const deletePayment = (state: State, id: string): Payment => {
  const payment = paymentOf(state, id);
  if (payment.deleted) throw unknown();
  if (payment.status !== "PENDING" && payment.status !== "OVERDUE")
    throw new Refusal(400, "invalid_action", "Só é possível remover cobranças pendentes ou vencidas.");
  return Object.assign(payment, { deleted: true });
};

/** The processor's list, without deleted charges. */
export const listOf = <Item extends { deleted: boolean }>(
  items: Iterable<Item>,
  isWanted: (item: Item) => boolean,
): Fields => {
  const data = [...items].filter((item) => !item.deleted && isWanted(item));
  return { object: "list", hasMore: false, totalCount: data.length, limit: 10, offset: 0, data };
};

/** Notes when it was paid. */
export const paidNow = (state: State): Fields => ({
  paymentDate: timeIn(state).slice(0, 10),
  clientPaymentDate: timeIn(state).slice(0, 10),
});
