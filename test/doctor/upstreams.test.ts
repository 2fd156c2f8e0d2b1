import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { checkMailServer } from "../../src/adapters/mailer.ts";
import { adaptersFor } from "../../src/composition.ts";
import { limitedProbe } from "../../src/contract/reach.ts";
import { type Check, type Report, runCheck } from "../../src/doctor/check.ts";
import { clock, timeZone } from "../../src/doctor/network/clock.ts";
import { mail, neededUpstreams, upstreamChecks } from "../../src/doctor/network/upstreams.ts";
import { HOUR_MS, systemClock } from "../../src/kernel/clock.ts";
import { configOf } from "../support/config.ts";
import { type Graph, startGraph } from "../support/graph/index.ts";
import { places } from "../support/processes/doctor.ts";
import { API_KEY, type SimulatedProcessor, startProcessor } from "../support/processor/index.ts";
import { badCertificate, type Endpoint, hanging, healthy, saying } from "../support/servers/hostile.ts";
import { type MailSink, startMailSink } from "../support/servers/smtp.ts";

type Settings = Record<string, string>;

const APP = { RECADO_META_APP_ID: "67001", RECADO_META_APP_SECRET: "the-first-secret-canary,the-second-secret-canary" };
const INSTAGRAM = { RECADO_INSTAGRAM_APP_ID: "1", RECADO_INSTAGRAM_APP_SECRET: "the-instagram-canary" };

let graph: Graph;
let processor: SimulatedProcessor;
let sink: MailSink;
beforeAll(async () => {
  graph = startGraph();
  graph.addSignupCode({
    code: "code",
    token: "token",
    businessAccountIds: [],
    appId: "67001",
    appSecret: "the-first-secret-canary",
  });
  processor = startProcessor();
  sink = await startMailSink();
});
afterAll(async () => {
  await Promise.all([graph.stop(), processor.stop(), sink.stop()]);
});

const { installation, report } = places();
const endpoints: Endpoint[] = [];
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint[Symbol.asyncDispose]();
});
const kept = async (starting: Promise<Endpoint>): Promise<Endpoint> => {
  const endpoint = await starting;
  endpoints.push(endpoint);
  return endpoint;
};

/** What the checks of upstreams say, by their names. */
const reportsOf = async (settings: Settings): Promise<Record<string, Report>> => {
  const at = installation({ RECADO_DATA_DIR: "/nowhere", ...settings });
  const reports = await Promise.all((await upstreamChecks(at)).map((check: Check) => runCheck(check, at)));
  expect(JSON.stringify(reports)).not.toContain("canary");
  return Object.fromEntries(reports.map((one) => [one.name, one]));
};

describe("the upstreams that are asked", () => {
  const needed = async (settings: Settings, uses: { kinds?: string[]; hasDefaultLlm?: boolean } = {}) => {
    const config = configOf(settings);
    return neededUpstreams(
      config,
      { tenants: 1, kinds: [], hasDefaultLlm: false, ...uses },
      (await adaptersFor(config)).plugins,
    ).map(({ name }) => name);
  };

  test("are those that a setting or a row needs, and no other", async () => {
    expect(await needed({})).toEqual([]);
    expect(await needed(APP)).toEqual(["graph-api"]);
    expect(await needed(INSTAGRAM)).toEqual(["instagram", "instagram-login"]);
    expect(await needed({ RECADO_PROCESSOR_API_KEY: "key" })).toEqual(["processor"]);
    expect(await needed({}, { kinds: ["WABA"] })).toEqual(["graph-api"]);
    expect(await needed({}, { kinds: ["SOCIAL", "SESSION"] })).toEqual(["whatsapp-web", "instagram"]);
    expect(await needed({}, { hasDefaultLlm: true })).toEqual(["language-models"]);
  });
});

