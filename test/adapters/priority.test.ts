import { expect, test } from "bun:test";
import { lowerPriority } from "../../src/adapters/machine/priority.ts";

const failing = (message: string) => () => {
  throw new Error(message);
};

test("where the priority may not be lowered, as in the service's filter of system calls, the work is done all the same", () => {
  expect(() =>
    lowerPriority(failing("A system error occurred: uv_os_setpriority returned EPERM (operation not permitted)")),
  ).not.toThrow();
  expect(() => lowerPriority(failing("another"))).toThrow("another");
});
