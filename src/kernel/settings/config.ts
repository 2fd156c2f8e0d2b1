import { SECOND_MS } from "../clock.ts";
import { type Limits, limitsWith } from "../collections.ts";
import type { LogLevel } from "../log.ts";
import { type Addresses, addressesOf, clashOf } from "../network/addresses.ts";
import type { PixReceiver } from "../numbers/brazil.ts";
import { type Environment, type Reading, readSettings, unknownNames, valuesOf } from "../reading.ts";
import type { Language } from "../texts/languages.ts";
import { adapterEnvironment } from "./adapter-settings.ts";
import { isLoopbackUrl, type ListenAddress, type MediaLocation } from "./setting-kinds.ts";
import type { SettingName, SettingValues } from "./settings.ts";

const MIB = 1024 * 1024;

export type Plan = SettingValues["RECADO_PLATFORM_DEFAULT_PLAN"];

/** The location of media, with the keys of its service. */
export type MediaConfig =
  | { kind: "disk"; dir: string }
  | {
      kind: "s3";
      bucket: string;
      prefix: string;
      endpoint: string | undefined;
      region: string | undefined;
      accessKeyId: string;
      secretAccessKey: string;
    };

/** The location of backups, their schedule, their encryption, and how many are kept. */
export type BackupConfig = { place: MediaConfig; at: string; isEncrypted: boolean; keep: number };

/** Retention times in milliseconds; Infinity means for ever. */
export type Keep = {
  [What in "messages" | "events" | "conversations" | "media" | "batches" | "usage" | "audit" | "mail"]: number;
};

/** Every setting of the operator, validated and typed. Paths are absolute; URLs have no trailing slash. */
export type Config = {
  listen: ListenAddress;
  /** The operator's four addresses. `addressesOf` fills in the missing ones once the port is known. */
  publicUrl: string | undefined;
  platformUrl: string | undefined;
  gatewayUrl: string | undefined;
  consoleUrl: string | undefined;
  /** `on`, `off`, or the address of the API that is compatible with the Cloud API. */
  cloudUrl: string;
  /** `on`, `off`, or the address of the API that is compatible with Evolution's. */
  evolutionUrl: string;
  /** `on`, `off`, or the address of the API that is compatible with WAHA's. */
  wahaUrl: string;
  /** Whether the console is served at all. */
  isConsoleOn: boolean;
  dataDir: string;
  /** `file:` with an absolute path, or the URL of a libSQL server. */
  databaseUrl: string;
  databaseToken: string | undefined;
  databaseReplica: string | undefined;
  /** Whether a node is ready only while the database is known to be durable. */
  mustBeDurable: boolean;
  /** The address at which other nodes reach this one. */
  nodeUrl: string | undefined;
  masterKey: Uint8Array | undefined;
  /** The earlier key, while `recado key rotate` replaces it. */
  masterKeyPrevious: Uint8Array | undefined;
  adminToken: string | undefined;
  registration: "open" | "closed";
  /** Whether the commonest passwords are refused everywhere. */
  passwords: "documented" | "strong";
  /** Addresses and CIDRs. */
  trustedProxies: readonly string[];
  /** Whether language models may use /mcp, and whether they may write to people there. */
  mcp: { isOn: boolean; maySend: boolean };
  /** The origins whose pages may call the APIs; `*` for all. */
  corsOrigins: readonly string[];
  defaultPlan: Plan;
  /** Hosts, addresses and CIDRs in lower case. */
  outboundAllow: readonly string[];
  /** PEM text. */
  extraCa: string | undefined;
  media: MediaConfig;
  /** Undefined if Recado makes no scheduled backups. */
  backup: BackupConfig | undefined;
  meta: {
    appId: string | undefined;
    appSecrets: readonly string[];
    configId: string | undefined;
    signup: "coexistence" | "dedicated";
    /** The text of the operator's file of prices. */
    rates: string | undefined;
    signupPin: "000000" | "random";
    signupVersion: string;
    webhookClientHeader: string | undefined;
    verifyToken: string | undefined;
    graphUrl: string;
    graphVersion: string;
  };
  instagram: {
    appId: string | undefined;
    appSecrets: readonly string[];
    graphUrl: string;
    tokenUrl: string;
    authorizeUrl: string;
    redirectUris: readonly string[];
    comments: boolean;
    humanAgent: boolean;
  };
  whatsappWeb: {
    url: string | undefined;
    root: Uint8Array | undefined;
    sendsPerMinute: number;
    keepAliveMs: number;
    addressing: "lid" | "number";
    broadcasts: readonly ("statuses" | "newsletters")[];
    newChatsADay: number;
    warmUp: readonly number[];
    /** The `n` of client version 2.3000.n, and the path or URL of a newer one. */
    version: number | undefined;
    versionSource: string | undefined;
  };
  processor: { url: string; apiKey: string | undefined; webhookToken: string | undefined };
  /** The receiver of the Pix payments of invoices, if there is no processor. */
  pix: PixReceiver | undefined;
  llmUrl: string;
  /** Default budgets in tokens per UTC day. An agent or an account may have another one. */
  llmTokens: { perContact: number; perAgent: number; perAccount: number };
  /** The language of the texts that people get. Undefined: each text has its own. */
  language: Language | undefined;
  mail: { smtpUrl: string; from: string } | undefined;
  /** The URL that is requested every minute while everything works. */
  heartbeatUrl: string | undefined;
  /** Where Recado notifies the operator of troubles. */
  alerts: {
    mail: readonly string[];
    url: { url: string; secret: string | undefined } | undefined;
    telegram: { token: string; chat: string; api: string } | undefined;
  };
  billingTz: string;
  /** Whether Recado reads daily what the networks themselves have counted. */
  comparesCharges: boolean;
  ringTimeoutSeconds: number;
  rates: { gatewayPerMinute: number; gatewaySendsPerMinute: number; addressPerMinute: number };
  keep: Keep;
  bodies: { budgetBytes: number; timeoutMs: number };
  /** The limits of a user, an account, a channel and an agent. */
  limits: Limits;
  pluginDir: string;
  /** Whether an unusable adapter keeps the server from starting. */
  plugins: "lenient" | "strict";
  /** The variables of adapters. Only the loaded adapters can interpret them: `readAdapterSettings`. */
  adapterEnv: Environment;
  /** The URL that names the newest release; undefined if Recado does not look for one. */
  updateUrl: string | undefined;
  logLevel: LogLevel;
  /** What happens to a send with an unknown outcome, on a network that does not recognise a repeat. */
  uncertainSends: "fail" | "resend";
  isTestClock: boolean;
};

