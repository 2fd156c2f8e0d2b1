import { expect, test } from "bun:test";
import { environmentExample } from "../../scripts/environment.ts";
import { readConfig } from "../../src/kernel/settings/config.ts";
import { SETTING_NAMES } from "../../src/kernel/settings/settings.ts";

const example = await Bun.file(new URL("../../systemd/recado.env.example", import.meta.url)).text();
const assignments = [...example.matchAll(/^#(RECADO_\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => ({
  name,
  value,
}));

test("systemd/recado.env.example is what bun scripts/environment.ts writes", () => {
  expect(example).toBe(environmentExample());
});

test("every setting stands in it once, but where the unit says it or a service has no use for it", () => {
  const missing = SETTING_NAMES.filter((name) => !assignments.some((one) => one.name === name));
  expect(missing).toEqual(["RECADO_DATA_DIR", "RECADO_TEST_CLOCK"]);
  expect(new Set(assignments.map(({ name }) => name)).size).toBe(assignments.length);
});

test("it sets nothing until a # is removed, and with all of them removed it still says what holds by default", () => {
  expect(example).not.toMatch(/^[^#\n]/m);
  const uncommented = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
  const unset = readConfig({ RECADO_DATA_DIR: "/var/lib/recado" });
  expect(unset.ok).toBe(true);
  expect(readConfig({ RECADO_DATA_DIR: "/var/lib/recado", ...uncommented })).toEqual(unset);
});
