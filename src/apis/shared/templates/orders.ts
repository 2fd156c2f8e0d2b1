import type { OrderOfTemplate } from "../../../contract/content/orders.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { type Json, listOf, recordOf } from "../../../kernel/texts/json.ts";
import { given, requiredList, requiredObject, requiredText, textIn } from "../loose-fields.ts";

/** TABLE: the fields of each way to pay, by their names in the core. */
const PAYMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pix_dynamic_code: { code: "code", merchantName: "merchant_name", key: "key", keyType: "key_type" },
  payment_link: { url: "uri" },
  boleto: { digitableLine: "digitable_line" },
  offsite_card_pay: { lastFourDigits: "last_four_digits", credentialId: "credential_id" },
};

/**
 * The order of a template's button: one to be paid in Brazil. The core checks its values.
 * @throws AppError VALIDATION for an order of another country
 */
export const orderIn = (details: Json, path: string): OrderOfTemplate => {
  const country = requiredText(details, "payment_type", `${path}.payment_type`);
  if (country !== "br") throw invalid(issue(`${path}.payment_type`, "enum", "must be br: others are not sent"));
  const order = requiredObject(details, "order", `${path}.order`);
  const read: Json = {
    referenceId: requiredText(details, "reference_id", `${path}.reference_id`),
    goods: requiredText(details, "type", `${path}.type`),
    totalAmount: details["total_amount"],
    payments: requiredList(details, "payment_settings", `${path}.payment_settings`).map(recordOf).map(paymentIn),
    items: listOf(order["items"]).map(recordOf).map(itemIn),
    subtotal: order["subtotal"],
    ...given({ tax: order["tax"], shipping: order["shipping"], discount: order["discount"] }),
  };
  return read as OrderOfTemplate; // the core checks it
};

const paymentIn = (setting: Json): Json => {
  const type = textIn(setting, "type") ?? "";
  const values = recordOf(setting[type]);
  const names = Object.hasOwn(PAYMENTS, type) ? (PAYMENTS[type] ?? {}) : {};
  return { type, ...given(Object.fromEntries(Object.entries(names).map(([name, own]) => [name, values[own]]))) };
};

const itemIn = (item: Json): Json =>
  given({
    retailerId: item["retailer_id"],
    name: item["name"],
    quantity: item["quantity"],
    amount: item["amount"],
    saleAmount: item["sale_amount"],
  });
