import { BY_OWNER } from "../core/channels/report.ts";
import { hasAdminToken } from "../core/tenancy/admin-token.ts";
import { iso, MINUTE_MS } from "../kernel/clock.ts";
import type { Reader } from "../store/db.ts";
import { listChannelsAway, readBacklog, readUses } from "../store/inspection.ts";
import { readMeta } from "../store/meta.ts";
import { type Check, fault, ok, skipped, warning } from "./check.ts";
import { onDatabase } from "./database.ts";
import type { Installation } from "./installation.ts";

const STUCK_MS = 10 * MINUTE_MS;
const AWAY_MS = 10 * MINUTE_MS;
const SHOWN = 3;

/** The time that the server goes by, which the test clock may have moved. */
export const serverTime = async ({ config, clock }: Installation, reader: Reader): Promise<number> =>
  clock.now() + (config.isTestClock ? Number((await readMeta(reader, "test-clock-offset-ms")) ?? 0) : 0);

/** What is due is done while a server runs. */
export const jobs: Check = {
  name: "jobs",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { waiting, stuckQueues, oldestDueAt } = await readBacklog(
        reader,
        (await serverTime(installation, reader)) - STUCK_MS,
      );
      if (stuckQueues === 0) return ok(`${waiting} wait or run, none is overdue`);
      const found = `${stuckQueues} queues wait with work that was due ten minutes ago and more, the oldest since ${iso(oldestDueAt ?? 0)}`;
      if (!(await installation.server())) return skipped(`${found}; no server runs that would do it`);
      return fault(
        found,
        "look into the server's log for what it says of these jobs, and restart it when it says nothing",
      );
    }),
};

/** No piece of work was given up in the last days. */
export const discardedJobs: Check = {
  name: "dead-jobs",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { discardedJobs: count } = await readBacklog(reader, 0);
      return count === 0
        ? ok("none")
        : warning(
            `${count} jobs were given up`,
            "look into the server's log for their reasons; what they stood for has been told as failed",
          );
    }),
};

/** Every event has reached those who want to hear of it. */
export const deadLetters: Check = {
  name: "dead-letters",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const { deadDeliveries: count } = await readBacklog(reader, 0);
      return count === 0
        ? ok("none")
        : warning(
            `${count} webhook deliveries were given up`,
            "mend the endpoints that refuse them, then POST /v1/admin/dead-letters/replay",
          );
    }),
};

/** Channels that were connected are. */
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
        "what each reason means and what to do is in docs/sessions.md: When a phone is disconnected",
      );
    }),
};

/** Somebody uses this installation, and its administrator can. */
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
      return ok(
        `${tenants} accounts; ${isOpen ? "the admin API is open to whoever has the token" : "the admin API is closed: recado admin token makes a token for it"}`,
      );
    }),
};

/** The clock of this installation cannot be moved by whoever has the admin token. */
export const testClock: Check = {
  name: "test-clock",
  async run({ config: { isTestClock } }) {
    return isTestClock
      ? warning("the test clock is on", "unset RECADO_TEST_CLOCK where real messages are sent")
      : skipped("off");
  },
};
