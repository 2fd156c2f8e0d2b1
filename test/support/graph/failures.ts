import type { Effect, Reply } from "./call.ts";
import { GraphError } from "./errors.ts";
import { type ClientResult, createOrders, lose, type Orders } from "./messages/orders.ts";
import type { Failure, FailureOrder } from "./seeds.ts";

/**
 * The answer to the client. `after`: the network's work on the request afterwards, also if the client gets no answer.
 */
export type Outcome = ClientResult<Omit<Reply, "after">> & { after?: () => void };

export type Failures = Orders<FailureOrder, Effect>;

const isFor = (order: FailureOrder, { operation, recipient, phoneNumberId }: Effect): boolean => {
  const wanted = order.operation ?? "message.send";
  if (wanted !== "any" && wanted !== operation) return false;
  if (order.phoneNumberId !== undefined && order.phoneNumberId !== phoneNumberId) return false;
  return order.to === undefined || order.to === recipient?.userId || order.to.replace(/\D/g, "") === recipient?.waId;
};

export const createFailures = (): Failures => createOrders(isFor);

/**
 * Runs the effect or not, and returns the client's answer. @throws the Graph error that was ordered. `isRead`: the
 * effect changes nothing.
 */
export const perform = async (effect: Effect, failure: Failure | undefined, isRead: boolean): Promise<Outcome> => {
  if (!failure) return { kind: "answer", ...(await effect.run()) };
  if (failure.kind === "error") throw new GraphError(failure.code, failure);
  if (failure.kind === "failed-status") return { kind: "answer", ...(await effect.run(failure)) };
  const { after, ...reply } = failure.isAccepted || isRead ? await effect.run() : NOT_TAKEN;
  return { ...lose(failure, reply, NO_ID), ...(after ? { after } : {}) };
};

/** The whole answer of which half is sent, if the request was not accepted. */
const NOT_TAKEN: Reply = { status: 200, body: { messaging_product: "whatsapp", contacts: [], messages: [{ id: "" }] } };
const NO_ID = { status: 200, body: { messaging_product: "whatsapp", contacts: [] } };