describe("an upstream", () => {
  test("that answers is ok, the Meta app's credentials and the processor's key with it", async () => {
    const social = await kept(healthy());
    const reports = await reportsOf({
      ...APP,
      ...INSTAGRAM,
      RECADO_META_GRAPH_URL: graph.url,
      RECADO_INSTAGRAM_GRAPH_URL: social.url,
      RECADO_INSTAGRAM_TOKEN_URL: social.url,
      RECADO_PROCESSOR_URL: processor.url,
      RECADO_PROCESSOR_API_KEY: API_KEY,
    });
    expect(Object.values(reports).map(({ name, outcome }) => [name, outcome])).toEqual([
      ["graph-api", "ok"],
      ["instagram", "ok"],
      ["instagram-login", "ok"],
      ["processor", "ok"],
    ]);
    expect(graph.journal.at(-1)?.method).toBe("GET");
    expect([processor.payments.size, processor.customers.size]).toEqual([0, 0]);
  });

  test("at fault: the Meta app is refused", async () => {
    const reports = await reportsOf({
      ...APP,
      RECADO_META_APP_SECRET: "another-canary",
      RECADO_META_GRAPH_URL: graph.url,
    });
    expect(reports["graph-api"]).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("the Meta app is refused"),
      remedy: expect.stringContaining("RECADO_META_APP_SECRET"),
    });
  });

  test("at fault: the processor's key is refused", async () => {
    const reports = await reportsOf({
      RECADO_PROCESSOR_URL: processor.url,
      RECADO_PROCESSOR_API_KEY: "a-wrong-canary",
    });
    expect(reports["processor"]).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("the API key is refused (HTTP 401)"),
    });
  });

  test("at fault: a probe asks a host that its adapter does not declare, which its author has to mend", async () => {
    const probe = limitedProbe(["api.pager.example"], {
      name: "pager",
      url: "https://api.pager.example",
      isAlwaysAsked: true,
      ask: (http) => http.guarded({ url: "https://elsewhere.example/", method: "GET", timeoutMs: 1000 }),
    });
    const at = installation({ RECADO_DATA_DIR: "/nowhere" });
    const { plugins } = await adaptersFor(configOf({}));
    const [upstream] = neededUpstreams(configOf({}), { tenants: 0, kinds: [], hasDefaultLlm: false }, [
      { ...plugins[0], probes: [probe] } as (typeof plugins)[number],
    ]);
    const [check] = await upstreamChecks({ ...at, upstreams: async () => (upstream ? [upstream] : []) });
    expect(check && (await runCheck(check, at))).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("the adapter does not declare the host elsewhere.example"),
      remedy: "the author of the adapter has to declare this host in its hosts",
    });
  });

  test("a warning: it answers that it is down", async () => {
    const ill = await kept(saying("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"));
    expect((await reportsOf({ ...APP, RECADO_META_GRAPH_URL: ill.url }))["graph-api"]).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("HTTP 503"),
    });
  });

  test("at fault: nobody there, no such name, a certificate of nobody; each with its own remedy", async () => {
    const self = await kept(badCertificate());
    const found = async (url: string) => (await reportsOf({ ...APP, RECADO_META_GRAPH_URL: url }))["graph-api"];
    expect(await found("https://127.0.0.1:1")).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("127.0.0.1:1 cannot be reached (connect"),
      remedy: expect.stringContaining("firewall"),
    });
    expect(await found("https://none.such.invalid")).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("(dns"),
      remedy: expect.stringContaining("name servers"),
    });
    expect(await found(self.url)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("(tls"),
      remedy: expect.stringContaining("RECADO_EXTRA_CA"),
    });
  });

  test("at fault: one that hangs, by its name, while the others are reported", async () => {
    const [silent, well] = [await kept(hanging()), await kept(healthy())];
    const reports = await reportsOf({
      ...APP,
      RECADO_META_GRAPH_URL: silent.url,
      ...INSTAGRAM,
      RECADO_INSTAGRAM_GRAPH_URL: well.url,
      RECADO_INSTAGRAM_TOKEN_URL: well.url,
    });
    expect(reports["graph-api"]).toMatchObject({ outcome: "fault", found: expect.stringContaining("(timeout") });
    expect(reports["instagram"]).toMatchObject({ outcome: "ok" });
  }, 120_000);
});

