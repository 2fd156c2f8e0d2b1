import { describe, expect, test } from "bun:test";
import { type Command, command, EXIT, JSON_FLAG } from "../../src/commands/command.ts";
import { configCommand } from "../../src/commands/config.ts";
import type { Environment } from "../../src/kernel/reading.ts";
import type { SettingView } from "../../src/kernel/settings/described-config.ts";
import { SETTING_NAMES } from "../../src/kernel/settings/settings.ts";
import { ADMIN_TOKEN } from "../support/admin-token.ts";

/** What a command printed and how it ended. */
const ran = async (command: Command, args: string[], env: Environment = {}) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await command.run({
    args,
    env,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    isTerminal: false,
    unread: new AbortController().signal,
  });
  return { code, out, err };
};

describe("recado config", () => {
  test("prints one aligned line for every setting, with its source", async () => {
    const { code, out, err } = await ran(configCommand, [], {
      RECADO_LISTEN: "[::1]:1",
      RECADO_ADMIN_TOKEN: `canary-${ADMIN_TOKEN}`,
    });
    expect([code, err]).toEqual([0, []]);
    expect(out.map((line) => line.split(/\s{2,}/)[0])).toEqual(["NAME", ...SETTING_NAMES]);
    expect(out.find((line) => line.startsWith("RECADO_LISTEN "))).toMatch(/^RECADO_LISTEN +\[::1\]:1 +environment$/);
    expect(out.find((line) => line.startsWith("RECADO_ADMIN_TOKEN "))).toMatch(
      /^RECADO_ADMIN_TOKEN +set +environment$/,
    );
    expect(out.join("\n")).not.toContain("canary");
    const column = out[0]?.indexOf("SOURCE");
    for (const line of out.slice(1)) expect(line.search(/(default|environment|file)$/)).toBe(Number(column));
  });

  test("prints the same as JSON with --json", async () => {
    const { code, out } = await ran(configCommand, ["--json"], { RECADO_LOG_LEVEL: "warn" });
    const views = JSON.parse(out.join("\n")) as SettingView[];
    expect(code).toBe(0);
    expect(views.map(({ name }) => name)).toEqual(SETTING_NAMES);
    expect(views.find(({ name }) => name === "RECADO_LOG_LEVEL")).toMatchObject({
      value: "warn",
      source: "environment",
    });
  });

  test("ends with 78 and every fault on stderr when the configuration is wrong", async () => {
    const { code, out, err } = await ran(configCommand, ["--json"], {
      RECADO_LISTEN: "canary",
      RECADO_NONE_SUCH: "canary",
    });
    expect([code, out]).toEqual([78, []]);
    expect(err).toEqual([
      "RECADO_NONE_SUCH is not a setting",
      "RECADO_LISTEN must be an address and port such as 127.0.0.1:8080 or [::1]:8080",
    ]);
  });
});

describe("command", () => {
  const calls: unknown[] = [];
  const flags = { json: JSON_FLAG, name: { value: "NAME", about: "name of the account" } } as const;
  const account = command(
    { name: "account create", about: "makes an account", operands: ["FILE"], flags },
    async (_, given) => {
      calls.push([given.flags, given.operands]);
      return EXIT.fault;
    },
  );

  test("hands flags and words to its run and ends with its code", async () => {
    calls.length = 0;
    expect((await ran(account, ["--name", "Ana", "out.db", "--json"])).code).toBe(1);
    expect((await ran(account, ["out.db"])).code).toBe(1);
    expect(calls).toEqual([
      [{ json: true, name: "Ana" }, ["out.db"]],
      [{ json: false, name: undefined }, ["out.db"]],
    ]);
  });

  test.each(["--help", "-h"])("%s prints usage and every flag, and runs nothing", async (help) => {
    calls.length = 0;
    const { code, out, err } = await ran(account, [help]);
    expect({ code, err, calls }).toEqual({ code: 0, err: [], calls: [] });
    expect(out).toEqual([
      "recado account create FILE: makes an account",
      "",
      "  --json       print JSON",
      "  --name NAME  name of the account",
      "  --help       print this",
    ]);
  });

  test.each([
    [["--nme", "Ana", "x"], "Unknown option '--nme'"],
    [["-x", "x"], "Unknown option '-x'"],
    [["--json=yes", "x"], "Option '--json' does not take an argument"],
    [["x", "--name"], "Option '--name <value>' argument missing"],
    [[], "expects FILE, got none"],
    [["x", "y"], "expects FILE, got x y"],
  ])("%p is refused with exit code 2, and runs nothing", async (args, problem) => {
    calls.length = 0;
    const { code, out, err } = await ran(account, args);
    expect({ code, out, err, calls }).toEqual({
      code: 2,
      out: [],
      err: [`recado account create: ${problem}`, "Try: recado account create --help"],
      calls: [],
    });
  });
});
