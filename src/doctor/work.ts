import { BY_OWNER } from "../core/channels/links/report.ts";
import { hasAdminToken } from "../core/tenancy/keys/admin-token.ts";
import { iso, MINUTE_MS } from "../kernel/clock.ts";
import type { Reader } from "../store/engine/db.ts";
import { listChannelsAway, readBacklog, readUses } from "../store/engine/inspection.ts";
import { readMeta } from "../store/tables/meta.ts";
import { type Check, fault, ok, skipped, warning } from "./check.ts";
import { onDatabase } from "./database/database.ts";
import type { Installation } from "./installation.ts";

const STUCK_MS = 10 * MINUTE_MS;
const AWAY_MS = 10 * MINUTE_MS;
const SHOWN = 3;

/** The time of the server, in ms, including the offset of the test clock. */
export const serverTime = async ({ config, clock }: Installation, reader: Reader): Promise<number> =>
  clock.now() + (config.isTestClock ? Number((await readMeta(reader, "test-clock-offset-ms")) ?? 0) : 0);

/** No job is overdue while a server runs. */
export const jobs: Check = {
  name: "jobs",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { waiting, stuckQueues, oldestDueAt } = await readBacklog(
        reader,
        (await serverTime(installation, reader)) - STUCK_MS,
      );
      if (stuckQueues === 0) return ok(`${waiting} wait or run, none is overdue`);
      const oldest = iso(oldestDueAt ?? 0);
      const found = `${stuckQueues} queues have jobs that are overdue by ten minutes, the oldest since ${oldest}`;
      if (!(await installation.server())) return skipped(`${found}; no server runs`);
      return fault(found, "look for these jobs in the server's log, and restart it if the log does not name them");
    }),
};

/** No job was discarded in the last days. */
export const discardedJobs: Check = {
  name: "dead-jobs",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { discardedJobs: count } = await readBacklog(reader, 0);
      return count === 0
        ? ok("none")
        : warning(
            `${count} jobs were discarded`,
            "look for the reasons in the server's log; their work has been reported as failed",
          );
    }),
};

/** Every event was delivered to its webhooks. */
export const deadLetters: Check = {
  name: "dead-letters",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { deadDeliveries: count } = await readBacklog(reader, 0);
      return count === 0
        ? ok("none")
        : warning(
            `${count} webhook deliveries were discarded`,
            "repair the endpoints that refuse them, then POST /v1/admin/dead-letters/replay",
          );
    }),
};

/** Every channel that was connected is still connected, without restrictions. */
export const channels: Check = {
  name: "channels",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const away = await listChannelsAway(reader, {
        byOwner: BY_OWNER,
        sinceMs: (await serverTime(installation, reader)) - AWAY_MS,
      });
      if (away.length === 0) return ok("all that were connected are");
      const shown = away
        .slice(0, SHOWN)
        .map(({ id, kind, state, reason }) => `${kind} ${id} is ${state}${reason === null ? "" : ` (${reason})`}`);
      const more = away.length > SHOWN ? ` and ${away.length - SHOWN} more` : "";
      return warning(
        `${shown.join(", ")}${more}`,
        "the meaning of each reason is in docs/sessions.md: When a phone is disconnected, Restrictions and quotas",
      );
    }),
};

/** There is an account. Also says whether the admin API has a token. */
export const setUp: Check = {
  name: "set-up",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { tenants } = await readUses(reader);
      if (tenants === 0)
        return warning(
          "there is no account yet",
          "open the set-up link that recado serve prints, or make one with recado account create --name NAME",
        );
      const isOpen = installation.config.adminToken !== undefined || (await hasAdminToken(reader));
      const admin = isOpen
        ? "the admin API has a token"
        : "the admin API is closed: recado admin token makes a token for it";
      return ok(`${tenants} accounts; ${admin}`);
    }),
};

/** The test clock, with which the admin token moves the server's time, is off. */
export const testClock: Check = {
  name: "test-clock",
  async run({ config: { isTestClock } }) {
    return isTestClock
      ? warning("the test clock is on", "unset RECADO_TEST_CLOCK where real messages are sent")
      : skipped("off");
  },
};
