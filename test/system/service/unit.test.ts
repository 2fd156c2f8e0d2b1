import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolders } from "../../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const systemd = resolve(import.meta.dir, "../../../systemd");
const UNIT = readFileSync(join(systemd, "recado.service"), "utf8");
const dropIn = (name: string): string => readFileSync(join(systemd, "examples", `${name}.conf`), "utf8");

/**
 * The unit with a drop-in, where systemd-analyze finds both. The program is not installed here: another stands for it.
 */
const installed = (added?: string): string => {
  const path = join(newFolder(), "recado.service");
  writeFileSync(path, UNIT.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
  if (added !== undefined) {
    mkdirSync(`${path}.d`);
    writeFileSync(join(`${path}.d`, "added.conf"), added);
  }
  return path;
};

/** The unit of the libSQL server, whose program is not installed here either. */
const databaseUnit = (): string => {
  const path = join(newFolder(), "sqld.service");
  const unit = readFileSync(join(systemd, "examples/sqld.service"), "utf8");
  writeFileSync(path, unit.replace("ExecStart=/usr/local/bin/sqld", "ExecStart=/bin/true"));
  return path;
};

const analyze = (...args: string[]) => {
  const { stdout, stderr } = Bun.spawnSync(["systemd-analyze", ...args], {
    env: { ...process.env, SYSTEMD_COLORS: "0" },
  });
  return { out: stdout.toString(), err: stderr.toString() };
};
// it ends with 0 when it does not understand a value: only its silence says that all is well
const verify = (path: string) => analyze("verify", "--man=no", path);
const scoreOf = (path: string): number =>
  Number(/exposure level for recado\.service: ([\d.]+)/.exec(analyze("security", "--offline=true", path).out)?.[1]);

describe("systemd/recado.service", () => {
  test("systemd understands every line of it", () => {
    expect(verify(installed())).toEqual({ out: "", err: "" });
  });

  test("a line that systemd does not understand would be noticed", () => {
    expect(verify(installed("[Service]\nProtectSystem=strickt\n")).err).toContain("strickt");
  });

  test("and every line of the libSQL server's", () => {
    expect(verify(databaseUnit())).toEqual({ out: "", err: "" });
  });

  test("is tried again for as long as what keeps it from starting lasts, unless that is its settings", () => {
    expect(UNIT).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(UNIT).toMatch(/^Restart=always$/m);
    expect(UNIT).toMatch(/^RestartPreventExitStatus=78$/m);
  });

  test("is exposed at most 1.5 of 10", () => {
    expect(scoreOf(installed())).toBeLessThanOrEqual(1.5);
    expect(scoreOf(installed("[Service]\nSystemCallFilter=\nPrivateUsers=no\n"))).toBeGreaterThan(1.5);
  });

  test.each(["credentials", "low-port", "no-jit"])(
    "systemd understands the drop-in %s, and with it the unit is exposed at most 1.5 of 10",
    (name) => {
      const path = installed(dropIn(name));
      expect(verify(path)).toEqual({ out: "", err: "" });
      expect(scoreOf(path)).toBeLessThanOrEqual(1.5);
    },
  );

  test("the drop-in for a low port gives that right and no other", () => {
    const exposed = (path: string): string[] =>
      analyze("security", "--offline=true", "--no-pager", path).out.match(/^✗ \S+/gm) ?? [];
    const before = exposed(installed());
    expect(exposed(installed(dropIn("low-port"))).filter((line) => !before.includes(line))).toEqual([
      "✗ AmbientCapabilities=",
      "✗ CapabilityBoundingSet=~CAP_NET_(BIND_SERVICE|BROADCAST|RAW)",
      "✗ PrivateUsers=",
    ]);
  });
});