const addressesIn = (values: SettingValues): Addresses =>
  addressesOf(
    {
      publicUrl: values.RECADO_PUBLIC_URL,
      platformUrl: values.RECADO_PLATFORM_URL,
      gatewayUrl: values.RECADO_GATEWAY_URL,
      consoleUrl: values.RECADO_CONSOLE_URL,
      cloudUrl: values.RECADO_CLOUD_URL,
      evolutionUrl: values.RECADO_EVOLUTION_URL,
      wahaUrl: values.RECADO_WAHA_URL,
    },
    values.RECADO_LISTEN.port,
  );

/** The rules that concern several settings. A rule is skipped while one of its settings is invalid by itself. */
const CONFLICTS: readonly { of: readonly SettingName[]; fault(values: SettingValues): string | undefined | false }[] = [
  {
    of: [
      "RECADO_LISTEN",
      "RECADO_PUBLIC_URL",
      "RECADO_PLATFORM_URL",
      "RECADO_GATEWAY_URL",
      "RECADO_CONSOLE_URL",
      "RECADO_CLOUD_URL",
      "RECADO_EVOLUTION_URL",
      "RECADO_WAHA_URL",
    ],
    fault: (values) => clashOf(addressesIn(values)),
  },
  {
    of: ["RECADO_TEST_CLOCK", "RECADO_PUBLIC_URL", "RECADO_LISTEN"],
    fault: (values) =>
      values.RECADO_TEST_CLOCK &&
      !isLoopbackUrl(addressesIn(values).publicUrl) &&
      "RECADO_TEST_CLOCK is refused because RECADO_PUBLIC_URL is not loopback",
  },
  {
    of: ["RECADO_DATABASE_URL", "RECADO_DATABASE_REPLICA"],
    fault: (values) =>
      values.RECADO_DATABASE_REPLICA &&
      values.RECADO_DATABASE_URL.startsWith("file:") &&
      "RECADO_DATABASE_REPLICA needs a remote RECADO_DATABASE_URL",
  },
  {
    of: ["RECADO_MEDIA", "RECADO_S3_ACCESS_KEY_ID", "RECADO_S3_SECRET_ACCESS_KEY"],
    fault: (values) =>
      !locationOfFiles(values.RECADO_MEDIA, values) &&
      "RECADO_MEDIA on S3 needs RECADO_S3_ACCESS_KEY_ID and RECADO_S3_SECRET_ACCESS_KEY",
  },
  {
    of: ["RECADO_BACKUP", "RECADO_S3_ACCESS_KEY_ID", "RECADO_S3_SECRET_ACCESS_KEY"],
    fault: (values) =>
      values.RECADO_BACKUP &&
      !backupOf(values) &&
      "RECADO_BACKUP on S3 needs RECADO_S3_ACCESS_KEY_ID and RECADO_S3_SECRET_ACCESS_KEY",
  },
  {
    of: ["RECADO_WHATSAPP_WEB_URL", "RECADO_WHATSAPP_WEB_ROOT"],
    fault: ({ RECADO_WHATSAPP_WEB_ROOT: root, RECADO_WHATSAPP_WEB_URL: url }) =>
      root &&
      !(url && isLoopbackUrl(url)) &&
      "RECADO_WHATSAPP_WEB_ROOT is accepted only with a loopback RECADO_WHATSAPP_WEB_URL",
  },
  {
    of: ["RECADO_SMTP_URL", "RECADO_MAIL_FROM"],
    fault: (values) => values.RECADO_SMTP_URL && !values.RECADO_MAIL_FROM && "RECADO_SMTP_URL needs RECADO_MAIL_FROM",
  },
  {
    of: ["RECADO_PIX_KEY", "RECADO_PIX_NAME", "RECADO_PIX_CITY"],
    fault: (values) =>
      [values.RECADO_PIX_KEY, values.RECADO_PIX_NAME, values.RECADO_PIX_CITY].filter((value) => value !== undefined)
        .length %
        3 !==
        0 && "RECADO_PIX_KEY, RECADO_PIX_NAME and RECADO_PIX_CITY are set together",
  },
  {
    of: ["RECADO_ALERT_MAIL", "RECADO_SMTP_URL"],
    fault: (values) => values.RECADO_ALERT_MAIL && !values.RECADO_SMTP_URL && "RECADO_ALERT_MAIL needs RECADO_SMTP_URL",
  },
];

