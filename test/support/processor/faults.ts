import { createOrders, type Orders } from "../graph/messages/orders.ts";

export type Operation = "customer.save" | "charge.create" | "charge.delete" | "read" | "any";

/**
 * `status`: an error of the processor. `lost`: the connection breaks; with `isDone` the request is executed
 * nevertheless. `hang`: the request is executed and gets no answer.
 */
export type Fault =
  | { kind: "status"; status: number }
  | { kind: "hang"; isDone: true }
  | { kind: "lost"; isDone: boolean }
  | { kind: "garbage"; isDone: boolean };

type Order = { operation: Operation; failure: Fault; count?: number };
export type Faults = Orders<Order, Operation>;

export const createFaults = (): Faults =>
  createOrders<Order, Operation>(({ operation }, asked) => operation === "any" || operation === asked);
