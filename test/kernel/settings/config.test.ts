import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { limitsWith } from "../../../src/kernel/collections.ts";
import { addressesOf } from "../../../src/kernel/network/addresses.ts";
import type { Environment } from "../../../src/kernel/reading.ts";
import { describeConfig } from "../../../src/kernel/settings/described-config.ts";
import { SETTING_NAMES } from "../../../src/kernel/settings/settings.ts";
import { ADMIN_TOKEN } from "../../support/admin-token.ts";
import { CERTIFICATE, configOf, faultsOf, KEY } from "../../support/config.ts";

const folder = mkdtempSync(join(tmpdir(), "recado-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe("defaults", () => {
  test.each<[url: string | undefined, registration: "open" | "closed"]>([
    [undefined, "open"],
    ["http://127.0.0.9:1", "open"],
    ["https://[::1]", "open"],
    ["https://recado.example.com", "closed"],
    ["http://10.0.0.7", "closed"],
    ["http://localhost.example.com", "closed"],
  ])("GAP-C02 with the public URL %s registration is %s, unless the operator decides", (url, registration) => {
    const at = url === undefined ? {} : { RECADO_PUBLIC_URL: url };
    for (const how of [{}, { RECADO_REGISTRATION: "auto" }])
      expect(configOf({ ...at, ...how }).registration).toBe(registration);
    for (const decided of ["open", "closed"] as const)
      expect(configOf({ ...at, RECADO_REGISTRATION: decided }).registration).toBe(decided);
  });

  test("an empty environment gives the operator's defaults", () => {
    const data = resolve("data");
    expect(configOf({})).toEqual({
      listen: { host: "127.0.0.1", port: 8080 },
      publicUrl: undefined,
      platformUrl: undefined,
      gatewayUrl: undefined,
      consoleUrl: undefined,
      cloudUrl: "off",
      evolutionUrl: "off",
      wahaUrl: "off",
      isConsoleOn: true,
      dataDir: data,
      databaseUrl: `file:${data}/recado.db`,
      databaseToken: undefined,
      nodeUrl: undefined,
      databaseReplica: undefined,
      mustBeDurable: false,
      heartbeatUrl: undefined,
      masterKey: undefined,
      masterKeyPrevious: undefined,
      adminToken: undefined,
      registration: "open",
      passwords: "documented",
      trustedProxies: ["127.0.0.0/8", "::1"],
      mcp: { isOn: false, maySend: false },
      corsOrigins: [],
      defaultPlan: "FREE",
      outboundAllow: [],
      extraCa: undefined,
      media: { kind: "disk", dir: `${data}/media` },
      backup: undefined,
      meta: {
        appId: undefined,
        appSecrets: [],
        configId: undefined,
        signup: "coexistence",
        rates: undefined,
        signupPin: "000000",
        signupVersion: "v4",
        webhookClientHeader: undefined,
        verifyToken: undefined,
        graphUrl: "https://graph.facebook.com",
        graphVersion: "v27.0",
      },
      instagram: {
        appId: undefined,
        appSecrets: [],
        redirectUris: [],
        comments: false,
        humanAgent: false,
        graphUrl: "https://graph.instagram.com",
        tokenUrl: "https://api.instagram.com",
        authorizeUrl: "https://www.instagram.com",
      },
      whatsappWeb: {
        url: undefined,
        root: undefined,
        sendsPerMinute: 20,
        keepAliveMs: 25_000,
        addressing: "lid",
        broadcasts: [],
        newChatsADay: 200,
        warmUp: [50, 70, 100, 150],
        version: undefined,
        versionSource: undefined,
      },
      processor: { url: "https://api.asaas.com/v3", apiKey: undefined, webhookToken: undefined },
      pix: undefined,
      llmUrl: "https://api.openai.com/v1",
      llmTokens: { perContact: 200_000, perAgent: 5_000_000, perAccount: 20_000_000 },
      language: undefined,
      mail: undefined,
      alerts: { mail: [], url: undefined, telegram: undefined },
      billingTz: "UTC",
      comparesCharges: false,
      ringTimeoutSeconds: 5,
      rates: { gatewayPerMinute: 600, gatewaySendsPerMinute: 300, addressPerMinute: 20 },
      keep: {
        messages: Number.POSITIVE_INFINITY,
        events: 7 * DAY_MS,
        conversations: Number.POSITIVE_INFINITY,
        media: 7 * DAY_MS,
        batches: 365 * DAY_MS,
        usage: 5 * 365 * DAY_MS,
        audit: 2 * 365 * DAY_MS,
        mail: 365 * DAY_MS,
      },
      bodies: { budgetBytes: 64 * 1024 * 1024, timeoutMs: 10_000 },
      limits: limitsWith({}),
      pluginDir: `${data}/plugins`,
      plugins: "lenient",
      adapterEnv: {},
      updateUrl: undefined,
      logLevel: "info",
      uncertainSends: "fail",
      isTestClock: false,
    });
  });

  test("paths in the data directory move with it, for any characters in its path", () => {
    const config = configOf({ RECADO_DATA_DIR: "/srv/a $& b" });
    expect([config.databaseUrl, config.media, config.pluginDir]).toEqual([
      "file:/srv/a $& b/recado.db",
      { kind: "disk", dir: "/srv/a $& b/media" },
      "/srv/a $& b/plugins",
    ]);
  });

  test("an empty or blank variable is an unset one", () => {
    expect(configOf({ RECADO_ADMIN_TOKEN: "", RECADO_LISTEN: "  ", RECADO_MASTER_KEY_FILE: "" })).toEqual(configOf({}));
  });

  test("variables of other programs are ignored", () => {
    expect(faultsOf({ PATH: "/bin", NOT_RECADO_X: "1", recado_x: "1" })).toEqual([]);
  });
});

