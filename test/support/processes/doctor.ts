import { afterEach } from "bun:test";
import { adaptersFor } from "../../../src/composition.ts";
import { type Check, type Report, runCheck } from "../../../src/doctor/check.ts";
import { type Installation, installationOf, type Machine } from "../../../src/doctor/installation.ts";
import { configOf } from "../config.ts";

type Settings = Record<string, string>;

/** The environment of checks for a test's settings, closed after each test. Called once, at the top of the file. */
export const places = () => {
  const open: Installation[] = [];
  afterEach(async () => {
    for (const installation of open.splice(0)) await installation.close();
  });
  const installation = (settings: Settings, machine?: Machine): Installation => {
    // a test's clock may be before the last commit
    const made = installationOf(configOf(settings), () => adaptersFor(configOf(settings)), {
      builtAt: () => undefined,
      ...machine,
    });
    open.push(made);
    return made;
  };
  return {
    installation,
    report: (check: Check, settings: Settings, machine?: Machine): Promise<Report> =>
      runCheck(check, installation(settings, machine)),
  };
};
