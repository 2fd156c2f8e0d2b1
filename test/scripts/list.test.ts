import { describe, expect, test } from "bun:test";
import { definedJobs, jobRows } from "../../scripts/list/jobs.ts";
import { tableText } from "../../scripts/list.ts";
import { JOBS } from "../../src/core/jobs.ts";

describe("the list of jobs", () => {
  test("has every definition of the core once, under its own name", async () => {
    const jobs: Record<string, object> = JOBS;
    const defined = await definedJobs();
    expect(defined.filter(({ name, definition }) => jobs[name] !== definition)).toEqual([]);
    expect(defined.map(({ name }) => name).toSorted()).toEqual(Object.keys(jobs).toSorted());
  });

  test("says of each job where it waits, after which jobs, and where it is defined", async () => {
    const [columns, ...rows] = await jobRows();
    expect(columns).toEqual(["name", "queue", "ordering key", "concurrency limit", "priority", "file"]);
    expect(rows).toContainEqual([
      "message.deliver",
      "channel:<channelId>",
      "<chat>",
      "8",
      "normal",
      "src/core/messaging/jobs.ts",
    ]);
    expect(rows).toContainEqual(["store.prune", "housekeeping", "", "4", "low", "src/core/own-jobs.ts"]);
    expect(rows.filter(([, queue, , , , file]) => !queue || !file)).toEqual([]);
  });
});

test("a list is printed with its columns below each other", () => {
  expect(
    tableText([
      ["name", "queue"],
      ["a.long.one", ""],
      ["b", "c"],
    ]),
  ).toBe("name        queue\na.long.one\nb           c");
});