describe("files", () => {
  test("GAP-C09 extra trust anchors are read from the file that the setting names", () => {
    expect(configOf({ RECADO_EXTRA_CA: fileWith("ca.pem", CERTIFICATE) }).extraCa).toBe(CERTIFICATE);
  });

  test("every setting is read from its _FILE too, without the newline at its end", () => {
    for (const [newline, token] of [
      ["", `bare-${ADMIN_TOKEN}`],
      ["\n", `unix-${ADMIN_TOKEN}`],
      ["\r\n", `dos-${ADMIN_TOKEN}`],
    ]) {
      expect(configOf({ RECADO_ADMIN_TOKEN_FILE: fileWith("token", `${token}${newline}`) }).adminToken).toBe(
        String(token),
      );
    }
    expect(configOf({ RECADO_LISTEN_FILE: fileWith("listen", "[::1]:1\n") }).listen).toEqual({ host: "::1", port: 1 });
    expect(configOf({ RECADO_EXTRA_CA_FILE: fileWith("ca", CERTIFICATE) }).extraCa).toBe(CERTIFICATE.trim());
  });

  test("a missing file, an empty one, a bad value in one, and a setting given twice are faults", () => {
    const path = fileWith("canary", "canary value");
    expect(faultsOf({ RECADO_ADMIN_TOKEN_FILE: "/does/not/exist" })).toEqual([
      "RECADO_ADMIN_TOKEN_FILE: cannot read /does/not/exist (ENOENT)",
    ]);
    expect(faultsOf({ RECADO_ADMIN_TOKEN_FILE: folder })).toEqual([
      `RECADO_ADMIN_TOKEN_FILE: cannot read ${folder} (EISDIR)`,
    ]);
    expect(faultsOf({ RECADO_ADMIN_TOKEN_FILE: fileWith("empty", "\n") })).toEqual([
      `RECADO_ADMIN_TOKEN_FILE: ${join(folder, "empty")} is empty`,
    ]);
    expect(faultsOf({ RECADO_ADMIN_TOKEN_FILE: path })).toEqual([WEAK]);
    expect(faultsOf({ RECADO_ADMIN_TOKEN: "x", RECADO_ADMIN_TOKEN_FILE: path })).toEqual([
      "RECADO_ADMIN_TOKEN and RECADO_ADMIN_TOKEN_FILE are both set; keep one of them",
    ]);
  });
});

const WEAK =
  "RECADO_ADMIN_TOKEN must be visible ASCII characters without spaces that nobody can guess, such as openssl rand -base64 24 makes";

test.each(["admin", "changeme-changeme", "the-admin-token-of-the-tests", "12345678901234567890123456789012"])(
  "the admin token %s can be guessed: a fault, which says how to make one and repeats nothing of it",
  (token) => {
    expect(faultsOf({ RECADO_ADMIN_TOKEN: token })).toEqual([WEAK]);
  },
);

