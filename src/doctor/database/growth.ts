import { type Growth, readGrowth } from "../../core/growth.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { TABLE_LAWS } from "../../store/laws/table-list.ts";
import { type Check, fault, ok, skipped, warning } from "../check.ts";
import { shownSize } from "../machine/disk.ts";
import { onDatabase } from "./database.ts";

const WARNING_DAYS = 30;
const FAULT_DAYS = 3;

const rounded = (count: number): string => Math.round(count).toLocaleString("en");

/** The retention settings of the groups that grow most, the fastest first. */
const settingsFor = (perDay: NonNullable<Growth["perDay"]>): string => {
  const groups = Object.entries(perDay.written).toSorted(([, one], [, other]) => other - one);
  const names = groups.flatMap(([group, count]) =>
    count > 0
      ? TABLE_LAWS.flatMap(({ keeps }) => (keeps.group === group && keeps.setting !== "none" ? [keeps.setting] : []))
      : [],
  );
  return [...new Set(names)].slice(0, 3).join(", ");
};

/** The rate at which the database grows, and when the disk will be full at that rate. */
export const growth: Check = {
  name: "growth",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const found = await readGrowth(reader);
      if (!found) return skipped("nothing is known yet: the server measures every hour");
      if (!found.perDay) return ok("the growth is known after half a day");
      const { perDay, fullInMs } = found;
      const most = Object.entries(perDay.written)
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, 3)
        .map(([group, count]) => `${group} ${rounded(count)}`);
      const size = shownSize(Math.max(0, perDay.databaseBytes));
      const summary = `the database grows by ${size} a day; rows written a day: ${most.join(", ")}`;
      if (fullInMs === undefined || fullInMs > WARNING_DAYS * DAY_MS) return ok(summary);
      const days = Math.floor(fullInMs / DAY_MS);
      const settings = settingsFor(perDay) || "see docs/settings.md: What is kept";
      const remedy = `free space, enlarge the disk, or store data for a shorter time: ${settings}`;
      return (days < FAULT_DAYS ? fault : warning)(`the disk will be full in ${days} days; ${summary}`, remedy);
    }),
};
