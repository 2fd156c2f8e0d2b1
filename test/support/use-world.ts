import { afterAll, beforeAll, beforeEach } from "bun:test";
import { type Customer, newCustomer } from "./customer.ts";
import { startWorld, type World } from "./world.ts";

/** Has an object stand for what a hook has made: tests have it by a constant name, and read of it what is there by then. */
export const fill = <T extends object>(object: T, made: T): T =>
  Object.defineProperties(object, Object.fromEntries(Object.keys(made).map((name) => [name, { configurable: true, enumerable: true, get: () => made[name as keyof T] }])));

/** A world for the tests of a file, without a limit of calls, and a customer, who is a new one for every test. */
export const useCustomer = (): { w: World; c: Customer } => {
  const w = {} as World;
  const c = {} as Customer;
  beforeAll(async () => void fill(w, await startWorld({ env: { RECADO_GATEWAY_RATE: "100000" } })));
  afterAll(() => w.stop());
  beforeEach(async () => void fill(c, await newCustomer(w)));
  return { w, c };
};
