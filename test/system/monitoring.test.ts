import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { alertRules, dashboard, MONITORING, panelsOf } from "../support/apis/monitoring.ts";
import { newCustomer } from "../support/customers/customer.ts";
import { arrives } from "../support/customers/media.ts";
import { tempFolders } from "../support/temp-folders.ts";
import { startWorld, type World } from "../support/world.ts";

setDefaultTimeout(60_000); // six hours take promtool some seconds

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

/** Runs promtool of Debian's package `prometheus`; what it said where it found a fault. */
const promtool = async (args: readonly string[], stdin?: string): Promise<string> => {
  const child = Bun.spawn(["promtool", ...args], {
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return code === 0 ? "" : `${out}${err}` || `promtool ended with ${code}`;
};

describe("what a server reports", () => {
  let w: World;
  beforeAll(async () => {
    w = await startWorld();
  });
  afterAll(() => w.stop());

  test("is read by Prometheus without a complaint, before anything has happened and after", async () => {
    const text = async () => (await fetch(`${w.app.url}/metrics`)).text();
    expect(await promtool(["check", "metrics"], await text())).toBe("");
    const c = await newCustomer(w);
    await c.sent();
    await arrives(w, c, {});
    await w.advance(5000);
    expect(await promtool(["check", "metrics"], await text())).toBe("");
  });
});

test("the rules and the example of a configuration are what Prometheus takes", async () => {
  expect(await promtool(["check", "rules", join(MONITORING, "alerts.yml")])).toBe("");
  expect(await promtool(["check", "config", join(MONITORING, "prometheus.yml")])).toBe("");
});

test("every question of the dashboard is one that Prometheus understands", async () => {
  const expressions = panelsOf(await dashboard()).flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*")),
  );
  const path = join(newFolder(), "rules.json");
  await Bun.write(
    path,
    JSON.stringify({
      groups: [{ name: "dashboard", rules: expressions.map((expr, index) => ({ record: `panel:${index}`, expr })) }],
    }),
  );
  expect(expressions.length).toBeGreaterThan(60);
  expect(await promtool(["check", "rules", path])).toBe("");
});

const SENDS = 'recado_send_attempts_total{job="recado",kind="WABA"';
const REQUESTS =
  'recado_http_request_duration_seconds_count{job="recado",api="gateway",route="/v1/messages",method="POST"';
const OUTBOUND = 'recado_outbound_request_duration_seconds_count{job="recado",peer="processor"';
const buckets = (name: string, bounds: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(bounds).map(([le, values]) => [`${name}_bucket{job="recado",le="${le}"}`, values]));

type Story = { series: Record<string, string>; at: string; step?: string };

/** TABLE: what each alert is for, a value for every step (a minute), and after how long it must be there. */
const CASES: Record<string, Story> = {
  RecadoDown: { series: { 'up{job="recado"}': "1x5 0x5" }, at: "10m" },
  RecadoRestarts: { series: { 'process_start_time_seconds{job="recado"}': "1x5 2x5 3x5 4x5 5x30" }, at: "30m" },
  RecadoLoopBlocked: { series: { 'nodejs_eventloop_lag_p99_seconds{job="recado"}': "0.6x20" }, at: "10m" },
  RecadoFilesRunOut: {
    series: { 'process_open_fds{job="recado"}': "900x20", 'process_max_fds{job="recado"}': "1000x20" },
    at: "15m",
  },
  RecadoDatabaseDown: { series: { 'recado_database_up{job="recado"}': "1x5 0x5" }, at: "9m" },
  RecadoDatabaseNotDurable: { series: { 'recado_database_durable{job="recado"}': "1x10 0x20" }, at: "15m" },
  RecadoDiskFills: { series: { 'recado_disk_free_bytes{job="recado"}': "50e9-40e6x600" }, at: "7h" },
  RecadoDiskFillsSlowly: { series: { 'recado_disk_full_seconds{job="recado"}': "1e6x500" }, at: "7h" },
  RecadoDiskSlow: {
    series: buckets("recado_disk_sync_seconds", {
      "0.025": "0x30",
      "0.1": "0+5x30",
      "1": "0+100x30",
      "+Inf": "0+100x30",
    }),
    at: "20m",
  },
  RecadoWalGrows: { series: { 'recado_wal_bytes{job="recado"}': "300e6x30" }, at: "20m" },
  RecadoWritesWait: { series: { 'recado_write_queue_length{job="recado"}': "2000x30" }, at: "10m" },
  RecadoJobsStuck: { series: { 'recado_job_oldest_due_seconds{job="recado"}': "10+60x30" }, at: "15m" },
  RecadoJobsGivenUp: {
    series: { 'recado_job_runs_total{job="recado",name="mail.send",outcome="discarded"}': "0x10 1x10" },
    at: "15m",
  },
  RecadoDeliveriesLate: {
    series: buckets("recado_delivery_lag_seconds", { "60": "0+10x60", "300": "0+90x60", "+Inf": "0+100x60" }),
    at: "25m",
  },
  RecadoDeadLettersGrow: { series: { 'recado_dead_letters{job="recado"}': "0+1x90" }, at: "80m" },
  RecadoChannelsLost: { series: { 'recado_channels_lost{job="recado",kind="SESSION"}': "0x5 2x90" }, at: "80m" },
  RecadoSessionsSilent: { series: { 'recado_session_silence_seconds{job="recado"}': "5+60x20" }, at: "10m" },
  RecadoClientVersionEnds: {
    series: { 'recado_client_expires_timestamp_seconds{job="recado",kind="SESSION"}': "864000x20" },
    at: "10m",
  },
  RecadoNetworkForged: {
    series: { 'recado_link_endings_total{job="recado",kind="SESSION",reason="forged"}': "0x10 1x10" },
    at: "12m",
  },
  RecadoSendsFail: {
    series: { [`${SENDS},outcome="sent"}`]: "0+6x60", [`${SENDS},outcome="refused"}`]: "0+4x60" },
    at: "40m",
  },
  RecadoUpstreamFails: {
    series: { [`${OUTBOUND},outcome="2xx"}`]: "0+1x60", [`${OUTBOUND},outcome="timeout"}`]: "0+2x60" },
    at: "30m",
  },
  RecadoServerErrors: {
    series: { [`${REQUESTS},status="2xx"}`]: "0+95x60", [`${REQUESTS},status="5xx"}`]: "0+5x60" },
    at: "30m",
  },
  RecadoErrorsLogged: { series: { 'recado_log_lines_total{job="recado",level="error"}': "0x5 0+2x30" }, at: "25m" },
  RecadoNodeMissing: { series: { 'recado_nodes_alive{job="recado"}': "3x10 2x20" }, at: "20m" },
  RecadoBackupOld: {
    series: { 'recado_backup_last_success_timestamp_seconds{job="recado"}': "1x500" },
    at: "37h",
    step: "5m",
  },
  RecadoBackupFailed: { series: { 'recado_backup_runs_total{job="recado",outcome="failed"}': "0x10 1x10" }, at: "15m" },
};

/** How things stand where all is well. */
const WELL: Record<string, string> = {
  'up{job="recado"}': "1x400",
  'process_start_time_seconds{job="recado"}': "1 1 2x400", // an upgrade
  'nodejs_eventloop_lag_p99_seconds{job="recado"}': "0.02x400",
  'process_open_fds{job="recado"}': "100x400",
  'process_max_fds{job="recado"}': "1000x400",
  'recado_database_up{job="recado"}': "1x400",
  'recado_disk_free_bytes{job="recado"}': "50e9-1e6x400",
  'recado_disk_full_seconds{job="recado"}': "3e6x400",
  ...buckets("recado_disk_sync_seconds", { "0.025": "0+100x400", "+Inf": "0+100x400" }),
  'recado_wal_bytes{job="recado"}': "8e6x400",
  'recado_write_queue_length{job="recado"}': "12x400",
  'recado_job_oldest_due_seconds{job="recado"}': "0.1x400",
  'recado_job_runs_total{job="recado",name="mail.send",outcome="discarded"}': "0x400",
  ...buckets("recado_delivery_lag_seconds", { "1": "0+100x400", "+Inf": "0+100x400" }),
  'recado_dead_letters{job="recado"}': "5x200 9x200",
  'recado_channels_lost{job="recado",kind="SESSION"}': "1x30 _x370", // one that comes back
  'recado_session_silence_seconds{job="recado"}': "25x400",
  'recado_link_endings_total{job="recado",kind="SESSION",reason="forged"}': "0x400",
  'recado_link_endings_total{job="recado",kind="SESSION",reason="retry"}': "0+1x400",
  [`${SENDS},outcome="sent"}`]: "0+60x400",
  [`${SENDS},outcome="refused"}`]: "0+2x400",
  [`${OUTBOUND},outcome="2xx"}`]: "0+10x400",
  [`${OUTBOUND},outcome="4xx"}`]: "0+20x400",
  [`${REQUESTS},status="2xx"}`]: "0+95x400",
  [`${REQUESTS},status="4xx"}`]: "0+30x400",
  'recado_log_lines_total{job="recado",level="error"}': "0x100 1x300",
  'recado_nodes_alive{job="recado"}': "3x400",
  'recado_backup_last_success_timestamp_seconds{job="recado"}': "0x400", // none is made
  'recado_backup_runs_total{job="recado",outcome="failed"}': "0x400",
};

type Case = Story & { fires: readonly string[] };

/** The file that promtool reads a test from: JSON is YAML. */
const ruleTest = ({ series, at, fires, step = "1m" }: Case): string =>
  JSON.stringify({
    rule_files: [join(MONITORING, "alerts.yml")],
    evaluation_interval: step,
    tests: [
      {
        interval: step,
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: at,
            exp_samples: fires.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
          },
        ],
      },
    ],
  });

describe("the alert", () => {
  let path: string;
  beforeEach(() => {
    path = join(newFolder(), "rules.json");
  });
  const faultOf = async (one: Case): Promise<string> => {
    await Bun.write(path, ruleTest(one));
    return promtool(["test", "rules", path]);
  };

  test("has a case here, each of them", async () => {
    expect((await alertRules()).map(({ alert }) => alert)).toEqual(Object.keys(CASES));
  });

  for (const [alert, one] of Object.entries(CASES)) {
    test(`${alert} is there when it should be, and no other`, async () => {
      expect(await faultOf({ ...one, fires: [alert] })).toBe("");
    });
  }

  test("is none where all is well", async () => {
    for (const at of ["20m", "90m", "6h"])
      expect([at, await faultOf({ series: WELL, at, fires: [] })]).toEqual([at, ""]);
  });
});
