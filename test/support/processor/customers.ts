import type { Fields } from "../graph/shape.ts";
import { type Customer, dayIn, newIdOf, Refusal, type State, unknown } from "./state.ts";

const FIELDS = [
  "name",
  "cpfCnpj",
  "email",
  "phone",
  "mobilePhone",
  "address",
  "addressNumber",
  "complement",
  "province",
  "postalCode",
  "externalReference",
];

/** The check digits of a CPF or a CNPJ. The letters of a newer CNPJ count by their place after the digits in ASCII. */
const isDocument = (digits: string): boolean => {
  if (/^(\d)\1*$/.test(digits)) return false;
  const check = (length: number, highest: number): number => {
    let weight = length === 12 || length === 13 ? length - 7 : length + 1;
    let sum = 0;
    for (const digit of digits.slice(0, length)) {
      sum += (digit.charCodeAt(0) - 48) * weight;
      weight = weight === 2 ? highest : weight - 1;
    }
    const rest = sum % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const highest = digits.length === 14 ? 9 : 11;
  const lengths = digits.length === 14 ? [12, 13] : [9, 10];
  return (
    /^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(digits) &&
    lengths.every((length) => check(length, highest) === Number(digits[length]))
  );
};

const checked = (body: Fields): Fields => {
  if (typeof body["name"] !== "string" || body["name"] === "")
    throw new Refusal(400, "invalid_name", "O campo name deve ser informado.");
  if (typeof body["cpfCnpj"] !== "string")
    throw new Refusal(400, "invalid_cpfCnpj", "O campo cpfCnpj deve ser informado.");
  if (!isDocument(body["cpfCnpj"])) throw new Refusal(400, "invalid_object", "O CPF/CNPJ informado é inválido.");
  return Object.fromEntries(FIELDS.map((field) => [field, body[field] ?? null]));
};

export const createCustomer = (state: State, body: Fields): Customer => {
  const fields = checked(body);
  const personType = String(fields["cpfCnpj"]).length === 14 ? "JURIDICA" : "FISICA";
  const customer = {
    object: "customer",
    id: newIdOf(state, "cus"),
    dateCreated: dayIn(state),
    ...fields,
    personType,
    deleted: false,
  } as unknown as Customer;
  state.customers.set(customer.id, customer);
  return customer;
};

export const changeCustomer = (state: State, id: string, body: Fields): Customer => {
  const customer = state.customers.get(id);
  if (!customer || customer.deleted) throw unknown();
  return Object.assign(customer, checked({ ...customer, ...body }));
};
