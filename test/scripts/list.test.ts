import { describe, expect, test } from "bun:test";
import { errorRows } from "../../scripts/list/errors.ts";
import { definedJobs, jobRows } from "../../scripts/list/jobs.ts";
import { settingRows } from "../../scripts/list/settings.ts";
import { tableRows } from "../../scripts/list/tables.ts";
import { tableText } from "../../scripts/list.ts";
import { JOBS } from "../../src/core/jobs.ts";

describe("the list of jobs", () => {
  test("has every definition of the core once, under its own name", async () => {
    const jobs: Record<string, object> = JOBS;
    const defined = await definedJobs();
    const unlisted = defined.filter(({ name, definition }) => jobs[name] !== definition);
    expect(unlisted.map(({ name, file }) => `${name} of ${file}`)).toEqual([]);
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

test.each([
  ["settings", settingRows, ["RECADO_LISTEN", "`127.0.0.1:8080`"]],
  ["errors", errorRows, ["CHANNEL_NOT_FOUND", "404 PHONE_NOT_FOUND"]],
  ["tables", tableRows, ["mails", "mail", "RECADO_KEEP_MAIL"]],
] as const)("the list of %s has a row for each, below the names of its columns", (_, rowsOf, known) => {
  const [columns = [], ...rows] = rowsOf();
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((row) => row.length !== columns.length)).toEqual([]);
  expect(rows.find(([name]) => name === known[0])?.slice(0, known.length)).toEqual([...known]);
});
