import type { Http, HttpAnswer, HttpRequest } from "../../contract/ports/http.ts";
import type { Charge, PaymentLinks, Processor, ProcessorResult } from "../../contract/ports/processor.ts";
import { type Json, parsedJson, recordOf } from "../../kernel/texts/json.ts";
import { withoutTrailing } from "../../kernel/texts/texts.ts";
import { centsOf, readEvent, toCursor, toText, updateOfStatus } from "./processor-events.ts";

type Settings = { url: string; apiKey: string | undefined; version: string };
type Call = { method: HttpRequest["method"]; path: readonly string[]; query?: Record<string, string>; body?: Json };
type Failed = Extract<ProcessorResult<never>, { ok: false }>;

/** Enough for a QR code, which is a picture in base64. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Statuses that are not about the request itself: a refused key, a timeout, too many requests. */
const NOT_OF_THE_REQUEST = new Set([401, 408, 429]);

const unavailable = (reason: string): Failed => ({ ok: false, kind: "unavailable", reason });

type Ask = (call: Call) => Promise<ProcessorResult<Json>>;

/** The payment processor's API, version 3 (https://docs.asaas.com/reference). Undefined if no key is set. */
export const createProcessor = (
  { url, apiKey, version }: Settings,
  { trusted }: Pick<Http, "trusted">,
): Processor | undefined => {
  if (apiKey === undefined) return undefined;
  const base = withoutTrailing(url, "/");
  return processorBy(async ({ method, path, query = {}, body }) => {
    const asked = new URLSearchParams(query).toString();
    const answer = await trusted({
      method,
      url: [base, ...path.map(encodeURIComponent)].join("/") + (asked && `?${asked}`),
      headers: {
        access_token: apiKey,
        "user-agent": `Recado/${version}`,
        accept: "application/json",
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    return answer.ok ? resultOf(answer) : unavailable(answer.failure);
  });
};

const processorBy = (ask: Ask): Processor => ({
  name: "asaas",
  placeOf: toCursor,
  readEvent,
  findCharge: (named) => findCharge(ask, named),

  async saveCustomer({ reference, id, addressLine, ...customer }) {
    const body: Json = {
      ...customer,
      ...(addressLine === undefined ? {} : { address: addressLine }),
      externalReference: reference,
    };
    const found: ProcessorResult<Json[]> =
      id === null ? await listed(ask, "customers", reference) : { ok: true, value: [] };
    if (!found.ok) return found;
    const known = id ?? toText(found.value[0]?.["id"]);
    const changed = known === null ? undefined : await ask({ method: "PUT", path: ["customers", known], body });
    return idIn(changed && !isUnknown(changed) ? changed : await ask({ method: "POST", path: ["customers"], body }));
  },

  async createCharge({ customerId, valueCents, reference, ...charge }) {
    const found = await findCharge(ask, { reference, id: null });
    if (!found.ok) return found;
    if (found.value) return { ok: true, value: found.value };
    const body = { ...charge, customer: customerId, value: decimalOf(valueCents), externalReference: reference };
    return chargeIn(await ask({ method: "POST", path: ["payments"], body }));
  },

  async paymentLinks({ id, billingType }) {
    const [pix, boleto] = await Promise.all([
      hasPix(billingType) ? ask({ method: "GET", path: ["payments", id, "pixQrCode"] }) : NOTHING,
      hasBoleto(billingType) ? ask({ method: "GET", path: ["payments", id, "identificationField"] }) : NOTHING,
    ]);
    return linksIn(pix, boleto);
  },

  async cancelCharge(id) {
    const cancelled = await ask({ method: "DELETE", path: ["payments", id] });
    return cancelled.ok || isUnknown(cancelled) ? { ok: true, value: true } : cancelled;
  },
});

/** The entries with a reference of ours that were not deleted. */
const listed = async (ask: Ask, path: string, reference: string): Promise<ProcessorResult<Json[]>> => {
  const found = await ask({ method: "GET", path: [path], query: { externalReference: reference } });
  if (!found.ok) return found;
  const data = found.value["data"];
  if (!Array.isArray(data)) return unavailable("the list could not be read");
  return {
    ok: true,
    value: data.map(recordOf).filter((one) => one["externalReference"] === reference && one["deleted"] !== true),
  };
};

const findCharge = async (
  ask: Ask,
  { reference, id }: Parameters<Processor["findCharge"]>[0],
): Promise<ProcessorResult<Charge | undefined>> => {
  const found = await listed(ask, "payments", reference);
  if (!found.ok) return found;
  const charge = found.value.find((one) => one["id"] === id) ?? found.value[0];
  if (charge) return chargeIn({ ok: true, value: charge });
  if (id === null) return { ok: true, value: undefined };
  const named = await ask({ method: "GET", path: ["payments", id] });
  return isUnknown(named) ? { ok: true, value: undefined } : chargeIn(named);
};

/** Cents as a decimal number, by its digits: 12990 as 129.9. */
const decimalOf = (cents: number): number =>
  Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`);

const hasPix = (billingType: string): boolean => billingType === "PIX" || billingType === "UNDEFINED";
const hasBoleto = (billingType: string): boolean => billingType === "BOLETO" || billingType === "UNDEFINED";

const resultOf = ({ status, body }: HttpAnswer): ProcessorResult<Json> => {
  const json = jsonIn(body);
  if (status >= 200 && status < 300)
    return json ? { ok: true, value: json } : unavailable("the answer could not be read");
  if (status < 400 || status >= 500 || NOT_OF_THE_REQUEST.has(status)) return unavailable(`HTTP ${status}`);
  const errors = Array.isArray(json?.["errors"]) ? json["errors"].map(recordOf) : [];
  return {
    ok: false,
    kind: "refused",
    status,
    errors: errors.map(({ code, description }) => ({
      code: toText(code) ?? "",
      description: toText(description) ?? "",
    })),
  };
};

/** Undefined for text that is not a JSON object, such as an answer that was cut. */
const jsonIn = (bytes: Uint8Array): Json | undefined => {
  const value = parsedJson(new TextDecoder().decode(bytes));
  return typeof value === "object" && value !== null ? recordOf(value) : undefined;
};

const isUnknown = (result: ProcessorResult<unknown>): boolean =>
  !result.ok && result.kind === "refused" && result.status === 404;

const idIn = (result: ProcessorResult<Json>): ProcessorResult<{ id: string }> => {
  if (!result.ok) return result;
  const id = toText(result.value["id"]);
  return id === null ? unavailable("the answer has no id") : { ok: true, value: { id } };
};

const chargeIn = (result: ProcessorResult<Json>): ProcessorResult<Charge> => {
  if (!result.ok) return result;
  const { value } = result;
  const [id, dueDate, valueCents] = [
    toText(value["id"]),
    toText(value["dueDate"]),
    centsOf(value["originalValue"] ?? value["value"]),
  ];
  if (id === null || dueDate === null || valueCents === null) return unavailable("the charge could not be read");
  const status = value["deleted"] === true ? "DELETED" : (toText(value["status"]) ?? "");
  const billingType = toText(value["billingType"]) ?? "UNDEFINED";
  const boletoUrl = hasBoleto(billingType) ? toText(value["bankSlipUrl"]) : null;
  return {
    ok: true,
    value: {
      id,
      status,
      change: updateOfStatus(status),
      billingType,
      valueCents,
      dueDate,
      invoiceUrl: toText(value["invoiceUrl"]),
      boletoUrl,
    },
  };
};

/** The result for a link that does not apply or was refused: an account without a Pix key has no code to scan. */
const NOTHING: ProcessorResult<Json> = { ok: true, value: {} };
const ifAny = (result: ProcessorResult<Json>): ProcessorResult<Json> =>
  !result.ok && result.kind === "refused" ? NOTHING : result;

const linksIn = (pix: ProcessorResult<Json>, boleto: ProcessorResult<Json>): ProcessorResult<PaymentLinks> => {
  const [code, line] = [ifAny(pix), ifAny(boleto)];
  if (!code.ok) return code;
  if (!line.ok) return line;
  const { encodedImage, payload } = code.value;
  return {
    ok: true,
    value: {
      pixQrCode: toText(encodedImage),
      pixCopyPaste: toText(payload),
      boletoBarcode: toText(line.value["identificationField"]),
    },
  };
};
