import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { settingsTable } from "../../../scripts/docs/settings.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import type { Config } from "../../../src/kernel/settings/config.ts";
import { SETTING_NAMES, SETTINGS } from "../../../src/kernel/settings/settings.ts";
import { lastTimeOf } from "../../../src/runtime/cron.ts";
import { ADMIN_TOKEN } from "../../support/admin-token.ts";
import { CERTIFICATE, configOf, faultsOf, KEY } from "../../support/config.ts";

describe("values", () => {
  const TAKEN: [name: string, text: string, at: (config: Config) => unknown, value: unknown][] = [
    ["RECADO_LISTEN", "0.0.0.0:80", (c) => c.listen, { host: "0.0.0.0", port: 80 }],
    ["RECADO_LISTEN", "[::1]:8080", (c) => c.listen, { host: "::1", port: 8080 }],
    ["RECADO_LISTEN", "localhost:0", (c) => c.listen, { host: "localhost", port: 0 }],
    ["RECADO_LISTEN", "127.0.0.1:65535", (c) => c.listen.port, 65_535],
    ["RECADO_PUBLIC_URL", "https://Recado.Example.com/", (c) => c.publicUrl, "https://recado.example.com"],
    ["RECADO_PLATFORM_URL", "https://api.example.com:8443/v//", (c) => c.platformUrl, "https://api.example.com:8443/v"],
    ["RECADO_GATEWAY_URL", "http://[::1]:9/g", (c) => c.gatewayUrl, "http://[::1]:9/g"],
    ["RECADO_DATA_DIR", "here", (c) => c.dataDir, resolve("here")],
    ["RECADO_DATABASE_URL", "file:x/../y.db", (c) => c.databaseUrl, `file:${resolve("y.db")}`],
    ["RECADO_DATABASE_URL", "file:///var/lib/recado.db", (c) => c.databaseUrl, "file:/var/lib/recado.db"],
    ["RECADO_DATABASE_URL", "libsql://db.example.com", (c) => c.databaseUrl, "libsql://db.example.com"],
    ["RECADO_DATABASE_URL", "http://127.0.0.1:8081/", (c) => c.databaseUrl, "http://127.0.0.1:8081"],
    ["RECADO_DATABASE_TOKEN", "t", (c) => c.databaseToken, "t"],
    ["RECADO_MASTER_KEY", KEY, (c) => c.masterKey, new Uint8Array(32).fill(0xfb)],
    ["RECADO_ADMIN_TOKEN", ` ${ADMIN_TOKEN} `, (c) => c.adminToken, ADMIN_TOKEN],
    ["RECADO_REGISTRATION", "closed", (c) => c.registration, "closed"],
    [
      "RECADO_TRUSTED_PROXIES",
      " 10.0.0.0/8, FD00::/8,,192.0.2.7 ",
      (c) => c.trustedProxies,
      ["10.0.0.0/8", "fd00::/8", "192.0.2.7"],
    ],
    ["RECADO_PLATFORM_DEFAULT_PLAN", "ENTERPRISE", (c) => c.defaultPlan, "ENTERPRISE"],
    [
      "RECADO_OUTBOUND_ALLOW",
      " 10.0.0.0/8, ::1 ,FD00::/8,,Hooks.Internal , 127.0.0.1",
      (c) => c.outboundAllow,
      ["10.0.0.0/8", "::1", "fd00::/8", "hooks.internal", "127.0.0.1"],
    ],
    ["RECADO_EXTRA_CA", CERTIFICATE, (c) => c.extraCa, CERTIFICATE.trim()],
    ["RECADO_MEDIA", "file:/m", (c) => c.media, { kind: "disk", dir: "/m" }],
    [
      "RECADO_BACKUP",
      "file:/b",
      (c) => c.backup,
      { place: { kind: "disk", dir: "/b" }, at: "15 2 * * *", isEncrypted: false, keep: 7 },
    ],
    ["RECADO_KEEP_MESSAGES", "30d", (c) => c.keep.messages, 30 * DAY_MS],
    ["RECADO_KEEP_EVENTS", "12mo", (c) => c.keep.events, 365 * DAY_MS],
    ["RECADO_KEEP_CONVERSATIONS", "1d", (c) => c.keep.conversations, DAY_MS],
    ["RECADO_KEEP_MEDIA", "1mo", (c) => c.keep.media, (365 / 12) * DAY_MS],
    ["RECADO_KEEP_BATCHES", "1200mo", (c) => c.keep.batches, 36_500 * DAY_MS],
    ["RECADO_KEEP_USAGE", "forever", (c) => c.keep.usage, Number.POSITIVE_INFINITY],
    ["RECADO_KEEP_AUDIT", "90d", (c) => c.keep.audit, 90 * DAY_MS],
    ["RECADO_KEEP_MAIL", "2d", (c) => c.keep.mail, 2 * DAY_MS],
    ["RECADO_META_APP_ID", "1", (c) => c.meta.appId, "1"],
    ["RECADO_META_APP_SECRET", "new, old", (c) => c.meta.appSecrets, ["new", "old"]],
    ["RECADO_META_CONFIG_ID", "2", (c) => c.meta.configId, "2"],
    ["RECADO_META_SIGNUP_PIN", "random", (c) => c.meta.signupPin, "random"],
    ["RECADO_META_SIGNUP_VERSION", "v4-public-preview", (c) => c.meta.signupVersion, "v4-public-preview"],
    ["RECADO_META_WEBHOOK_CLIENT_HEADER", "X-Client-Name", (c) => c.meta.webhookClientHeader, "X-Client-Name"],
    ["RECADO_META_VERIFY_TOKEN", "v t", (c) => c.meta.verifyToken, "v t"],
    ["RECADO_META_GRAPH_URL", "http://127.0.0.1:1/", (c) => c.meta.graphUrl, "http://127.0.0.1:1"],
    ["RECADO_META_GRAPH_VERSION", "v27.1", (c) => c.meta.graphVersion, "v27.1"],
    ["RECADO_INSTAGRAM_APP_ID", "3", (c) => c.instagram.appId, "3"],
    ["RECADO_INSTAGRAM_APP_SECRET", "s", (c) => c.instagram.appSecrets, ["s"]],
    ["RECADO_INSTAGRAM_GRAPH_URL", "http://127.0.0.1:2", (c) => c.instagram.graphUrl, "http://127.0.0.1:2"],
    ["RECADO_INSTAGRAM_TOKEN_URL", "http://127.0.0.1:3", (c) => c.instagram.tokenUrl, "http://127.0.0.1:3"],
    ["RECADO_INSTAGRAM_AUTHORIZE_URL", "http://127.0.0.1:4", (c) => c.instagram.authorizeUrl, "http://127.0.0.1:4"],
    ["RECADO_INSTAGRAM_COMMENTS", "on", (c) => c.instagram.comments, true],
    ["RECADO_INSTAGRAM_HUMAN_AGENT", "on", (c) => c.instagram.humanAgent, true],
    ["RECADO_WHATSAPP_WEB_URL", "wss://127.0.0.1:5/ws/chat", (c) => c.whatsappWeb.url, "wss://127.0.0.1:5/ws/chat"],
    [
      "RECADO_SESSION_BROADCASTS",
      "statuses, newsletters",
      (c) => c.whatsappWeb.broadcasts,
      ["statuses", "newsletters"],
    ],
    ["RECADO_SESSION_ADDRESS", "number", (c) => c.whatsappWeb.addressing, "number"],
    ["RECADO_SESSION_RATE", "100000", (c) => c.whatsappWeb.sendsPerMinute, 100_000],
    ["RECADO_SESSION_KEEP_ALIVE", "5", (c) => c.whatsappWeb.keepAliveMs, 5000],
    ["RECADO_SESSION_NEW_CHATS_A_DAY", "0", (c) => c.whatsappWeb.newChatsADay, 0],
    ["RECADO_SESSION_WARM_UP", "5, 10", (c) => c.whatsappWeb.warmUp, [5, 10]],
    ["RECADO_PROCESSOR_URL", "http://127.0.0.1:6/v3/", (c) => c.processor.url, "http://127.0.0.1:6/v3"],
    ["RECADO_PROCESSOR_API_KEY", "$aact_x", (c) => c.processor.apiKey, "$aact_x"],
    ["RECADO_PROCESSOR_WEBHOOK_TOKEN", "w", (c) => c.processor.webhookToken, "w"],
    ["RECADO_LLM_URL", "http://127.0.0.1:7/v1", (c) => c.llmUrl, "http://127.0.0.1:7/v1"],
    ["RECADO_LLM_TOKENS_PER_CONTACT", "1", (c) => c.llmTokens.perContact, 1],
    ["RECADO_LLM_TOKENS_PER_AGENT", "2", (c) => c.llmTokens.perAgent, 2],
    ["RECADO_LLM_TOKENS_PER_ACCOUNT", "3", (c) => c.llmTokens.perAccount, 3],
    ["RECADO_BILLING_TZ", "America/Sao_Paulo", (c) => c.billingTz, "America/Sao_Paulo"],
    ["RECADO_CALL_RING_TIMEOUT", "30", (c) => c.ringTimeoutSeconds, 30],
    ["RECADO_GATEWAY_RATE", "1", (c) => c.rates.gatewayPerMinute, 1],
    ["RECADO_GATEWAY_SEND_RATE", "1000000", (c) => c.rates.gatewaySendsPerMinute, 1_000_000],
    ["RECADO_ADDRESS_RATE", "7", (c) => c.rates.addressPerMinute, 7],
    [
      "RECADO_LIMITS",
      " webhooks=7,stored-bytes=5000000000000 ",
      (c) => [c.limits.webhooks, c.limits["stored-bytes"], c.limits.keys],
      [7, 5e12, 100],
    ],
    ["RECADO_PLUGIN_DIR", "/p", (c) => c.pluginDir, "/p"],
    ["RECADO_LOG_LEVEL", "silent", (c) => c.logLevel, "silent"],
    ["RECADO_UNCERTAIN_SENDS", "resend", (c) => c.uncertainSends, "resend"],
    ["RECADO_TEST_CLOCK", "1", (c) => c.isTestClock, true],
  ];
  test.each(TAKEN)("%s=%s", (name, text, at, value) => {
    expect(at(configOf({ [name]: text }))).toEqual(value);
  });

  const REFUSED: [name: string, texts: string[]][] = [
    [
      "RECADO_LISTEN",
      [
        "8080",
        ":8080",
        "127.0.0.1",
        "127.0.0.1:",
        "127.0.0.1:65536",
        "127.0.0.1:-1",
        "::1:8080",
        "[127.0.0.1]:1",
        "[::1]",
        "256.0.0.1:1",
        "http://127.0.0.1:1",
        "a b:1",
      ],
    ],
    [
      "RECADO_PUBLIC_URL",
      [
        "example.com",
        "/platform",
        "ftp://example.com",
        "http://",
        "https:example.com",
        "https://u:p@example.com",
        "https://example.com?a=1",
        "https://example.com#a",
      ],
    ],
    [
      "RECADO_DATABASE_URL",
      [
        "recado.db",
        "file:",
        "file://host/x.db",
        "postgres://db",
        "libsql://db?authToken=x",
        "libsql://u:p@db",
        ":memory:",
      ],
    ],
    ["RECADO_KEEP_MESSAGES", ["30", "0d", "0mo", "1y", "-1d", "1.5d", "36501d", "1201mo", "Forever", "30 d"]],
    ["RECADO_DATABASE_TOKEN", ["two words", "naïve"]],
    [
      "RECADO_MASTER_KEY",
      [
        "short",
        "A".repeat(44),
        KEY.slice(0, 40),
        Buffer.alloc(31).toString("base64"),
        Buffer.alloc(33).toString("base64"),
        "f".repeat(64),
        `!${KEY.slice(1)}`,
      ],
    ],
    ["RECADO_REGISTRATION", ["Open", "yes"]],
    ["RECADO_PLATFORM_DEFAULT_PLAN", ["free", "PRO"]],
    [
      "RECADO_OUTBOUND_ALLOW",
      [
        ",",
        "10.0.0.0/33",
        "10.0.0/8",
        "::/129",
        "256.1.1.1",
        "*.example.com",
        "http://a",
        "a:80",
        "10.0.0.1, b c",
        "10.0.0.0/8/8",
        "fe80::1%eth0",
      ],
    ],
    ["RECADO_TRUSTED_PROXIES", [",", "10.0.0.0/33", "proxy.example.com", "127.0.0.1:80", "::1/129", "fe80::1%eth0"]],
    [
      "RECADO_EXTRA_CA",
      [
        "/does/not/exist.pem",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY-----",
      ],
    ],
    ["RECADO_MEDIA", ["/m", "file:", "s3://", "s3://k:s@b", "s3://b?endpoint=minio", "s3://b?secret=x"]],
    ["RECADO_BACKUP", ["/b", "file:", "ftp://b"]],
    [
      "RECADO_BACKUP_AT",
      [
        "daily",
        "* * * *",
        "0 0 0 * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "*/0 * * * *",
        "5-1 * * * *",
        "1,,2 * * * *",
        "* * * * MON",
        "0/30 * * * *",
        "*/75 * * * *",
        "0 2 */40 * *",
        "15 2/6 * * *",
      ],
    ],
    ["RECADO_BACKUP_KEEP", ["0", "all", "-1"]],
    ["RECADO_META_APP_SECRET", [",", "a, b c"]],
    ["RECADO_META_GRAPH_VERSION", ["26.0", "v26", "v26.0/"]],
    ["RECADO_META_SIGNUP_PIN", ["123456", "none"]],
    ["RECADO_META_SIGNUP_VERSION", ["4", "v4.0", "latest"]],
    ["RECADO_META_WEBHOOK_CLIENT_HEADER", ["X Client", "x-client:", "-x"]],
    ["RECADO_WHATSAPP_WEB_URL", ["https://web.whatsapp.com", "web.whatsapp.com"]],
    ["RECADO_SESSION_BROADCASTS", ["all", ",", "statuses;newsletters"]],
    ["RECADO_SESSION_ADDRESS", ["LID", "pn", "both"]],
    ["RECADO_SESSION_RATE", ["0", "100001", "20/min", "1.5"]],
    ["RECADO_SESSION_NEW_CHATS_A_DAY", ["-1", "100001", "many"]],
    ["RECADO_SESSION_WARM_UP", [",", "5;6", "5,x"]],
    ["RECADO_LANGUAGE", ["fr", "pt-BR", "PT"]],
    ["RECADO_SMTP_URL", ["mail.example.com:25", "http://mail.example.com", "smtp://"]],
    ["RECADO_MAIL_FROM", ["billing", "a@b c", "A <a@b> <c@d>", "@b"]],
    ["RECADO_PIX_KEY", ["24971563791", "11987654321", "pix", "+12125550100"]],
    ["RECADO_PIX_NAME", ["A name of more than 25 letters", "パン屋"]],
    ["RECADO_PIX_CITY", ["Sixteen letters."]],
    ["RECADO_BILLING_TZ", ["America/Sampa", "+03:00", "local"]],
    ["RECADO_CALL_RING_TIMEOUT", ["0", "601", "5s", "1.5", "-5"]],
    ["RECADO_GATEWAY_RATE", ["0", "1000001", "many", "1e3"]],
    ["RECADO_LOG_LEVEL", ["trace", "INFO"]],
    ["RECADO_UNCERTAIN_SENDS", ["retry"]],
    ["RECADO_TEST_CLOCK", ["0", "true"]],
  ];
  const refusals = REFUSED.flatMap(([name, texts]) => texts.map((text): [string, string] => [name, text]));
  test.each(refusals)("%s=%s is refused with the form it must have", (name, text) => {
    const [fault, ...others] = faultsOf({
      [name]: text,
      RECADO_MAIL_FROM: "a@example.com",
      ...(name === "RECADO_MAIL_FROM" ? { [name]: text } : {}),
    });
    expect(fault).toStartWith(`${name} must be `);
    expect(others).toEqual([]);
  });

  test("media on S3 come with their keys", () => {
    const keys = { RECADO_S3_ACCESS_KEY_ID: "id", RECADO_S3_SECRET_ACCESS_KEY: "key" };
    const s3 = { kind: "s3" as const, bucket: "b", accessKeyId: "id", secretAccessKey: "key" };
    expect(configOf({ ...keys, RECADO_MEDIA: "s3://b" }).media).toEqual({
      ...s3,
      prefix: "",
      endpoint: undefined,
      region: undefined,
    });
    expect(
      configOf({ ...keys, RECADO_MEDIA: "s3://b/p/q/?endpoint=http://127.0.0.1:9000/&region=sa-east-1" }).media,
    ).toEqual({
      ...s3,
      prefix: "p/q",
      endpoint: "http://127.0.0.1:9000",
      region: "sa-east-1",
    });
  });

  test.each(["15 2 * * *", "*/15 * * * *", "0 0-6/2,12 1,15 * 1-5", "0 3 * * 7"])(
    "backups are made at %s, when the settings say so",
    (at) => {
      expect(
        configOf({ RECADO_BACKUP: "file:/b", RECADO_BACKUP_AT: at.replaceAll(" ", "  "), RECADO_BACKUP_KEEP: "30" })
          .backup,
      ).toEqual({
        place: { kind: "disk", dir: "/b" },
        at,
        isEncrypted: false,
        keep: 30,
      });
      expect(lastTimeOf(at, Date.parse("2026-11-20T12:00:00Z"))).toBeGreaterThan(Date.parse("2026-11-01T00:00:00Z"));
    },
  );

  test("backups on S3 need the keys, wherever the database lies", () => {
    const s3 = { RECADO_BACKUP: "s3://b/p", RECADO_S3_ACCESS_KEY_ID: "id", RECADO_S3_SECRET_ACCESS_KEY: "key" };
    expect(configOf(s3).backup?.place).toMatchObject({
      kind: "s3",
      bucket: "b",
      prefix: "p",
      accessKeyId: "id",
      secretAccessKey: "key",
    });
    expect(faultsOf({ RECADO_BACKUP: "s3://b" })).toEqual([
      "RECADO_BACKUP on S3 needs RECADO_S3_ACCESS_KEY_ID and RECADO_S3_SECRET_ACCESS_KEY",
    ]);
    expect(configOf({ ...s3, RECADO_DATABASE_URL: "libsql://db.example.com" }).backup?.place.kind).toBe("s3");
  });

  test("a Pix receiver is stored as banks name it", () => {
    const own = {
      RECADO_PIX_KEY: "+55 (11) 98765-4321",
      RECADO_PIX_NAME: "Padaria São João",
      RECADO_PIX_CITY: "São Paulo",
    };
    expect(configOf(own).pix).toEqual({ key: "+5511987654321", name: "Padaria São João", city: "São Paulo" });
    expect(configOf({}).pix).toBeUndefined();
  });

  test("mail comes with its sender", () => {
    expect(
      configOf({
        RECADO_SMTP_URL: "smtps://u:p@mail.example.com:465",
        RECADO_MAIL_FROM: "Recado <billing@example.com>",
      }).mail,
    ).toEqual({
      smtpUrl: "smtps://u:p@mail.example.com:465",
      from: "Recado <billing@example.com>",
    });
  });

  test.each(["hex", "base64"] as const)("the root key of a simulated session network is read from %s", (encoding) => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7));
    expect(
      configOf({ RECADO_WHATSAPP_WEB_URL: "ws://[::1]:1", RECADO_WHATSAPP_WEB_ROOT: key.toString(encoding) })
        .whatsappWeb.root,
    ).toEqual(new Uint8Array(key));
  });
});

describe("settingsTable", () => {
  test("no meaning needs the row before it", () => {
    const dependent = SETTING_NAMES.filter((name) =>
      /^(?:it|its|of|such|the same|these|those)\b|\bthe same(?:$| is\b)/.test(SETTINGS[name].meaning),
    );
    expect(dependent).toEqual([]);
  });

  test("has one Markdown row of name, default and meaning for every setting", () => {
    const [head, rule, ...rows] = settingsTable().split("\n");
    expect([head, rule]).toEqual(["| Name | Default | Meaning |", "|---|---|---|"]);
    expect(rows.map((row) => /^\| `([A-Z0-9_]+)` \| [^|]+ \| [^|]+ \|$/.exec(row)?.[1] ?? row)).toEqual(SETTING_NAMES);
    expect(rows).toContain(
      "| `RECADO_LISTEN` | `127.0.0.1:8080` | address and port; port 0 picks one, and the ready line on stdout says which |",
    );
  });
});