describe("clock", () => {
  const dated = (aheadMs: number) =>
    kept(
      saying(`HTTP/1.1 200 OK\r\nDate: ${new Date(Date.now() + aheadMs).toUTCString()}\r\nContent-Length: 0\r\n\r\n`),
    );
  const against = async (...aheadMs: number[]): Promise<Report> => {
    const [one, other] = await Promise.all(aheadMs.map(dated));
    const social = {
      RECADO_INSTAGRAM_GRAPH_URL: one?.url ?? "",
      RECADO_INSTAGRAM_TOKEN_URL: (other ?? one)?.url ?? "",
    };
    return report(clock, { RECADO_DATA_DIR: "/nowhere", ...INSTAGRAM, ...social });
  };

  test("goes by the upstreams that are asked anyway", async () => {
    expect(await against(0)).toMatchObject({ outcome: "ok" });
    expect(await against(60_000)).toMatchObject({
      outcome: "warning",
      found: expect.stringMatching(/^(59|60|61) s behind the upstreams$/),
    });
    expect(await against(-HOUR_MS)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("ahead of"),
      remedy: expect.stringContaining("timedatectl"),
    });
  });

  test("is not blamed for one upstream that is wrong while another agrees", async () => {
    expect(await against(HOUR_MS, 0)).toMatchObject({ outcome: "ok" });
  });

  test("is not compared where nobody is asked, or nobody says the time", async () => {
    const silent = await kept(healthy());
    const social = { ...INSTAGRAM, RECADO_INSTAGRAM_GRAPH_URL: silent.url, RECADO_INSTAGRAM_TOKEN_URL: silent.url };
    for (const settings of [{}, social])
      expect(await report(clock, { RECADO_DATA_DIR: "/nowhere", ...settings })).toMatchObject({ outcome: "skipped" });
  });

  test("a machine that is hours off is at fault", async () => {
    const exact = await dated(0);
    const settings = {
      RECADO_DATA_DIR: "/nowhere",
      ...INSTAGRAM,
      RECADO_INSTAGRAM_GRAPH_URL: exact.url,
      RECADO_INSTAGRAM_TOKEN_URL: exact.url,
    };
    expect(await report(clock, settings, { clock: systemClock(3 * HOUR_MS) })).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("ahead of"),
    });
  });
});

describe("time-zone", () => {
  test("is one that days are counted in", async () => {
    expect(await report(timeZone, { RECADO_BILLING_TZ: "America/Sao_Paulo" })).toMatchObject({
      outcome: "ok",
      found: expect.stringMatching(/^America\/Sao_Paulo, where today is \d{4}-\d\d-\d\d$/),
    });
  });

  test("at fault: one that this system does not know", async () => {
    const at = installation({});
    at.config.billingTz = "Mars/Olympus";
    expect(await runCheck(timeZone, at)).toMatchObject({
      outcome: "fault",
      remedy: expect.stringContaining("RECADO_BILLING_TZ"),
    });
  });
});

describe("mail", () => {
  const settings = (url: string) => ({ RECADO_SMTP_URL: url, RECADO_MAIL_FROM: "a@example.com" });

  test("logs in and sends nothing", async () => {
    expect(await report(mail, settings(sink.url))).toMatchObject({ outcome: "ok" });
    expect(sink.offered).toBe(0);
    expect(await report(mail, {})).toMatchObject({ outcome: "skipped" });
  });

  test("at fault: a wrong password, nobody there; neither is repeated", async () => {
    const wrong = sink.url.replace(/:[^:@]+@/, ":a-wrong-canary@");
    for (const url of [wrong, "smtp://user:canary@127.0.0.1:1"]) {
      const found = await report(mail, settings(url));
      expect(found).toMatchObject({ outcome: "fault", remedy: expect.stringContaining("RECADO_SMTP_URL") });
      expect(JSON.stringify(found)).not.toContain("canary");
    }
    expect(await checkMailServer(wrong).catch(String)).toContain("535");
  });
});
