import { expect, test } from "bun:test";
import { retentionTable } from "../src/core/retention.ts";
import { limitsTable } from "../src/kernel/collections.ts";
import { settingsTable } from "../src/kernel/settings.ts";

const readme = await Bun.file(new URL("../README.md", import.meta.url)).text();

test("the README's table of settings is the one the program reads", () => {
  const table = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1];
  expect(table?.trim()).toBe(settingsTable().trim());
});

test("the README's table of what is kept is the one that the program prunes by", () => {
  const table = /<!-- retention -->\n([\s\S]*?)<!-- \/retention -->/.exec(readme)?.[1];
  expect(table?.trim()).toBe(retentionTable().trim());
});

test("the README's table of limits is the one that holds", () => {
  const table = /<!-- limits -->\n([\s\S]*?)<!-- \/limits -->/.exec(readme)?.[1];
  expect(table?.trim()).toBe(limitsTable().trim());
});

test("the README names every command", () => {
  for (const name of ["serve", "demo", "migrate", "account create", "admin token", "person export", "person erase", "backup", "restore", "doctor", "config", "openapi", "version"])
    expect(readme).toContain(`recado ${name}`);
});

test("the packages that the README names for the system tests are those that .ci/run installs", async () => {
  const ci = await Bun.file(new URL("../.ci/run", import.meta.url)).text();
  const named = /apt-get install --no-install-recommends (.+)$/m.exec(readme)?.[1]?.split(" ");
  expect(named?.length).toBeGreaterThan(0);
  expect(/^packages=\((.+)\)$/m.exec(ci)?.[1]?.split(" ")).toEqual(named ?? []);
});
