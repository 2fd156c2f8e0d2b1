/**
 * How a request fails.
 * - `refuse`: it is answered so, and nothing happened.
 * - `cut`: the connection ends without an answer; `isTaken`: after the request was carried out.
 * - `garble`: it is carried out, and the answer is no JSON.
 */
export type Failure =
  | { kind: "refuse"; status: number; description: string; parameters?: Readonly<Record<string, number>> }
  | { kind: "cut"; isTaken: boolean }
  | { kind: "garble"; status?: number };

type Order = { failure: Failure; method: RegExp; count: number; skip: number };

export type Failures = {
  order(method: RegExp, failure: Failure, count: number, skip: number): void;
  take(method: string): Failure | undefined;
  clear(): void;
};

/** The failures that tests have ordered. The oldest fitting order is taken first. */
export const createFailures = (): Failures => {
  const orders: Order[] = [];
  return {
    order: (method, failure, count, skip) => void orders.push({ method, failure, count, skip }),
    take(method) {
      const order = orders.find((one) => one.count > 0 && one.method.test(method));
      if (!order) return undefined;
      if (order.skip > 0) {
        order.skip -= 1;
        return undefined;
      }
      order.count -= 1;
      return order.failure;
    },
    clear: () => void (orders.length = 0),
  };
};