const conflictsOf = (readings: readonly Reading[]): string[] => {
  const faulty = new Set(readings.filter(({ fault }) => fault !== undefined).map(({ name }) => name));
  const values = valuesOf(readings);
  return CONFLICTS.filter(({ of }) => !of.some((name) => faulty.has(name))).flatMap(({ fault }) => fault(values) || []);
};

/** A media location with the keys of its service; undefined if the keys are missing. */
const locationOfFiles = (
  place: MediaLocation,
  { RECADO_S3_ACCESS_KEY_ID: accessKeyId, RECADO_S3_SECRET_ACCESS_KEY: secretAccessKey }: SettingValues,
): MediaConfig | undefined => {
  if (place.kind === "disk") return place;
  return accessKeyId !== undefined && secretAccessKey !== undefined
    ? { ...place, accessKeyId, secretAccessKey }
    : undefined;
};

const backupOf = (values: SettingValues): BackupConfig | undefined => {
  const place = values.RECADO_BACKUP && locationOfFiles(values.RECADO_BACKUP, values);
  return (
    place && {
      place,
      at: values.RECADO_BACKUP_AT,
      isEncrypted: values.RECADO_BACKUP_ENCRYPT === "1",
      keep: values.RECADO_BACKUP_KEEP,
    }
  );
};

const pixOf = ({ RECADO_PIX_KEY: key, RECADO_PIX_NAME: name, RECADO_PIX_CITY: city }: SettingValues): Config["pix"] =>
  key !== undefined && name !== undefined && city !== undefined ? { key, name, city } : undefined;

