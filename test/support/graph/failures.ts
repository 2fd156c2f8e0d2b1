import type { Effect, Reply } from "./call.ts";
import { GraphError } from "./errors.ts";
import type { Failure, FailureOrder } from "./seeds.ts";

/**
 * What goes back to the client: an answer, or one of the ways to leave it without. `after` is what the network does
 * with what it took, whether or not the client ever hears of it.
 */
export type Outcome = Way & { after?: () => void };
type Way = ({ kind: "answer" | "half" | "stall" } & Omit<Reply, "after">) | { kind: "page"; status: number } | { kind: "hang" } | { kind: "reset" };

export type Failures = {
  /** Orders a failure for the next `count` fitting requests, or for all of them without a count. */
  order(order: FailureOrder & { isLasting?: boolean }): void;
  /** Takes back every order. */
  clear(): void;
  /** The failure that stands between this request and its effect, used up once. */
  take(effect: Effect): Failure | undefined;
};

type Standing = { order: FailureOrder; left: number };

const isFor = ({ order }: Standing, { operation, recipient, phoneNumberId }: Effect): boolean => {
  const wanted = order.operation ?? "message.send";
  if (wanted !== "any" && wanted !== operation) return false;
  if (order.phoneNumberId !== undefined && order.phoneNumberId !== phoneNumberId) return false;
  return order.to === undefined || order.to === recipient?.userId || order.to.replace(/\D/g, "") === recipient?.waId;
};

export const createFailures = (): Failures => {
  let standing: Standing[] = [];
  return {
    order({ isLasting = false, ...order }) {
      standing.push({ order, left: isLasting ? Number.POSITIVE_INFINITY : (order.count ?? 1) });
    },
    clear() {
      standing = [];
    },
    take(effect) {
      const found = standing.find((one) => isFor(one, effect));
      if (!found) return undefined;
      found.left -= 1;
      if (found.left === 0) standing = standing.filter((one) => one !== found);
      return found.order.failure;
    },
  };
};

/** Lets the effect happen, or not, and says what the client gets of it. Throws the Graph error that was ordered. `isRead`: it changes nothing. */
export const perform = async (effect: Effect, failure: Failure | undefined, isRead: boolean): Promise<Outcome> => {
  if (!failure) return { kind: "answer", ...(await effect.run()) };
  if (failure.kind === "error") throw new GraphError(failure.code, failure);
  if (failure.kind === "failed-status") return { kind: "answer", ...(await effect.run(failure)) };
  const { after, ...reply } = failure.isAccepted || isRead ? await effect.run() : NOT_TAKEN;
  return { ...wayOf(failure, reply), ...(after ? { after } : {}) };
};

/** What half an answer is half of, when nothing was taken. */
const NOT_TAKEN: Reply = { status: 200, body: { messaging_product: "whatsapp", contacts: [], messages: [{ id: "" }] } };

const wayOf = (failure: Exclude<Failure, { kind: "error" | "failed-status" }>, reply: Omit<Reply, "after">): Way => {
  switch (failure.kind) {
    case "hang":
    case "reset":
      return { kind: failure.kind };
    case "half":
    case "stall":
      return { kind: failure.kind, ...reply };
    case "http":
      return { kind: "page", status: failure.status };
    case "garbage":
      return { kind: "page", status: 200 };
    case "no-id":
      return { kind: "answer", status: 200, body: { messaging_product: "whatsapp", contacts: [] } };
  }
};
