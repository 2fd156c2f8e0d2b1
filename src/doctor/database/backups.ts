import { lastBackups } from "../../core/backups.ts";
import { iso } from "../../kernel/clock.ts";
import { isThere } from "../../kernel/file-faults.ts";
import { lastTimeOf } from "../../runtime/cron.ts";
import { databaseFile } from "../../setup.ts";
import { type Check, fault, ok, skipped, warning } from "../check.ts";
import { shownSize } from "../machine/disk.ts";
import { readOnlyFault } from "../machine/service-view.ts";
import { serverTime } from "../work.ts";
import { onDatabase } from "./database.ts";

/** The due time of the last backup but one: an older backup has missed two times. */
const dueBefore = (pattern: string, nowMs: number): number => {
  const last = lastTimeOf(pattern, nowMs);
  return (last === undefined ? undefined : lastTimeOf(pattern, last - 1)) ?? Number.NEGATIVE_INFINITY;
};

const AGAIN = "end that cause, and make one now with POST /v1/admin/jobs/backup/run";
const LOOK = "find the reason in the server's log, and make one now with POST /v1/admin/jobs/backup/run";

/** Backups are made at their times, and the last one succeeded. */
export const backups: Check = {
  name: "backups",
  async run(installation) {
    const { backup, databaseUrl } = installation.config;
    if (!backup && databaseFile({ databaseUrl }) === undefined)
      return skipped(
        "the database is on a server, which may be backed up there; with RECADO_BACKUP this server makes backups",
      );
    if (!backup)
      return warning(
        "none are made",
        "set RECADO_BACKUP to a folder on another disk, or to a bucket; or run recado backup from your own scheduler",
      );
    if (backup.place.kind === "disk" && !isThere(backup.place.dir))
      return fault(
        `${backup.place.dir} does not exist`,
        "mount it, or make it: the server does not make the folder of backups",
      );
    const readOnly = backup.place.kind === "disk" ? await readOnlyFault(installation, backup.place.dir) : undefined;
    if (readOnly) return readOnly;
    return onDatabase(installation, async (reader) => {
      const { last, lastMade } = await lastBackups({ db: { read: (body) => body(reader) } });
      if (!last) return skipped("none has been made yet; the server makes the first when it starts");
      if (!last.isMade) return fault(`the last one failed at ${iso(last.at)}: ${last.error}`, AGAIN);
      if (!lastMade || lastMade.at < dueBefore(backup.at, await serverTime(installation, reader)))
        return fault(`the last one was made at ${iso(last.at)}, and two have been due since`, LOOK);
      const found = `the last one was made at ${iso(lastMade.at)}: ${lastMade.name}, ${shownSize(lastMade.sizeBytes)}`;
      return lastMade.warning === null ? ok(found) : warning(`${found}; ${lastMade.warning}`, LOOK);
    });
  },
};
