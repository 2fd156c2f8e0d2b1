import type { ChargeChange, ProcessorEvent } from "../../contract/ports/processor.ts";
import { dateAt } from "../../kernel/clock.ts";
import { recordOf } from "../../kernel/texts/json.ts";

export const toText = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** A decimal amount in whole cents, by its digits. Null for more than two decimals, and for any other value. */
export const centsOf = (value: unknown): number | null => {
  const [, whole, fraction = ""] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(value)) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
};

/**
 * TABLE: the changes of the processor's events; all other events change nothing.
 * https://docs.asaas.com/docs/webhook-para-cobrancas
 */
const UPDATES_OF_EVENTS: Readonly<Record<string, ChargeChange>> = {
  PAYMENT_CONFIRMED: "paid",
  PAYMENT_RECEIVED: "paid",
  PAYMENT_RECEIVED_IN_CASH: "paid",
  PAYMENT_DUNNING_RECEIVED: "paid",
  PAYMENT_OVERDUE: "overdue",
  PAYMENT_CREDIT_CARD_CAPTURE_REFUSED: "refused",
  PAYMENT_REPROVED_BY_RISK_ANALYSIS: "refused",
  PAYMENT_CHARGEBACK_REQUESTED: "charged-back",
  PAYMENT_REFUNDED: "refunded",
  PAYMENT_DELETED: "deleted",
  PAYMENT_RESTORED: "restored",
  PAYMENT_RECEIVED_IN_CASH_UNDONE: "undone",
};

/** TABLE: the meaning of a charge's status for its invoice; all other statuses mean nothing. */
const UPDATES_OF_STATUSES: Readonly<Record<string, ChargeChange>> = {
  CONFIRMED: "paid",
  RECEIVED: "paid",
  RECEIVED_IN_CASH: "paid",
  DUNNING_RECEIVED: "paid",
  OVERDUE: "overdue",
  DUNNING_REQUESTED: "overdue",
  CHARGEBACK_REQUESTED: "charged-back",
  CHARGEBACK_DISPUTE: "charged-back",
  AWAITING_CHARGEBACK_REVERSAL: "charged-back",
  DELETED: "deleted",
  REFUNDED: "refunded",
};

export const updateOfStatus = (status: string): ChargeChange | null =>
  Object.hasOwn(UPDATES_OF_STATUSES, status) ? (UPDATES_OF_STATUSES[status] ?? null) : null;

/** The times in the processor's events are in its own zone, to the second. */
const CLOCK_ZONE = "America/Sao_Paulo";
let clockFormat: Intl.DateTimeFormat | undefined; // made with the first event: the data of all zones takes 5 MB
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
/** The number at the end of an event's id orders the events of one second. */
const NUMBER = /&(\d{1,18})$/;
const LAST = "9".repeat(18);

const clockText = (atMs: number): string => {
  clockFormat ??= new Intl.DateTimeFormat("sv-SE", { timeZone: CLOCK_ZONE, dateStyle: "short", timeStyle: "medium" });
  return clockFormat.format(dateAt(atMs));
};

export const toCursor = (atMs: number): string => `${clockText(atMs)} ${LAST}`;

export const readEvent = (body: unknown, receivedAt: number): ProcessorEvent & { id: string | null } => {
  const fields = recordOf(body);
  const payment = recordOf(fields["payment"]);
  const id = toText(fields["id"]);
  const name = toText(fields["event"]) ?? "";
  const time = toText(fields["dateCreated"]);
  const isTimed = time !== null && TIME.test(time);
  const number = (NUMBER.exec(id ?? "")?.[1] ?? "").padStart(18, "0");
  return {
    id,
    name: name.replace(/^PAYMENT_/, ""),
    change: Object.hasOwn(UPDATES_OF_EVENTS, name) ? (UPDATES_OF_EVENTS[name] ?? null) : null,
    place: `${isTimed ? time : clockText(receivedAt)} ${number}`,
    chargeId: toText(payment["id"]),
    reference: toText(payment["externalReference"]),
    valueCents: centsOf(payment["originalValue"] ?? payment["value"]),
  };
};
