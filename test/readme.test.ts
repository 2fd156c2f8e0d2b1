import { expect, test } from "bun:test";
import { fencesOf, pageText } from "./support/laws/pages.ts";

const readme = pageText("README.md");

test("the README is short, and begins with what shows and what tests Recado on a bare checkout", () => {
  expect(Buffer.byteLength(readme)).toBeLessThan(10_240);
  const [demo, tests] = fencesOf(readme).filter(({ language }) => language === "sh");
  expect([demo?.text.trim(), tests?.text.trim()]).toEqual(["npm run demo", "npm test"]);
});

test("the pages name every command", () => {
  const operate = pageText("docs/operate.md");
  for (const name of [
    "serve",
    "demo",
    "migrate",
    "account create",
    "admin token",
    "user create",
    "user reset",
    "key rotate",
    "person export",
    "person erase",
    "backup",
    "restore",
    "doctor",
    "health",
    "config",
    "openapi",
    "version",
  ])
    expect(operate).toContain(`recado ${name}`);
});

test("the packages that the README names for the system tests are those that .ci/run installs", async () => {
  const ci = await Bun.file(new URL("../.ci/run", import.meta.url)).text();
  const named = /apt-get install --no-install-recommends (.+)$/m.exec(readme)?.[1]?.split(" ");
  expect(named?.length).toBeGreaterThan(0);
  expect(/^packages=\((.+)\)$/m.exec(ci)?.[1]?.split(" ")).toEqual(named ?? []);
});