describe("credentials", () => {
  const from = (text: string): Environment => {
    const dir = mkdtempSync(join(folder, "credentials-"));
    writeFileSync(join(dir, "admin-token"), text);
    writeFileSync(join(dir, "log-level"), "warn");
    writeFileSync(join(dir, "of-somebody-else"), "x");
    return { CREDENTIALS_DIRECTORY: dir };
  };

  test("have secrets, and take precedence over the variable and its _FILE", () => {
    const env = {
      ...from(`${ADMIN_TOKEN}\n`),
      RECADO_ADMIN_TOKEN: "x",
      RECADO_ADMIN_TOKEN_FILE: "/does/not/exist",
      RECADO_META_VERIFY_TOKEN: "of the variable",
    };
    expect([configOf(env).adminToken, configOf(env).meta.verifyToken]).toEqual([ADMIN_TOKEN, "of the variable"]);
    expect(describeConfig(env).find(({ name }) => name === "RECADO_ADMIN_TOKEN")).toMatchObject({
      value: "set",
      source: "credential",
    });
  });

  test("of settings that are no secrets are not read", () => {
    expect(configOf(from(ADMIN_TOKEN)).logLevel).toBe("info");
  });

  test("an empty or invalid one is a fault that does not repeat it; a missing one is no fault", () => {
    const empty = from("\n");
    expect(faultsOf(empty)).toEqual([`credential admin-token: ${empty["CREDENTIALS_DIRECTORY"]}/admin-token is empty`]);
    expect(faultsOf(from("a canary"))).toEqual([WEAK]);
    expect(faultsOf({ CREDENTIALS_DIRECTORY: "/does/not/exist" })).toEqual([]);
  });
});

describe("faults", () => {
  test("all come at once", () => {
    const faults = faultsOf({
      RECADO_LSTEN: "x",
      RECADO_LISTEN: "x",
      RECADO_MASTER_KEY: "x",
      RECADO_ADMIN_TOKEN_FILE: "/does/not/exist",
      RECADO_SMTP_URL: "smtp://mail.example.com",
    });
    expect(faults.map((fault) => fault.split(/[ :]/, 1)[0])).toEqual([
      "RECADO_LSTEN",
      "RECADO_LISTEN",
      "RECADO_MASTER_KEY",
      "RECADO_ADMIN_TOKEN_FILE",
      "RECADO_SMTP_URL",
    ]);
  });

  test.each([
    ["RECADO_LSTEN", "RECADO_LISTEN"],
    ["RECADO_ADMIN_TOKN_FILE", "RECADO_ADMIN_TOKEN_FILE"],
    ["RECADO_META_APP_SECRETS", "RECADO_META_APP_SECRET"],
    ["RECADO_GATEWAY_RATES", "RECADO_GATEWAY_RATE"],
    ["RECADO_Listen", "RECADO_LISTEN"],
  ])("an unknown name is refused, with the nearest known one: %s", (name, meant) => {
    expect(faultsOf({ [name]: "" })).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
  });

  test("an unknown name that resembles none is refused without a guess", () => {
    expect(faultsOf({ RECADO_QQQQQQQQ: "1" })).toEqual(["RECADO_QQQQQQQQ is not a setting"]);
  });

  test("never repeat a value, which may be a secret", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTING_NAMES),
        fc.constantFrom("", "https://", "smtp://", "postgres://u:", "s3://", "file://h/"),
        (name, start) => {
          const env = { [name]: `${start}CANARY value@`, RECADO_QQQQQQQQ: "CANARY" };
          expect(faultsOf(env).join("\n")).not.toContain("CANARY");
        },
      ),
    );
  });

  const CONFLICTS: [title: string, env: Environment, fault: string][] = [
    [
      "GAP-C14 the test clock under a public name",
      { RECADO_TEST_CLOCK: "1", RECADO_PUBLIC_URL: "https://recado.example.com" },
      "RECADO_TEST_CLOCK is refused",
    ],
    [
      "GAP-C14 the test clock under a name that begins like a loopback address",
      { RECADO_TEST_CLOCK: "1", RECADO_PUBLIC_URL: "http://127.0.0.1.example.com" },
      "RECADO_TEST_CLOCK is refused",
    ],
    [
      "GAP-C14 the test clock under a private address",
      { RECADO_TEST_CLOCK: "1", RECADO_PUBLIC_URL: "http://10.0.0.1" },
      "RECADO_TEST_CLOCK is refused",
    ],
    [
      "two APIs in one place",
      { RECADO_PLATFORM_URL: "https://a.example.com/api", RECADO_GATEWAY_URL: "https://A.example.com/api/" },
      "RECADO_PLATFORM_URL and RECADO_GATEWAY_URL must differ",
    ],
    [
      "an API in the other's default place",
      { RECADO_PLATFORM_URL: "http://localhost:8080/gateway" },
      "RECADO_PLATFORM_URL and RECADO_GATEWAY_URL must differ",
    ],
    [
      "an API in the console's place",
      { RECADO_PUBLIC_URL: "https://a.example.com", RECADO_GATEWAY_URL: "https://a.example.com/console" },
      "RECADO_PLATFORM_URL and RECADO_GATEWAY_URL must leave the address of the console",
    ],
    [
      "the console in the place of the metrics",
      { RECADO_PUBLIC_URL: "https://a.example.com", RECADO_CONSOLE_URL: "https://a.example.com/metrics" },
      "RECADO_CONSOLE_URL must leave /metrics",
    ],
    [
      "the API that is compatible with the Cloud API in another's place",
      { RECADO_PUBLIC_URL: "https://a.example.com", RECADO_CLOUD_URL: "https://a.example.com/gateway" },
      "RECADO_CLOUD_URL must differ",
    ],
    ["a replica of a file", { RECADO_DATABASE_REPLICA: "r.db" }, "RECADO_DATABASE_REPLICA needs"],
    ["media on S3 without keys", { RECADO_MEDIA: "s3://b", RECADO_S3_ACCESS_KEY_ID: "id" }, "RECADO_MEDIA on S3 needs"],
    ["a root key without its network", { RECADO_WHATSAPP_WEB_ROOT: KEY }, "RECADO_WHATSAPP_WEB_ROOT is accepted only"],
    [
      "a root key for a network that is not loopback",
      { RECADO_WHATSAPP_WEB_ROOT: KEY, RECADO_WHATSAPP_WEB_URL: "wss://web.whatsapp.com" },
      "RECADO_WHATSAPP_WEB_ROOT is accepted only",
    ],
    ["a Pix key without its owner", { RECADO_PIX_KEY: "a@b.example", RECADO_PIX_CITY: "Recife" }, "RECADO_PIX_KEY,"],
    ["mail without a sender", { RECADO_SMTP_URL: "smtp://mail.example.com" }, "RECADO_SMTP_URL needs"],
  ];
  test.each(CONFLICTS)("%s is refused", (_, env, start) => {
    const [fault, ...others] = faultsOf(env);
    expect(fault).toStartWith(start);
    expect(others).toEqual([]);
  });

  test("a check of several settings is skipped while one of them is invalid by itself", () => {
    expect(faultsOf({ RECADO_DATABASE_URL: "postgres://db", RECADO_DATABASE_REPLICA: "r.db" }).length).toBe(1);
  });

  test.each(["http://localhost:8080", "http://127.0.0.1:8080", "https://127.9.9.9", "http://[::1]:1"])(
    "GAP-C14 the test clock is taken under %s",
    (url) => {
      expect(configOf({ RECADO_TEST_CLOCK: "1", RECADO_PUBLIC_URL: url }).isTestClock).toBe(true);
    },
  );
});

