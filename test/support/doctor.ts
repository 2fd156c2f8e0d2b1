import { afterEach } from "bun:test";
import { adaptersFor } from "../../src/composition.ts";
import { type Check, type Report, runCheck } from "../../src/doctor/check.ts";
import { type Machine, type Place, placeOf } from "../../src/doctor/place.ts";
import { configOf } from "./config.ts";

type Settings = Record<string, string>;

/** What checks look at, for the settings of a test; closed after each. To be called once, at the top of the file. */
export const places = () => {
  const open: Place[] = [];
  afterEach(async () => {
    for (const place of open.splice(0)) await place.close();
  });
  const place = (settings: Settings, machine?: Machine): Place => {
    const made = placeOf(configOf(settings), () => adaptersFor(configOf(settings)), machine);
    open.push(made);
    return made;
  };
  return { place, report: (check: Check, settings: Settings, machine?: Machine): Promise<Report> => runCheck(check, place(settings, machine)) };
};
