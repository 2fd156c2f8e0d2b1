import { describe, expect, test } from "bun:test";
import { createMetrics } from "../../src/kernel/metrics.ts";
import { DISTRIBUTIONS } from "../../src/kernel/metrics-table.ts";
import { type Family, parseMetrics } from "../support/apis/prometheus.ts";

const scraped = async (fill: (metrics: ReturnType<typeof createMetrics>) => void): Promise<Map<string, Family>> => {
  const metrics = createMetrics();
  fill(metrics);
  return parseMetrics(await metrics.text());
};
const samplesOf = (families: Map<string, Family>, name: string) =>
  families.get(name)?.samples.map(({ name: series, labels, value }) => [series, labels, value]);

describe("the text of the metrics", () => {
  test("has a counter's series by their labels, in the order in which they began", async () => {
    const families = await scraped(({ count }) => {
      count("recado_mails_total", { outcome: "sent" });
      count("recado_mails_total", { outcome: "failed" }, 0);
      count("recado_mails_total", { outcome: "sent" }, 2);
    });
    expect(samplesOf(families, "recado_mails_total")).toEqual([
      ["recado_mails_total", { outcome: "sent" }, 3],
      ["recado_mails_total", { outcome: "failed" }, 0],
    ]);
  });

  test("has what is without labels from the beginning, at zero, and the series that an alert waits for", async () => {
    const families = await scraped(() => {});
    expect(samplesOf(families, "recado_media_stored_bytes_total")).toEqual([
      ["recado_media_stored_bytes_total", {}, 0],
    ]);
    expect(samplesOf(families, "recado_jobs_running")).toEqual([["recado_jobs_running", {}, 0]]);
    expect(samplesOf(families, "recado_mails_total")).toEqual([]);
    expect(samplesOf(families, "recado_backup_runs_total")).toEqual([
      ["recado_backup_runs_total", { outcome: "failed" }, 0],
    ]);
  });

  test("counts an observation in every bucket that reaches it, and one beyond all of them in +Inf alone", async () => {
    const { buckets } = DISTRIBUTIONS.recado_disk_sync_seconds;
    const [first, second] = buckets;
    const last = buckets.at(-1) ?? 0;
    const families = await scraped(({ observe }) => {
      for (const value of [first, (first + second) / 2, last, last + 1]) observe("recado_disk_sync_seconds", {}, value);
    });
    const samples = samplesOf(families, "recado_disk_sync_seconds") ?? [];
    const upTo = (le: number | "+Inf") =>
      samples.find(([, labels]) => (labels as Record<string, string>)["le"] === String(le))?.[2];
    expect([upTo(first), upTo(second), upTo(last), upTo("+Inf")]).toEqual([1, 2, 3, 4]);
    expect(samples.slice(-2)).toEqual([
      ["recado_disk_sync_seconds_sum", {}, expect.closeTo(first + (first + second) / 2 + 2 * last + 1, 9)],
      ["recado_disk_sync_seconds_count", {}, 4],
    ]);
  });

  test("keeps apart what differs in one label, whatever is in it", async () => {
    const routes = ["/a", '/a",method="GET', "/a\\", "/a\n", "/ä"];
    const families = await scraped(({ observe }) => {
      for (const route of routes)
        observe("recado_http_request_duration_seconds", { api: "gateway", route, method: "GET", status: "2xx" }, 1);
    });
    const counts = (families.get("recado_http_request_duration_seconds")?.samples ?? []).filter(({ name }) =>
      name.endsWith("_count"),
    );
    expect(counts.map(({ labels, value }) => [labels["route"], value])).toEqual(routes.map((route) => [route, 1]));
  });

  test("shows a gauge as it was set last: all its series anew, and nothing of an unknown value", async () => {
    const families = await scraped(({ put, set }) => {
      set("recado_channels_lost", [[{ kind: "WABA" }, 2]]);
      set("recado_channels_lost", [[{ kind: "SESSION" }, 1]]);
      put("recado_jobs_waiting", 7);
      put("recado_dead_letters", 3);
      put("recado_dead_letters", undefined);
    });
    expect(samplesOf(families, "recado_channels_lost")).toEqual([["recado_channels_lost", { kind: "SESSION" }, 1]]);
    expect(samplesOf(families, "recado_jobs_waiting")).toEqual([["recado_jobs_waiting", {}, 7]]);
    expect(samplesOf(families, "recado_dead_letters")).toEqual([]);
  });

  test("belongs to its server: another one of the process begins at zero", async () => {
    createMetrics().count("recado_mails_total", { outcome: "sent" });
    expect(samplesOf(await scraped(() => {}), "recado_mails_total")).toEqual([]);
  });
});