describe("addressesOf", () => {
  test("derives unset addresses from the listening port", () => {
    const config = configOf({ RECADO_LISTEN: "127.0.0.1:0" });
    expect(addressesOf(config, 41_234)).toEqual({
      publicUrl: "http://localhost:41234",
      platformUrl: "http://localhost:41234/platform",
      gatewayUrl: "http://localhost:41234/gateway",
      consoleUrl: "http://localhost:41234/console",
      cloudUrl: undefined,
      evolutionUrl: undefined,
      wahaUrl: undefined,
    });
    expect(addressesOf(config, 80).publicUrl).toBe("http://localhost");
  });

  test("keeps set addresses, and derives the rest from the public URL", () => {
    const config = configOf({
      RECADO_PUBLIC_URL: "https://example.com/recado/",
      RECADO_GATEWAY_URL: "https://gateway.example.com",
    });
    expect(addressesOf(config, 1)).toEqual({
      publicUrl: "https://example.com/recado",
      platformUrl: "https://example.com/recado/platform",
      gatewayUrl: "https://gateway.example.com",
      consoleUrl: "https://example.com/recado/console",
      cloudUrl: undefined,
      evolutionUrl: undefined,
      wahaUrl: undefined,
    });
  });

  test("the API that is compatible with the Cloud API has an address where it is switched on", () => {
    const at = (value: string) =>
      addressesOf(configOf({ RECADO_PUBLIC_URL: "https://example.com", RECADO_CLOUD_URL: value }), 1).cloudUrl;
    expect(at("on")).toBe("https://example.com/graph");
    expect(at("https://graph.example.com/")).toBe("https://graph.example.com");
    expect(at("off")).toBe(undefined);
  });
});
