import { COLLECTION_NAMES } from "../collections.ts";
import { PIX_LIMITS } from "../numbers/brazil.ts";
import { LANGUAGES } from "../texts/languages.ts";
import { NEWEST_GRAPH } from "./graph-version.ts";
import { given, optional, type Setting, secret } from "./setting.ts";
import {
  addressRange,
  certificates,
  clientVersion,
  commaList,
  cronPattern,
  databaseUrl,
  fileOrUrl,
  graphVersion,
  headerName,
  headerToken,
  hostOrRange,
  httpUrl,
  jsonFile,
  keepTerm,
  keyBytes,
  listenAddress,
  mailAddress,
  mediaLocation,
  numbersOf,
  oneOf,
  originOrAny,
  path,
  pixKey,
  pixText,
  postUrl,
  publicKeyBytes,
  signupVersion,
  smtpUrl,
  strongToken,
  switchOrUrl,
  telegramChat,
  text,
  timeZone,
  urlOrOff,
  webSocketUrl,
  wholeNumber,
} from "./setting-kinds.ts";

/** More than any provider sells per day. */
export const MAX_DAILY_TOKENS = 1_000_000_000_000;

const secrets = commaList("secrets", headerToken);
const dailyTokens = wholeNumber("tokens", 1, MAX_DAILY_TOKENS);
const perMinute = wholeNumber("requests", 1, 1_000_000);
const keepAlive = wholeNumber("seconds", 5, 60);
const strictPlugins =
  "`strict`: the server does not start while an adapter of that folder cannot be used, or a variable `RECADO_PLUGIN_…` belongs to no adapter";

const compatibleApi = (whose: string, path: string) =>
  given(
    switchOrUrl,
    "off",
    `address of the API that is compatible with ${whose}; \`on\` is \`<public url>/${path}\`, \`off\` switches it off`,
  );

