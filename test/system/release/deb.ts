import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { linkSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentExample } from "../../../scripts/environment.ts";
import { buildDeb, type DebSource, debName } from "../../../scripts/release/deb.ts";
import { builtBinary } from "../../support/processes/built.ts";
import { type OwnRoot, startRoot } from "./own-root.ts";

export const [FIRST, SECOND] = ["1.0.0", "1.1.0"];
export const CONFFILE = "/etc/recado/recado.env";
const SETTINGS = environmentExample();
/** What the second version's settings file holds. */
export const MORE_SETTINGS = `${SETTINGS}\n# of the second version\n#RECADO_NEW=\n`;

/** The path of a package of the program for this machine, made in a folder. */
export const pack = async (
  folder: string,
  given: Pick<DebSource, "version" | "program"> & Partial<DebSource>,
): Promise<string> => {
  const texts = {
    settings: SETTINGS,
    manual: ".TH RECADO 1\n",
    completion: "",
    licences: "of everything\n",
    changelog: "",
  };
  const source: DebSource = {
    architecture: process.arch === "arm64" ? "arm64" : "amd64",
    time: 1_700_000_000,
    ...texts,
    ...given,
  };
  const path = join(folder, debName(source));
  await buildDeb(source, path, "none");
  return path;
};

/**
 * Two versions of the package, and for each test a Debian system that has neither. To be called once, beside the tests.
 */
export const debian = () => {
  const folder = mkdtempSync(join(tmpdir(), "recado-debs-"));
  let packages: [version: string, path: string][];
  let system: OwnRoot;
  beforeAll(async () => {
    const program = await builtBinary();
    packages = [
      [FIRST, await pack(folder, { version: FIRST, program })],
      [SECOND, await pack(folder, { version: SECOND, program, settings: MORE_SETTINGS })],
    ];
  }, 300_000);
  beforeEach(async () => {
    system = await startRoot();
    for (const [version, path] of packages) linkSync(path, join(system.given, `${version}.deb`));
  });
  afterEach(() => system.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a command as root and returns its output. @throws when it fails. */
  const ok = async (...command: string[]): Promise<string> => {
    const { code, out, err } = await system.run(...command);
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}${err}`);
    return out.trimEnd();
  };
  const dpkg = (...args: string[]): Promise<string> => ok("dpkg", "--force-confold", "--force-unsafe-io", ...args);
  return {
    run: (...command: string[]) => system.run(...command),
    ok,
    dpkg,
    install: (version: string): Promise<string> => dpkg("--install", `/mnt/given/${version}.deb`),
    exists: async (path: string): Promise<boolean> => (await system.run("test", "-e", path)).code === 0,
    /** Mode and owner. */
    modeOf: (path: string): Promise<string> => ok("stat", "--format=%a %U:%G", path),
    /** Adds lines to the settings of the service. */
    set: (...lines: string[]): Promise<string> => ok("sh", "-c", `printf '%s\\n' "$@" >>${CONFFILE}`, "sh", ...lines),
    service: (command?: readonly string[], environment?: readonly string[]) => system.service(command, environment),
    /**
     * From now on systemd seems to run, with every service enabled and none started. Starts and stops are recorded.
     * Resolves with the function that reads them.
     */
    withSystemd: async (): Promise<() => Promise<string[]>> => {
      await Bun.write(
        join(system.given, "systemctl"),
        '#!/bin/sh\necho "$*" >>/run/asked\ncase "$*" in *is-enabled*) echo enabled ;; esac\n',
      );
      await ok("mkdir", "--parents", "/run/systemd/system");
      await ok("install", "--mode=755", "/mnt/given/systemctl", "/usr/local/bin/systemctl");
      return async () =>
        (await ok("cat", "/run/asked"))
          .split("\n")
          .filter((line) => /\b(daemon-reload|start|stop|restart)\b/.test(line));
    },
  };
};
