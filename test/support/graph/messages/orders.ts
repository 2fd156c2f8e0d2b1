import type { Loss } from "../seeds.ts";

/** The result for the client: an answer, or one of the ways to get none. */
export type ClientResult<Reply> =
  | ({ kind: "answer" | "half" | "stall" } & Reply)
  | { kind: "page"; status: number }
  | { kind: "hang" }
  | { kind: "reset" };

/** The failures that a test has ordered, and the failure for a request. */
export type Orders<Order extends { failure: unknown }, Subject> = {
  /** Orders a failure for the next `count` fitting requests after `spared` ones, or for all of them when it is lasting. */
  order(order: Order & { isLasting?: boolean }): void;
  /** Takes back every order. */
  clear(): void;
  /** The failure that stands between this request and its effect, used up once. */
  take(subject: Subject): Order["failure"] | undefined;
};

export const createOrders = <Order extends { failure: unknown; count?: number; spared?: number }, Subject>(
  isFor: (order: Order, subject: Subject) => boolean,
): Orders<Order, Subject> => {
  type PendingOrder = { order: Order; spared: number; left: number };
  let pendingOrders: PendingOrder[] = [];
  return {
    order(order) {
      const left = order.isLasting ? Number.POSITIVE_INFINITY : (order.count ?? 1);
      pendingOrders.push({ order, spared: order.spared ?? 0, left });
    },
    clear() {
      pendingOrders = [];
    },
    take(subject) {
      const found = pendingOrders.find(({ order }) => isFor(order, subject));
      if (!found) return undefined;
      if (found.spared > 0) {
        found.spared -= 1;
        return undefined;
      }
      found.left -= 1;
      if (found.left === 0) pendingOrders = pendingOrders.filter((one) => one !== found);
      return found.order.failure;
    },
  };
};

/** The ways to lose an answer. `noId`: the answer without its essential part. */
export const lose = <Reply extends object>(loss: Loss, reply: Reply, noId: Reply): ClientResult<Reply> => {
  switch (loss.kind) {
    case "hang":
    case "reset":
      return { kind: loss.kind };
    case "half":
    case "stall":
      return { kind: loss.kind, ...reply };
    case "http":
      return { kind: "page", status: loss.status };
    case "garbage":
      return { kind: "page", status: 200 };
    case "no-id":
      return { kind: "answer", ...noId };
  }
};
