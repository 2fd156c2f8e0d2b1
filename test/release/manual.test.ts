import { beforeAll, describe, expect, test } from "bun:test";
import { type CommandHelp, commandHelps, manual } from "../../scripts/release/manual.ts";
import { SETTING_NAMES } from "../../src/kernel/settings/settings.ts";

let commands: CommandHelp[];
beforeAll(async () => {
  commands = await commandHelps();
}, 120_000);

const EDITION = { version: "1.2.3", time: 1_700_000_000 };

describe("the manual page", () => {
  test("is of the version and its date, and lists every command, every flag and every setting", () => {
    const page = manual(commands, EDITION);
    expect(page).toStartWith('.TH RECADO 1 "2023-11-14" "Recado 1.2.3"\n');
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["serve", "phone", "send", "plugin"]));
    for (const { name, help } of commands) {
      expect(page).toContain(`\n.SS recado ${name.replaceAll("-", "\\-")}`);
      for (const [flag] of help.matchAll(/--[a-z-]+/g)) expect(page).toContain(flag.replaceAll("-", "\\-"));
    }
    for (const name of SETTING_NAMES) expect(page).toContain(`\n.B ${name}\n`);
  });

  test("shows what a command says as it says it: a line that begins like a request of roff is none", () => {
    const page = manual([{ name: "x", about: "x", help: "recado x: does \\x\n\n.TH of its own\n'quoted" }], EDITION);
    expect(page).toContain(".SS recado x\ndoes \\ex\n");
    expect(page).toContain("\n\\&.TH of its own\n\\&'quoted\n");
  });
});
