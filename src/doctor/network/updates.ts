import { knownUpdates } from "../../core/updates.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { VERSION } from "../../version.ts";
import { type Check, ok, skipped, warning } from "../check.ts";
import { onDatabase } from "../database/database.ts";
import { serverTime } from "../work.ts";

const STALE_MS = 7 * DAY_MS;

/** No release is newer than the version in use, as far as the server has read. The doctor itself sends no request. */
export const updates: Check = {
  name: "updates",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { isOn, readAt, failure, newer } = await knownUpdates(reader, installation.config.updateUrl, VERSION);
      if (!isOn) return skipped("RECADO_UPDATE_URL is off: the server does not look for newer releases");
      if (newer) {
        const found = `version ${newer.version} of ${newer.date} is released, and this is ${VERSION}`;
        const read = newer.notes === undefined ? "" : `; what has changed: ${newer.notes}`;
        if (!newer.isUrgent) return ok(`${found}${read}`);
        return warning(
          `${found}; versions before ${newer.minimum} should not stay in use`,
          `upgrade now: docs/operate.md, Upgrade${read}`,
        );
      }
      if (readAt === null && failure === null) return ok("nothing is known yet: the server looks once a day");
      const now = await serverTime(installation, reader);
      if (failure !== null && (readAt === null || now - readAt > STALE_MS))
        return warning(
          `the newest release could not be read${readAt === null ? "" : " for a week"}: ${failure}`,
          "check RECADO_UPDATE_URL, which is read without following a redirect, or set it to off",
        );
      return ok(`${VERSION} is the newest version`);
    }),
};
