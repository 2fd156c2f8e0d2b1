import type { Fields } from "../graph/shape.ts";

/** A received request, and the status of its answer: null if no answer went out. */
export type Asked = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
};

export type Customer = Fields & {
  object: "customer";
  id: string;
  name: string;
  cpfCnpj: string;
  externalReference: string | null;
  deleted: boolean;
};

export const STATUSES = [
  "PENDING",
  "AUTHORIZED",
  "AWAITING_RISK_ANALYSIS",
  "CONFIRMED",
  "RECEIVED",
  "OVERDUE",
  "RECEIVED_IN_CASH",
  "REFUND_REQUESTED",
  "REFUND_IN_PROGRESS",
  "REFUNDED",
  "CHARGEBACK_REQUESTED",
  "CHARGEBACK_DISPUTE",
  "AWAITING_CHARGEBACK_REVERSAL",
  "DUNNING_REQUESTED",
  "DUNNING_RECEIVED",
] as const;
export type Status = (typeof STATUSES)[number];

export type Payment = Fields & {
  object: "payment";
  id: string;
  customer: string;
  value: number;
  billingType: string;
  status: Status;
  dueDate: string;
  externalReference: string | null;
  deleted: boolean;
};

/** The processor's own world, with its own clock, which only a test moves. */
export type State = {
  nowMs: number;
  counter: number;
  customers: Map<string, Customer>;
  payments: Map<string, Payment>;
  asked: Asked[];
};

export const createState = (nowMs: number): State => ({
  nowMs,
  counter: 0,
  customers: new Map(),
  payments: new Map(),
  asked: [],
});

/** The processor's time and day, in its own zone. */
const CLOCK_FORMAT = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/Sao_Paulo",
  dateStyle: "short",
  timeStyle: "medium",
});
export const timeIn = ({ nowMs }: State): string => CLOCK_FORMAT.format(nowMs);
export const dayIn = (state: State): string => timeIn(state).slice(0, 10);

export const nextNumber = (state: State): number => ++state.counter;
/** An id in the processor's form: a prefix, and 16 or more random characters. */
export const newIdOf = (state: State, prefix: string): string =>
  `${prefix}_${Bun.hash(`${prefix}${nextNumber(state)}`)
    .toString(36)
    .padStart(16, "0")}`;

/** A refusal in the processor's words. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}
export const unknown = () => new Refusal(404, "not_found", "Recurso não encontrado.");
