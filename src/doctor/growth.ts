import { type Growth, readGrowth } from "../core/growth.ts";
import { RETENTION } from "../core/retention.ts";
import { DAY_MS } from "../kernel/clock.ts";
import { type Check, fault, ok, skipped, warning } from "./check.ts";
import { onDatabase } from "./database.ts";
import { shownSize } from "./disk.ts";

const WARNING_DAYS = 30;
const FAULT_DAYS = 3;

const rounded = (count: number): string => Math.round(count).toLocaleString("en");

/** The settings that shorten what is written most, the most first. */
const settingsFor = (perDay: NonNullable<Growth["perDay"]>): string => {
  const groups = Object.entries(perDay.written).toSorted(([, one], [, other]) => other - one);
  const names = groups.flatMap(([group, count]) =>
    count > 0
      ? Object.values(RETENTION).flatMap((rule) => (rule.group === group && rule.setting ? [rule.setting] : []))
      : [],
  );
  return [...new Set(names)].slice(0, 3).join(", ");
};

/** What grows, and when the disk will be full if it goes on like that. */
export const growth: Check = {
  name: "growth",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const found = await readGrowth(reader);
      if (!found) return skipped("nothing is known yet: the server looks every hour");
      if (!found.perDay) return ok("what grows is known after half a day");
      const { perDay, fullInMs } = found;
      const most = Object.entries(perDay.written)
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, 3)
        .map(([group, count]) => `${group} ${rounded(count)}`);
      const summary = `the database grows by ${shownSize(Math.max(0, perDay.databaseBytes))} a day; rows written a day: ${most.join(", ")}`;
      if (fullInMs === undefined || fullInMs > WARNING_DAYS * DAY_MS) return ok(summary);
      const days = Math.floor(fullInMs / DAY_MS);
      const remedy = `make room or enlarge the disk, or shorten what is kept: ${settingsFor(perDay) || "see docs/settings.md: What is kept"}`;
      return (days < FAULT_DAYS ? fault : warning)(`the disk will be full in ${days} days; ${summary}`, remedy);
    }),
};
