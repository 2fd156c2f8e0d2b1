import { afterAll, beforeAll, beforeEach } from "bun:test";
import { type Customer, newCustomer } from "./customers/customer.ts";
import { startWorld, type World, type WorldOptions } from "./world.ts";

/** A proxy for the object that a hook makes. Tests keep it in a constant and read the object's current fields. */
export const fill = <T extends object>(object: T, made: T): T =>
  Object.defineProperties(
    object,
    Object.fromEntries(
      Object.keys(made).map((name) => [
        name,
        { configurable: true, enumerable: true, get: () => made[name as keyof T] },
      ]),
    ),
  );

/** Releases the object. A worker keeps the modules of all its files, and with them all objects of their constants. */
export const empty = (object: object): void => {
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
};

/**
 * A world for the tests of a file. It starts before the first test, and before the hooks that are registered after this
 * call.
 */
export const useWorld = (options: WorldOptions = {}): World => {
  const w = {} as World;
  beforeAll(async () => void fill(w, await startWorld(options)));
  afterAll(async () => {
    if ("stop" in w) await w.stop();
    empty(w);
  });
  return w;
};

/** Made anew before each test. */
export const useEach = <Made extends object>(make: () => Promise<Made>): Made => {
  const one = {} as Made;
  beforeEach(async () => void fill(one, await make()));
  afterAll(() => empty(one));
  return one;
};

/** A world for the tests of a file, without a limit of calls, and a new customer for every test. */
export const useCustomer = (): { w: World; c: Customer } => {
  const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
  return { w, c: useEach(() => newCustomer(w)) };
};