/** TABLE: every setting of Recado, by which the documentation, `recado config` and the parser are made. */
export const SETTINGS = {
  RECADO_LISTEN: given(
    listenAddress,
    "127.0.0.1:8080",
    "address and port; port 0 picks one, and the ready line on stdout says which",
  ),
  RECADO_PUBLIC_URL: optional(httpUrl, "used in every link that leaves the process", "`http://localhost:<port>`"),
  RECADO_PLATFORM_URL: optional(
    httpUrl,
    "address of the platform API; a host of its own or a path of the public one",
    "`<public url>/platform`",
  ),
  RECADO_GATEWAY_URL: optional(
    httpUrl,
    "address of the gateway API; a host of its own or a path of the public one",
    "`<public url>/gateway`",
  ),
  RECADO_CONSOLE: given(
    oneOf("on", "off"),
    "on",
    "`off` takes the console away: its pages, its sign-in and the pairing links; the pages of links in mails stay",
  ),
  RECADO_CONSOLE_URL: optional(
    httpUrl,
    "address of the console; a host of its own or a path of the public one",
    "`<public url>/console`",
  ),
  RECADO_CLOUD_URL: compatibleApi("the Cloud API", "graph"),
  RECADO_EVOLUTION_URL: compatibleApi("Evolution's", "evolution"),
  RECADO_WAHA_URL: compatibleApi("WAHA's", "waha"),
  RECADO_DATA_DIR: given(path, "./data", "database, media, master key, plugins"),
  RECADO_DATABASE_URL: given(
    databaseUrl,
    "file:<data>/recado.db",
    "`file:`, or `http(s)://`, `libsql://` of a libSQL server shared by several nodes",
  ),
  RECADO_DATABASE_TOKEN: secret(headerToken, "token for a remote database"),
  RECADO_DATABASE_REPLICA: optional(path, "path of a local replica of the remote database, which serves reads"),
  RECADO_DATABASE_REQUIRE_DURABLE: given(
    oneOf("on", "off"),
    "off",
    "`on`: a node is not ready while a remote database does not confirm that it writes to its disk before it acknowledges",
  ),
  RECADO_NODE_URL: optional(
    httpUrl,
    "the address of this node for the other nodes on the same libSQL server; requests about a channel go to the node that has it",
    "the address it listens on, if others can reach that",
  ),
  RECADO_MASTER_KEY: secret(
    keyBytes,
    "32 bytes in base64; encrypts secrets at rest, signs user tokens and media links",
    "made at first start in `<data>/master.key`",
  ),
  RECADO_MASTER_KEY_PREVIOUS: secret(keyBytes, "the old key during `recado key rotate`, if the new one is set above"),
  RECADO_ADMIN_TOKEN: secret(
    strongToken,
    "`X-Admin-Token` of the admin API, beside the one that `recado admin token` makes; while there is neither, that API answers 503 ADMIN_DISABLED",
  ),
  RECADO_REGISTRATION: given(
    oneOf("auto", "open", "closed"),
    "auto",
    "platform registration: `open`, `closed`, or `auto`: open while the public URL is one of this machine (loopback)",
  ),
  RECADO_PASSWORDS: given(
    oneOf("documented", "strong"),
    "documented",
    "`strong` refuses the commonest passwords, and names of the institution, everywhere; operators' passwords and those made in the console are held to that anyway",
  ),
  RECADO_TRUSTED_PROXIES: given(
    commaList("addresses and CIDRs", addressRange),
    "127.0.0.0/8,::1",
    "comma list of the addresses and CIDRs of reverse proxies whose `X-Forwarded-For` is believed",
  ),
  RECADO_MCP: given(
    oneOf("on", "off"),
    "off",
    "`on` serves the Model Context Protocol, for language models, at `<public url>/mcp`",
  ),
  RECADO_MCP_SENDS: given(oneOf("on", "off"), "off", "`on` offers the tools that write to people at `/mcp` too"),
  RECADO_CORS_ORIGINS: optional(
    commaList("origins or *", originOrAny),
    "comma list of the origins, such as `https://app.example.com`, whose pages may call the APIs from a browser; `*` for all",
  ),
  RECADO_PLATFORM_DEFAULT_PLAN: given(
    oneOf("FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"),
    "FREE",
    "plan of a new institution",
  ),
  RECADO_OUTBOUND_ALLOW: optional(
    commaList("hosts, addresses and CIDRs", hostOrRange),
    "comma list of hosts and CIDRs that webhooks, media and knowledge URLs may reach although they are private; `http:` is accepted for these alone",
  ),
  RECADO_EXTRA_CA: optional(certificates, "PEM file of extra trust anchors for outbound TLS"),
  RECADO_MEDIA: given(
    mediaLocation,
    "file:<data>/media",
    "where media lies: `file:`, or `s3://bucket/prefix?endpoint=…&region=…` with the two settings below",
  ),
  RECADO_S3_ACCESS_KEY_ID: optional(headerToken, "access key of the S3 service"),
  RECADO_S3_SECRET_ACCESS_KEY: secret(headerToken, "secret of the S3 service's access key"),
  RECADO_BACKUP: optional(
    mediaLocation,
    "where the server keeps backups of the database: `file:` with a folder that is there, or `s3://…` as for media; while unset it makes none",
  ),
  RECADO_BACKUP_AT: given(cronPattern, "15 2 * * *", "when the server makes a backup, as in a crontab, in UTC"),
  RECADO_BACKUP_ENCRYPT: optional(oneOf("1"), "`1` encrypts backups under the master key"),
  RECADO_BACKUP_KEEP: given(
    wholeNumber("backups", 1, 10_000),
    "7",
    "how many backups the server keeps; a new one replaces the oldest",
  ),
  RECADO_META_APP_ID: optional(text, "id of the Meta app"),
  RECADO_META_APP_SECRET: secret(
    secrets,
    "secret of the Meta app, or several as a comma list: any verifies a webhook, the first exchanges codes",
  ),
  RECADO_META_CONFIG_ID: optional(text, "configuration of the Meta app's Embedded Signup, of version 4"),
  RECADO_META_SIGNUP: given(
    oneOf("coexistence", "dedicated"),
    "coexistence",
    "what Embedded Signup offers: `coexistence` leaves the number in its owner's business app too, `dedicated` takes it out of the app",
  ),
  RECADO_META_RATES: optional(
    jsonFile,
    "file with your own price tables of the official network, as [billing.md](billing.md#your-own-prices) shows",
    "built in",
  ),
  RECADO_META_COMPARE: given(
    oneOf("on", "off"),
    "off",
    "`on` reads once a day what Meta itself has counted, for `GET /v1/billing/ledger`",
  ),
  RECADO_META_SIGNUP_PIN: given(
    oneOf("000000", "random"),
    "000000",
    "the two-step PIN of a number that is registered without one: the documented `000000`, or `random` for one of its own, which the answer shows once and the vault keeps",
  ),
  RECADO_META_SIGNUP_VERSION: given(
    signupVersion,
    "v4",
    "version of Embedded Signup that browsers ask for; Meta ended v2 and v3 on 2026-10-15",
  ),
  RECADO_META_WEBHOOK_CLIENT_HEADER: optional(
    headerName,
    "header in which the reverse proxy names the verified client certificate of Meta's webhooks; while set, webhooks without Meta's name in it are refused (docs/official.md)",
  ),
  RECADO_META_VERIFY_TOKEN: secret(text, "token that Meta repeats when it verifies the webhook address"),
  RECADO_META_GRAPH_URL: given(httpUrl, "https://graph.facebook.com", "base URL of the Graph API"),
  RECADO_META_GRAPH_VERSION: given(graphVersion, NEWEST_GRAPH, "version of the Graph API"),
  RECADO_INSTAGRAM_APP_ID: optional(text, "id of the Instagram app"),
  RECADO_INSTAGRAM_APP_SECRET: secret(
    secrets,
    "secret of the Instagram app, or several as a comma list; they verify webhooks too",
  ),
  RECADO_INSTAGRAM_GRAPH_URL: given(httpUrl, "https://graph.instagram.com", "base URL of the Instagram API"),
  RECADO_INSTAGRAM_TOKEN_URL: given(httpUrl, "https://api.instagram.com", "base URL where codes are exchanged"),
  RECADO_INSTAGRAM_AUTHORIZE_URL: given(
    httpUrl,
    "https://www.instagram.com",
    "base URL where people authorise the app",
  ),
  RECADO_INSTAGRAM_REDIRECT_URIS: optional(
    commaList("URLs", httpUrl),
    "comma list of the pages to which people may come back from Instagram, as the app names them; given to clients that start a sign-up",
  ),
  RECADO_INSTAGRAM_COMMENTS: given(
    oneOf("off", "on"),
    "off",
    "`on`: owners are also asked for their comments, which the app may read with the permission instagram_business_manage_comments",
  ),
  RECADO_INSTAGRAM_HUMAN_AGENT: given(
    oneOf("off", "on"),
    "off",
    "`on`: Meta has granted the app its Human Agent feature, so that people may answer within seven days",
  ),
  RECADO_WHATSAPP_WEB_URL: optional(webSocketUrl, "WebSocket URL of the session network", "the network's own"),
  RECADO_WHATSAPP_WEB_ROOT: optional(
    publicKeyBytes,
    "hex or base64 of the 32-byte public key that signs the server's certificate chain; accepted only when the URL above is loopback",
    "the network's own",
  ),
  RECADO_WHATSAPP_WEB_VERSION: optional(
    clientVersion,
    "client version of sessions, `2.3000.n`; beats every other",
    "the newest one known: learned from the next setting, else built in",
  ),
  RECADO_WHATSAPP_WEB_VERSION_URL: optional(
    fileOrUrl,
    "a file or URL where a newer client version may be read, when the network refuses the one in use and before it ends it: the number, `[2,3000,n]`, or the network's `sw.js`; asked only if set",
  ),
  RECADO_SESSION_RATE: given(
    wholeNumber("messages", 1, 100_000),
    "20",
    "messages per minute that a session sends at most, five of them at once",
  ),
  RECADO_SESSION_KEEP_ALIVE: given(keepAlive, "25", "seconds of silence after which a session asks for an answer"),
  RECADO_SESSION_ADDRESS: given(oneOf("lid", "number"), "lid", "`number`: sessions write to numbers, not to LIDs"),
  RECADO_SESSION_BROADCASTS: optional(
    commaList("statuses and newsletters", oneOf("statuses", "newsletters")),
    "what sessions receive besides messages: `statuses` of people, posts of `newsletters`, or both",
  ),
  RECADO_SESSION_NEW_CHATS_A_DAY: given(
    wholeNumber("chats", 0, 100_000),
    "200",
    "how many chats with people who never wrote a session begins in 24 hours; messages that would begin more wait; 0: any number",
  ),
  RECADO_SESSION_WARM_UP: given(
    commaList("numbers of chats", wholeNumber("chats", 0, 100_000)),
    "50,70,100,150",
    "how many chats with people who never wrote a session begins on its first day after the linking, on its second, and so on, if that is fewer than `RECADO_SESSION_NEW_CHATS_A_DAY`",
  ),
  RECADO_PROCESSOR_URL: given(
    httpUrl,
    "https://api.asaas.com/v3",
    "base URL of the payment processor, with its version",
  ),
  RECADO_PROCESSOR_API_KEY: secret(headerToken, "API key of the payment processor"),
  RECADO_PROCESSOR_WEBHOOK_TOKEN: secret(headerToken, "token that the payment processor's webhooks carry"),
  RECADO_PIX_KEY: optional(
    pixKey,
    "your own Pix key: without a payment processor, unpaid invoices carry a Pix code that pays to it; needs the two settings below",
  ),
  RECADO_PIX_NAME: optional(
    pixText(PIX_LIMITS.name),
    "who receives the payments to your Pix key, as the payer's bank shows it",
  ),
  RECADO_PIX_CITY: optional(pixText(PIX_LIMITS.city), "the city of who receives the payments to your Pix key"),
  RECADO_LLM_URL: given(httpUrl, "https://api.openai.com/v1", "default base URL of the chat-completions provider"),
  RECADO_LLM_TOKENS_PER_CONTACT: given(
    dailyTokens,
    "200000",
    "tokens that an agent may use for one contact and UTC day, unless its own `budget` says otherwise",
  ),
  RECADO_LLM_TOKENS_PER_AGENT: given(
    dailyTokens,
    "5000000",
    "tokens that an agent may use per UTC day for all contacts and documents, unless its own `budget` says otherwise",
  ),
  RECADO_LLM_TOKENS_PER_ACCOUNT: given(
    dailyTokens,
    "20000000",
    "tokens that an account may use per UTC day in all, unless its own `dailyTokens` says otherwise",
  ),
  RECADO_LANGUAGE: optional(oneOf(...LANGUAGES), "language of mails, alerts and `recado doctor`: `pt`, `en` or `es`"),
  RECADO_SMTP_URL: secret(
    smtpUrl,
    "mail server for dunning mail, invitations and links to users, `smtp(s)://user:password@host:port`",
  ),
  RECADO_MAIL_FROM: optional(mailAddress, "sender of mails; needed with the mail server"),
  RECADO_ALERT_MAIL: optional(
    commaList("mail addresses", mailAddress),
    "comma list of addresses that are notified of what goes wrong, and when it is over; needs the mail server",
  ),
  RECADO_ALERT_URL: secret(postUrl, "address that alerts are posted to as JSON; chat services show their `text`"),
  RECADO_ALERT_SECRET: secret(headerToken, "signs the posts of alerts, as webhooks are signed"),
  RECADO_HEARTBEAT_URL: secret(
    postUrl,
    "address that is asked (GET) every minute while all works: a watcher elsewhere notices when that ends, also when the machine is dead",
  ),
  RECADO_ALERT_TELEGRAM: secret(telegramChat, "`<bot token>@<chat id>`: a Telegram bot that writes the alerts"),
  RECADO_ALERT_TELEGRAM_URL: given(httpUrl, "https://api.telegram.org", "base URL of the Telegram Bot API, for alerts"),
  RECADO_BILLING_TZ: given(timeZone, "UTC", "IANA time zone in which days overdue are counted"),
  RECADO_KEEP_MESSAGES: given(
    keepTerm,
    "forever",
    "how long messages, received texts and calls are kept: `30d`, `12mo` (a year) or `forever`, as in the settings below; what waits to be sent stays",
  ),
  RECADO_KEEP_EVENTS: given(
    keepTerm,
    "7d",
    "delivered events; those with undelivered deliveries, dead letters and the log of attempts stay for 30 days if that is longer",
  ),
  RECADO_KEEP_CONVERSATIONS: given(
    keepTerm,
    "forever",
    "closed conversations with their texts, and the conversations of agents with people",
  ),
  RECADO_KEEP_MEDIA: given(
    keepTerm,
    "7d",
    "files that come with messages, unless they are acknowledged before, and uploaded ones; a message, batch or fallback that was accepted keeps its own until it has ended",
  ),
  RECADO_KEEP_BATCHES: given(keepTerm, "12mo", "finished batches with their recipients"),
  RECADO_KEEP_USAGE: given(
    keepTerm,
    "60mo",
    "usage per day; that of months without an invoice, or whose invoice is unpaid, stays",
  ),
  RECADO_KEEP_AUDIT: given(
    keepTerm,
    "24mo",
    "entries of the audit log, which can still be verified after older ones went",
  ),
  RECADO_KEEP_MAIL: given(keepTerm, "12mo", "mails that were sent or given up"),
  RECADO_CALL_RING_TIMEOUT: given(wholeNumber("seconds", 1, 600), "5", "seconds that a call may ring"),
  RECADO_GATEWAY_RATE: given(perMinute, "600", "gateway requests per account and minute"),
  RECADO_GATEWAY_SEND_RATE: given(
    perMinute,
    "300",
    "gateway requests that send a message, such as `POST /v1/messages`, per account and minute",
  ),
  RECADO_ADDRESS_RATE: given(
    perMinute,
    "20",
    "platform requests per minute and client address without a valid identity",
  ),
  RECADO_BODY_BUDGET: given(
    wholeNumber("MiB", 32, 1_000_000),
    "64",
    "MiB of request bodies that are held in memory at once; further ones are answered 503 `OVERLOADED`",
  ),
  RECADO_BODY_TIMEOUT: given(
    wholeNumber("seconds", 1, 3600),
    "10",
    "seconds that have to bring 128 KiB more of a body, or its end; else it is answered 408 `REQUEST_TIMEOUT`",
  ),
  RECADO_LIMITS: optional(
    numbersOf(...COLLECTION_NAMES),
    "comma list of `name=number` that changes what a user or an account may have at most, such as `webhooks=100,members=20`; the names are listed under Limits",
    "as listed under Limits",
  ),
  RECADO_PLUGIN_DIR: given(path, "<data>/plugins", "channel adapters loaded at start"),
  RECADO_PLUGINS: given(oneOf("lenient", "strict"), "lenient", strictPlugins),
  RECADO_UPDATE_URL: given(
    urlOrOff,
    "off",
    "where the newest release is named: the address of the `latest.json` of releases, read once a day without a redirect; the doctor and the console show it, nothing is downloaded, and nothing about this server is sent; `off`: nobody looks",
  ),
  RECADO_LOG_LEVEL: given(oneOf("debug", "info", "warn", "error", "silent"), "info", "least level that is logged"),
  RECADO_UNCERTAIN_SENDS: given(
    oneOf("fail", "resend"),
    "fail",
    "what becomes of a send whose outcome is unknown on a network that cannot recognise a repeat: `fail` it, or `resend` it and risk a second copy",
  ),
  RECADO_TEST_CLOCK: optional(oneOf("1"), "`1` enables the test clock; refused when the public URL is not loopback"),
} satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S> =
  S extends Setting<infer T, infer Fallback> ? T | (Fallback extends string ? never : undefined) : never;

/** The values of all settings, each with the type of its kind. */
export type SettingValues = { [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
