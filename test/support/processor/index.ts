import { DAY_MS } from "../../../src/kernel/clock.ts";
import type { Fields } from "../graph/shape.ts";
import { createFaults, type Fault, type Operation } from "./faults.ts";
import { paidNow, paymentOf } from "./payments.ts";
import { serveProcessor } from "./server.ts";
import {
  type Asked,
  createState,
  dayIn,
  newIdOf,
  nextNumber,
  type Payment,
  type State,
  type Status,
  timeIn,
} from "./state.ts";

export type { Asked, Payment, Status } from "./state.ts";

/** An event in the form of a webhook. */
export type Event = {
  id: string;
  event: string;
  dateCreated: string;
  account: { id: string; ownerId: null };
  payment: Payment;
};
export type Webhook = { url: string; token: string; header?: string };

/** A simulated Asaas v3: the gateway's view of the real one, and the controls for tests. */
export type SimulatedProcessor = {
  readonly url: string;
  readonly apiKey: string;
  /** Every request in order of arrival, with refused ones. */
  readonly asked: readonly Asked[];
  readonly payments: ReadonlyMap<string, Payment>;
  readonly customers: ReadonlyMap<string, Fields>;
  /** Every event, sent or not, in the order of the causes. */
  readonly events: readonly Event[];
  /** The address of events; undefined keeps events back. */
  webhook: Webhook | undefined;
  /** The charge under a reference. Throws without one. */
  chargeOf(reference: string): Payment;
  /** A change of a charge: its status and its fields change, and an event reports it. */
  notify(paymentId: string, event: string, change?: { status?: Status } & Fields): Promise<Event>;
  /** Somebody pays by Pix: the money is there at once. */
  pay(paymentId: string): Promise<Event>;
  /** Posts an event to the webhook's address, once or as often as asked. Returns the status of the answer. */
  send(event: Event): Promise<number>;
  /** Lets days pass. A charge that is unpaid after its due day becomes OVERDUE. */
  advance(days: number): Promise<void>;
  /** Seconds go by, and nothing happens. */
  wait(seconds: number): void;
  /** The next `count` requests of a kind fail so; without a kind, any requests. */
  failNext(count: number, fault: Fault, operation?: Operation): void;
  clearFaults(): void;
  stop(): Promise<void>;
};

export const API_KEY = "$aact_hmlg_the-key-of-the-tests";

/** Starts the simulator on a free port of 127.0.0.1. */
export const startProcessor = ({
  nowMs = Date.parse("2026-11-20T12:00:00Z"),
}: {
  nowMs?: number;
} = {}): SimulatedProcessor => {
  const state = createState(nowMs);
  const faults = createFaults();
  const events: Event[] = [];
  const server = serveProcessor(state, {
    apiKey: API_KEY,
    faults,
    onChange: (payment, event) => happen(payment, event),
  });
  let webhook: Webhook | undefined;

  const send = async (event: Event): Promise<number> => {
    if (!webhook) throw new Error("no webhook is configured");
    const headers = { "content-type": "application/json", [webhook.header ?? "asaas-access-token"]: webhook.token };
    const answer = await fetch(webhook.url, { method: "POST", headers, body: JSON.stringify(event) });
    await answer.text();
    return answer.status;
  };
  const happen = async (payment: Payment, name: string): Promise<Event> => {
    const event = eventOf(state, name, payment);
    events.push(event);
    if (webhook) await send(event).catch(() => 0); // an absent endpoint does not get it
    return event;
  };
  const notify: SimulatedProcessor["notify"] = (paymentId, event, change = {}) =>
    happen(Object.assign(paymentOf(state, paymentId), change), event);

  return {
    url: `http://127.0.0.1:${server.port}/v3`,
    apiKey: API_KEY,
    asked: state.asked,
    payments: state.payments,
    customers: state.customers,
    events,
    get webhook() {
      return webhook;
    },
    set webhook(next) {
      webhook = next;
    },
    chargeOf(reference) {
      const [charge, ...others] = [...state.payments.values()].filter(
        (payment) => payment.externalReference === reference,
      );
      if (!charge || others.length > 0)
        throw new Error(`there are ${others.length + (charge ? 1 : 0)} charges of ${reference}`);
      return charge;
    },
    notify,
    pay: (paymentId) => notify(paymentId, "PAYMENT_RECEIVED", { status: "RECEIVED", ...paidNow(state) }),
    send,
    async advance(days) {
      for (let day = 0; day < days; day++) {
        state.nowMs += DAY_MS;
        const late = [...state.payments.values()].filter(
          ({ status, deleted, dueDate }) => status === "PENDING" && !deleted && dueDate < dayIn(state),
        );
        for (const { id } of late) await notify(id, "PAYMENT_OVERDUE", { status: "OVERDUE" });
      }
    },
    wait: (seconds) => void (state.nowMs += seconds * 1000),
    failNext: (count, fault, operation = "any") => faults.order({ count, failure: fault, operation }),
    clearFaults: faults.clear,
    stop: () => server.stop(true),
  };
};

/** The present payment, with an id that numbers the event in the account. */
const eventOf = (state: State, event: string, payment: Payment): Event => ({
  id: `${newIdOf(state, "evt")}&${368_604_920 + nextNumber(state)}`,
  event,
  dateCreated: timeIn(state),
  account: { id: "8e784c8e-1f02-4d68-9b5b-6a1a0e0f2b7a", ownerId: null },
  payment: structuredClone(payment),
});
