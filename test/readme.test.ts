import { expect, test } from "bun:test";
import { settingsTable } from "../src/kernel/settings.ts";

const readme = await Bun.file(new URL("../README.md", import.meta.url)).text();

test("the README's table of settings is the one the program reads", () => {
  const table = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1];
  expect(table?.trim()).toBe(settingsTable().trim());
});

test("the README names every command", () => {
  for (const name of ["serve", "demo", "migrate", "account create", "config", "openapi", "version"]) expect(readme).toContain(`recado ${name}`);
});