const mailOf = ({ RECADO_SMTP_URL: smtpUrl, RECADO_MAIL_FROM: from }: SettingValues): Config["mail"] =>
  smtpUrl !== undefined && from !== undefined ? { smtpUrl, from } : undefined;

const alertsOf = (values: SettingValues): Config["alerts"] => ({
  mail: values.RECADO_ALERT_MAIL ?? [],
  url:
    values.RECADO_ALERT_URL === undefined
      ? undefined
      : { url: values.RECADO_ALERT_URL, secret: values.RECADO_ALERT_SECRET },
  telegram: values.RECADO_ALERT_TELEGRAM && { ...values.RECADO_ALERT_TELEGRAM, api: values.RECADO_ALERT_TELEGRAM_URL },
});

const registrationOf = (values: SettingValues): Config["registration"] => {
  if (values.RECADO_REGISTRATION !== "auto") return values.RECADO_REGISTRATION;
  return isLoopbackUrl(addressesIn(values).publicUrl) ? "open" : "closed";
};

const networksOf = (values: SettingValues): Pick<Config, "meta" | "instagram" | "whatsappWeb"> => ({
  meta: {
    appId: values.RECADO_META_APP_ID,
    appSecrets: values.RECADO_META_APP_SECRET ?? [],
    configId: values.RECADO_META_CONFIG_ID,
    signup: values.RECADO_META_SIGNUP,
    rates: values.RECADO_META_RATES,
    signupPin: values.RECADO_META_SIGNUP_PIN,
    signupVersion: values.RECADO_META_SIGNUP_VERSION,
    webhookClientHeader: values.RECADO_META_WEBHOOK_CLIENT_HEADER,
    verifyToken: values.RECADO_META_VERIFY_TOKEN,
    graphUrl: values.RECADO_META_GRAPH_URL,
    graphVersion: values.RECADO_META_GRAPH_VERSION,
  },
  instagram: {
    appId: values.RECADO_INSTAGRAM_APP_ID,
    appSecrets: values.RECADO_INSTAGRAM_APP_SECRET ?? [],
    graphUrl: values.RECADO_INSTAGRAM_GRAPH_URL,
    tokenUrl: values.RECADO_INSTAGRAM_TOKEN_URL,
    authorizeUrl: values.RECADO_INSTAGRAM_AUTHORIZE_URL,
    redirectUris: values.RECADO_INSTAGRAM_REDIRECT_URIS ?? [],
    comments: values.RECADO_INSTAGRAM_COMMENTS === "on",
    humanAgent: values.RECADO_INSTAGRAM_HUMAN_AGENT === "on",
  },
  whatsappWeb: {
    url: values.RECADO_WHATSAPP_WEB_URL,
    root: values.RECADO_WHATSAPP_WEB_ROOT,
    sendsPerMinute: values.RECADO_SESSION_RATE,
    keepAliveMs: values.RECADO_SESSION_KEEP_ALIVE * SECOND_MS,
    addressing: values.RECADO_SESSION_ADDRESS,
    broadcasts: values.RECADO_SESSION_BROADCASTS ?? [],
    newChatsADay: values.RECADO_SESSION_NEW_CHATS_A_DAY,
    warmUp: values.RECADO_SESSION_WARM_UP,
    version: values.RECADO_WHATSAPP_WEB_VERSION,
    versionSource: values.RECADO_WHATSAPP_WEB_VERSION_URL,
  },
});

const keepOf = (values: SettingValues): Keep => ({
  messages: values.RECADO_KEEP_MESSAGES,
  events: values.RECADO_KEEP_EVENTS,
  conversations: values.RECADO_KEEP_CONVERSATIONS,
  media: values.RECADO_KEEP_MEDIA,
  batches: values.RECADO_KEEP_BATCHES,
  usage: values.RECADO_KEEP_USAGE,
  audit: values.RECADO_KEEP_AUDIT,
  mail: values.RECADO_KEEP_MAIL,
});

