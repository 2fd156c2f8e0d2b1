import { createOrders, type Orders } from "../graph/orders.ts";

export type Operation = "customer.save" | "charge.create" | "charge.delete" | "read" | "any";

/**
 * `status`: an error of the processor. `lost`: the connection breaks off; what was asked is done all the same where
 * `isDone`. `hang`: it is done, and never answered.
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