const configOf = (values: SettingValues, media: MediaConfig, env: Environment): Config => ({
  listen: values.RECADO_LISTEN,
  publicUrl: values.RECADO_PUBLIC_URL,
  platformUrl: values.RECADO_PLATFORM_URL,
  gatewayUrl: values.RECADO_GATEWAY_URL,
  consoleUrl: values.RECADO_CONSOLE_URL,
  cloudUrl: values.RECADO_CLOUD_URL,
  evolutionUrl: values.RECADO_EVOLUTION_URL,
  wahaUrl: values.RECADO_WAHA_URL,
  isConsoleOn: values.RECADO_CONSOLE === "on",
  dataDir: values.RECADO_DATA_DIR,
  databaseUrl: values.RECADO_DATABASE_URL,
  databaseToken: values.RECADO_DATABASE_TOKEN,
  databaseReplica: values.RECADO_DATABASE_REPLICA,
  mustBeDurable: values.RECADO_DATABASE_REQUIRE_DURABLE === "on",
  nodeUrl: values.RECADO_NODE_URL,
  masterKey: values.RECADO_MASTER_KEY,
  masterKeyPrevious: values.RECADO_MASTER_KEY_PREVIOUS,
  adminToken: values.RECADO_ADMIN_TOKEN,
  registration: registrationOf(values),
  passwords: values.RECADO_PASSWORDS,
  trustedProxies: values.RECADO_TRUSTED_PROXIES,
  mcp: { isOn: values.RECADO_MCP === "on", maySend: values.RECADO_MCP_SENDS === "on" },
  corsOrigins: values.RECADO_CORS_ORIGINS ?? [],
  defaultPlan: values.RECADO_PLATFORM_DEFAULT_PLAN,
  outboundAllow: values.RECADO_OUTBOUND_ALLOW ?? [],
  extraCa: values.RECADO_EXTRA_CA,
  media,
  backup: backupOf(values),
  ...networksOf(values),
  processor: {
    url: values.RECADO_PROCESSOR_URL,
    apiKey: values.RECADO_PROCESSOR_API_KEY,
    webhookToken: values.RECADO_PROCESSOR_WEBHOOK_TOKEN,
  },
  pix: pixOf(values),
  llmUrl: values.RECADO_LLM_URL,
  llmTokens: {
    perContact: values.RECADO_LLM_TOKENS_PER_CONTACT,
    perAgent: values.RECADO_LLM_TOKENS_PER_AGENT,
    perAccount: values.RECADO_LLM_TOKENS_PER_ACCOUNT,
  },
  language: values.RECADO_LANGUAGE,
  mail: mailOf(values),
  alerts: alertsOf(values),
  heartbeatUrl: values.RECADO_HEARTBEAT_URL,
  billingTz: values.RECADO_BILLING_TZ,
  comparesCharges: values.RECADO_META_COMPARE === "on",
  ringTimeoutSeconds: values.RECADO_CALL_RING_TIMEOUT,
  rates: {
    gatewayPerMinute: values.RECADO_GATEWAY_RATE,
    gatewaySendsPerMinute: values.RECADO_GATEWAY_SEND_RATE,
    addressPerMinute: values.RECADO_ADDRESS_RATE,
  },
  keep: keepOf(values),
  bodies: { budgetBytes: values.RECADO_BODY_BUDGET * MIB, timeoutMs: values.RECADO_BODY_TIMEOUT * 1000 },
  limits: limitsWith(values.RECADO_LIMITS ?? {}),
  pluginDir: values.RECADO_PLUGIN_DIR,
  plugins: values.RECADO_PLUGINS,
  adapterEnv: adapterEnvironment(env),
  updateUrl: values.RECADO_UPDATE_URL === "off" ? undefined : values.RECADO_UPDATE_URL,
  logLevel: values.RECADO_LOG_LEVEL,
  uncertainSends: values.RECADO_UNCERTAIN_SENDS,
  isTestClock: values.RECADO_TEST_CLOCK === "1",
});

export type ConfigResult = { ok: true; config: Config } | { ok: false; faults: string[] };

/** Reads the configuration from the environment, or gives all its faults at once. No fault repeats a value. */
export const readConfig = (env: Environment): ConfigResult => {
  const readings = readSettings(env);
  const faults = [...unknownNames(env), ...readings.flatMap(({ fault }) => fault ?? []), ...conflictsOf(readings)];
  const values = valuesOf(readings);
  const media = faults.length === 0 ? locationOfFiles(values.RECADO_MEDIA, values) : undefined;
  return media ? { ok: true, config: configOf(values, media, env) } : { ok: false, faults };
};
