import { isBuiltin } from "node:module";
import { dirname, join } from "node:path/posix";

/**
 * The map of allowed imports, and the checks of files against it. Pure: a file is its path from the root, and its text.
 */
export type SourceFile = { path: string; text: string };
export type Import = { specifier: string; isType: boolean };

/** A folder (or file) of the map: the imports of its files beside each other. `types`: only with `import type`. */
type Area = { at: string; may: readonly string[]; types?: readonly string[] };

const BELOW_CORE = ["src/kernel/", "src/contract/", "src/store/", "src/runtime/"];
/** The rooms of the store: each sees the rooms before it. The engine knows no table. */
const STORE_IN_ORDER = ["src/store/engine/", "src/store/tables/", "src/store/laws/", "src/store/backup/"];
const SLICES_IN_ORDER = [
  "src/core/tenancy/",
  "src/core/events/",
  "src/core/channels/",
  "src/core/media/",
  "src/core/conversations/",
  "src/core/messaging/",
];
const LAST_SLICES = ["src/core/groups/", "src/core/calls/", "src/core/ai/", "src/core/billing/", "src/core/chatwoot/"];
/** The imports of every slice: the base environment, the domain events, and what jobs share. */
const BASE_OF_CORE = [
  "src/core/base-env.ts",
  "src/core/domain-event.ts",
  "src/core/events/definitions/",
  "src/core/job-parts.ts",
];
const API = ["src/apis/shared/", "src/core/", "src/contract/", "src/kernel/"];

/** A slice sees the slices before it. The last five come after all others and never see each other. */
const sliceAreas = (): Area[] => {
  const base = [...BELOW_CORE, ...BASE_OF_CORE];
  const ordered = SLICES_IN_ORDER.map((at, index) => ({ at, may: [...base, ...SLICES_IN_ORDER.slice(0, index)] }));
  return [...ordered, ...LAST_SLICES.map((at) => ({ at, may: [...base, ...SLICES_IN_ORDER] }))];
};

/** The common code of the networks of one company; no plugin itself. */
const SHARED_BY_PLUGINS = "plugins/meta/";

/**
 * The first area whose path a file's path begins with is the file's. `plugins/<any>/` stands for each plugin's own
 * folder.
 */
export const AREAS: readonly Area[] = [
  { at: "src/kernel/", may: [] },
  { at: "src/contract/", may: ["src/kernel/"] },
  ...STORE_IN_ORDER.map((at, index) => ({
    at,
    may: ["src/kernel/", "migrations/", ...STORE_IN_ORDER.slice(0, index)],
    types: ["src/contract/"],
  })),
  { at: "src/runtime/", may: ["src/kernel/", "src/store/"] },
  ...BASE_OF_CORE.map((at) => ({ at, may: [...BELOW_CORE, ...BASE_OF_CORE] })),
  {
    at: "src/core/env.ts",
    may: BELOW_CORE,
    types: [
      "src/core/own-jobs.ts",
      ...[...SLICES_IN_ORDER, ...LAST_SLICES, "src/core/people/", "src/core/alerts/"].map((at) => `${at}env.ts`),
    ],
  },
  {
    at: "src/core/alerts/",
    may: [...BELOW_CORE, ...BASE_OF_CORE, ...SLICES_IN_ORDER, "src/core/backups.ts"],
  },
  { at: "src/core/people/", may: [...BELOW_CORE, ...BASE_OF_CORE, ...SLICES_IN_ORDER, ...LAST_SLICES] },
  ...[
    "src/core/jobs.ts",
    "src/core/own-jobs.ts",
    "src/core/inbound.ts",
    "src/core/upstream.ts",
    "src/core/scrape.ts",
    "src/core/prune.ts",
    "src/core/retention.ts",
    "src/core/retention-sweeps.ts",
    "src/core/growth.ts",
    "src/core/joining.ts",
    "src/core/removal.ts",
    "src/core/reactions.ts",
    "src/core/timetable.ts",
    "src/core/restored.ts",
    "src/core/backups.ts",
    "src/core/machine.ts",
    "src/core/updates.ts",
  ].map((at) => ({
    at,
    may: [...BELOW_CORE, "src/core/"],
  })),
  ...sliceAreas(),
  // the package does not export this file, so it is imported by its path
  {
    at: "src/adapters/voice/voice-mp3.ts",
    may: ["src/adapters/", "src/kernel/", "node_modules/mpg123-decoder/src/"],
    types: ["src/contract/"],
  },
  { at: "src/adapters/", may: ["src/kernel/"], types: ["src/contract/"] },
  { at: "src/apis/shared/", may: API },
  { at: "src/apis/metrics.ts", may: API },
  { at: "src/apis/platform/", may: API },
  { at: "src/apis/gateway/", may: API },
  { at: "src/apis/cloud/", may: API },
  { at: "src/apis/chatwoot/", may: API },
  { at: "src/apis/evolution/", may: API },
  { at: "src/apis/waha/", may: API },
  { at: "src/apis/mcp/", may: ["src/apis/shared/", "src/apis/gateway/auth.ts", "src/kernel/"] },
  // a program in the browser speaks only to the APIs, through the public client; the doctor's words are texts, and
  // numbers and variables in files, handles, types, names of programs and the needs of templates are read as the server does
  {
    at: "src/console/web/",
    may: [
      "clients/typescript/",
      "src/contract/content/template-needs.ts",
      "src/doctor/words.ts",
      "src/kernel/texts/charsets.ts",
      "src/kernel/texts/csv.ts",
      "src/kernel/texts/devices.ts",
      "src/kernel/texts/media-types.ts",
      "src/kernel/texts/office-files.ts",
      "src/kernel/texts/texts.ts",
      "src/kernel/texts/workbooks.ts",
      "src/kernel/texts/file-names.ts",
      "src/kernel/numbers/phone-numbers.ts",
      "src/kernel/numbers/written-numbers.ts",
    ],
  },
  { at: "src/console/", may: API },
  { at: "src/doctor/", may: [...BELOW_CORE, "src/core/", "src/adapters/", "src/setup.ts", "src/version.ts"] },
  { at: "src/commands/", may: ["src/", "plugins/", "migrations/", "package.json", "clients/typescript/"] },
  // a public client contains nothing of Recado but itself
  { at: "clients/typescript/", may: [] },
  { at: "clients/adapter/", may: [] },
  { at: "clients/n8n/", may: ["clients/typescript/"] },
  { at: "src/listener.ts", may: ["src/kernel/", "src/apis/shared/"] },
  { at: "src/forwarding.ts", may: ["src/kernel/", "src/apis/shared/", "src/listener.ts"], types: ["src/contract/"] },
  { at: "src/master-key.ts", may: ["src/kernel/", "src/store/", "src/setup.ts"] },
  { at: "src/key-rotation.ts", may: ["src/kernel/", "src/store/", "src/core/", "src/setup.ts", "src/master-key.ts"] },
  { at: "src/test-clock.ts", may: ["src/kernel/", "src/runtime/", "src/store/", "src/core/"] },
  { at: "src/node.ts", may: ["src/kernel/", "src/runtime/", "src/store/", "src/core/"] },
  { at: "src/version.ts", may: ["package.json"] },
  {
    at: "src/machine.ts",
    may: ["src/kernel/", "src/adapters/", "src/licences.ts"],
    types: ["src/contract/"],
  },
  { at: "src/licences.ts", may: ["package.json"], types: ["src/contract/"] },
  { at: "src/setup.ts", may: ["src/kernel/"], types: ["src/store/"] },
  { at: "src/audiences.ts", may: ["src/kernel/", "src/core/", "src/apis/"] },
  { at: "src/store-reports.ts", may: ["src/kernel/", "src/setup.ts"], types: ["src/store/"] },
  {
    at: "src/loading/folder.ts",
    may: ["src/contract/", "src/kernel/", "src/core/channels/links/guard/", "src/loading/"],
  },
  { at: "src/loading/", may: ["src/contract/", "src/kernel/", "src/version.ts"] },
  { at: "src/conformance/", may: ["src/contract/", "src/kernel/"] },
  { at: "src/app.ts", may: ["src/", "plugins/", "package.json"] },
  { at: "src/composition.ts", may: ["src/", "plugins/", "package.json"] },
  {
    at: "src/mounts.ts",
    may: ["src/kernel/", "src/apis/", "src/console/server/", "src/forwarding.ts", "src/listener.ts"],
    types: ["src/composition.ts"],
  },
  { at: "src/description.ts", may: ["src/"] },
  { at: "src/main.ts", may: ["src/", "package.json"] },
  { at: "plugins/index.ts", may: ["plugins/", "src/contract/"] },
  ...["plugins/waba/", "plugins/social/", "plugins/messenger/"].map((at) => ({
    at,
    may: ["src/contract/", "src/kernel/", SHARED_BY_PLUGINS],
  })),
  { at: "plugins/<any>/", may: ["src/contract/", "src/kernel/"] },
];

/** One library, one door. A package that is not listed has no door yet. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  elysia: ["src/apis/"],
  "swagger-ui-dist": ["src/apis/shared/docs/docs.ts"],
  preact: ["src/console/web/"],
  "@preact/signals": ["src/console/web/"],
  "preact-iso": ["src/console/web/"],
  "lucide-preact": ["src/console/web/"],
  uplot: ["src/console/web/"],
  "@simplewebauthn/browser": ["src/console/web/"],
  "@simplewebauthn/server": ["src/core/tenancy/"],
  otplib: ["src/core/tenancy/"],
  "drizzle-orm": ["src/store/"],
  "bun:sqlite": ["src/store/engine/connection.ts"],
  libsql: ["src/store/engine/remote/libsql-file.ts", "src/store/engine/remote/replica-worker.ts"],
  croner: ["src/runtime/cron.ts"],
  marked: ["src/kernel/texts/markdown.ts"],
  socks: ["src/adapters/http/tunnel.ts"],
  "rabbitmq-client": ["src/adapters/brokers/amqp.ts"],
  "@nats-io/transport-node": ["src/adapters/brokers/nats.ts"],
  "@nats-io/jetstream": ["src/adapters/brokers/nats.ts"],
  "@modelcontextprotocol/sdk": ["src/apis/mcp/"],
  "@brazilian-utils/brazilian-utils": ["src/kernel/numbers/brazil.ts", "src/console/web/parts/forms/payer-number.ts"],
  "libphonenumber-js": ["src/kernel/numbers/written-numbers.ts"],
  pino: ["src/kernel/log.ts"],
  nanoid: ["src/kernel/ids.ts"],
  "@node-rs/argon2": ["src/kernel/crypto.ts"],
  jose: ["src/kernel/crypto.ts"],
  "ipaddr.js": ["src/kernel/network/networks.ts", "src/kernel/network/client-address.ts"],
  "file-type": ["src/kernel/texts/file-types.ts"],
  mime: ["src/kernel/texts/file-types.ts"],
  nodemailer: ["src/adapters/mailer.ts"],
  linkedom: ["src/adapters/"],
  htmlparser2: ["src/kernel/texts/page-head.ts"],
  sharp: ["src/adapters/pictures/", "plugins/session/outbound/content/shown-picture.ts"],
  "@mozilla/readability": ["src/adapters/"],
  unpdf: ["src/adapters/"],
  mammoth: ["src/adapters/"],
  hucre: ["src/kernel/texts/workbooks.ts"],
  fflate: ["src/adapters/"],
  "@evan/opus": ["src/adapters/voice/voice-opus.ts"],
  "@audio/decode-amr": ["src/adapters/voice/voice-amr.ts"],
  mediabunny: ["src/adapters/voice/voice-containers.ts"],
  "@whiskeysockets/baileys": ["plugins/session/"],
  libsignal: ["plugins/session/keys/hardening.ts"],
  qrcode: ["src/apis/shared/"],
  "@sinclair/typebox": [
    "src/kernel/",
    "src/contract/",
    "src/core/",
    "src/apis/",
    "src/console/server/",
    "src/loading/",
    "plugins/",
  ],
  "csv-parse": ["src/kernel/texts/csv.ts"],
  "n8n-workflow": ["clients/n8n/"],
  "node:http": ["src/adapters/", "src/store/engine/remote/hrana.ts", "plugins/template/conformance.js"],
  "node:https": ["src/adapters/", "src/store/engine/remote/hrana.ts"],
  "node:http2": ["src/adapters/"],
  "node:dns": ["src/adapters/"],
  "node:timers": ["src/kernel/", "src/adapters/"],
  "bun:ffi": ["src/adapters/"],
};
const TYPE_DOORS: Readonly<Record<string, readonly string[]>> = { elysia: ["src/app.ts"] };

/**
 * The files that make the ports. Clients and programs in the browser have no ports, because they do no work of the
 * server.
 */
const PORTS = ["src/kernel/", "src/adapters/", "src/main.ts", "clients/", "src/console/web/"];

/** Words of the platform that only the ports' own implementations may use. */
const GLOBALS: readonly { pattern: RegExp; allowed: readonly string[] }[] = [
  { pattern: /\bDate\.now\b|\bnew Date\s*\(/, allowed: PORTS },
  {
    pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b/,
    allowed: PORTS,
  },
  { pattern: /\bset(?:Timeout|Interval)\b|\bBun\.sleep/, allowed: PORTS },
  { pattern: /\bsetImmediate\b/, allowed: ["src/kernel/", "src/adapters/", "src/main.ts", "src/store/"] },
  {
    pattern: /["']x-(?:forwarded-|real-ip)/i,
    allowed: ["src/apis/shared/http/request.ts", "src/doctor/network/public-url.ts"],
  },
  {
    pattern: /\b(?:process|Bun|import\.meta)\.env\b/,
    allowed: ["src/kernel/", "src/adapters/", "src/main.ts", "src/commands/"],
  },
  {
    pattern: /\b(?:(?:local|session)Storage|indexedDB|document\.cookie|cookieStore|caches\.)/,
    allowed: ["src/console/web/frame/kept.ts"], // which forgets it when nobody is signed in any more
  },
];

const LOADERS = ["src/loading/loader.ts"];
/** Lines of code in a file, at 120 characters. A file of tests is a list of cases. */
export const LONGEST_FILE_LINES = 400;
const LONGEST_TEST_LINES = 600;

export const isUnder = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder));

const areaOf = (path: string): Area | undefined =>
  AREAS.find(({ at }) => (at === "plugins/<any>/" ? /^plugins\/[^/]+\//.test(path) : path.startsWith(at)));

/** The common folder of an area's files: its folder, or for plugins the folder of the one plugin. */
const homeOf = (path: string, area: Area): string =>
  area.at === "plugins/<any>/" ? path.split("/").slice(0, 2).join("/").concat("/") : area.at;

/** The text without its comments, but with `//` and `/*` inside texts (URLs, globs, media types). */
export const withoutComments = (text: string): string =>
  text.replaceAll(/(^|[\s(,{])\/\*[\s\S]*?\*\//gm, "$1").replaceAll(/(^|[\s;,{}()])\/\/.*$/gm, "$1");

const STATEMENT =
  /^[ \t]*(?:import|export)\b(?<type>\s+type\b(?!\s*(?:,|from)))?[^"'`;=()]*?\bfrom\s*["'](?<specifier>[^"']+)["']/gm;
const SIDE_EFFECT = /^[ \t]*import\s*["'](?<specifier>[^"']+)["']/gm;
const CALL = /\b(?:import|require|import\.meta\.resolve|getBuiltinModule)\(\s*["'`](?<specifier>[^"'`$]+)["'`]/g;
const WORKER = /\bnew URL\(\s*["'](?<specifier>\.[^"']+)["']\s*,\s*import\.meta\.url/g;
const COMPUTED = /\b(?:import|require|getBuiltinModule)\(\s*(?!["'`][^"'`$]*["'`]\s*[,)])/;

/** Every import of a file, with `import type` and imports inside calls. */
export const importsOf = (text: string): Import[] => {
  const code = withoutComments(text);
  return [STATEMENT, SIDE_EFFECT, CALL, WORKER].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(({ groups }) => ({
      specifier: groups?.["specifier"] ?? "",
      isType: groups?.["type"] !== undefined,
    })),
  );
};

const packageOf = (specifier: string): string => {
  if (specifier.startsWith("bun:")) return specifier;
  if (isBuiltin(specifier)) return `node:${specifier.replace("node:", "").split("/")[0]}`;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
};

/** The packages of the registry that a file needs when it runs. */
export const packagesOf = ({ text }: SourceFile): string[] =>
  importsOf(text)
    .filter(({ specifier, isType }) => !isType && !specifier.startsWith("."))
    .map(({ specifier }) => packageOf(specifier))
    .filter((name) => !/^(?:node:|bun(?::|$))/.test(name));

const isFreeForAll = (name: string): boolean => (name.startsWith("node:") || name === "bun") && !(name in DOORS);

const packageFault = (path: string, { specifier, isType }: Import): string | undefined => {
  const name = packageOf(specifier);
  if (isFreeForAll(name) || isUnder(path, DOORS[name] ?? []) || (isType && isUnder(path, TYPE_DOORS[name] ?? [])))
    return undefined;
  return name in DOORS
    ? `imports ${name}, whose door is ${DOORS[name]?.join(" ")}`
    : `imports ${name}, which has no door`;
};

const fileFault = (path: string, { specifier, isType }: Import, area: Area): string | undefined => {
  const target = join(dirname(path), specifier);
  if (isUnder(target, [homeOf(path, area), ...area.may]) || (isType && isUnder(target, area.types ?? [])))
    return undefined;
  return isUnder(target, area.types ?? [])
    ? `imports values of ${target}, only its types are allowed`
    : `imports ${target}, which ${homeOf(path, area)} may not`;
};

/** The imports that break the map or come through the wrong door, and files that no area covers. */
export const importFaults = ({ path, text }: SourceFile): string[] => {
  const area = areaOf(path);
  if (!area) return [`${path}: no rule covers its folder`];
  const faults = importsOf(text).map((one) =>
    one.specifier.startsWith(".") ? fileFault(path, one, area) : packageFault(path, one),
  );
  if (COMPUTED.test(withoutComments(text)) && !isUnder(path, LOADERS)) faults.push("imports a computed path");
  return faults.filter((fault) => fault !== undefined).map((fault) => `${path}: ${fault}`);
};

/** The uses of time, randomness and settings of the platform instead of a port. */
export const globalFaults = ({ path, text }: SourceFile): string[] => {
  const code = withoutComments(text);
  const found = GLOBALS.filter(({ allowed }) => !isUnder(path, allowed)).map(({ pattern }) => pattern.exec(code)?.[0]);
  return found.filter((word) => word !== undefined).map((word) => `${path}: says ${word}`);
};

/** The kinds of API keys are distinguished there; the sample of a lost event names an event as its webhook got it. */
const API_NAMES_ALLOWED = ["src/core/tenancy/keys/keys.ts", "src/core/events/definitions/subscriptions.ts"];
const API_NAME = /["'`](?:gateway|platform|cloud|evolution|waha)["'`]/;
const EVENT_NAME = /["'`](?:message|channel|media|template|contact|agent|group|billing|webhook|call):[a-z*][\w.]*["'`]/;

/** A code of one network, where the contract has the common meaning of such codes. */
const NETWORK_CODE = /\b(?:WABA|IG)_[A-Z_]+\b/;

/** A network, its owner's company or an API of it, in a name or a text: `wabaSignup`, "WhatsApp", `CloudNumber`. */
const NETWORK_NAME = /\w*(?:waba|whatsapp|instagram|telegram|facebook|messenger|evolution|waha|cloud|graphapi)\w*/gi;

/** TABLE: the names of networks in the core, and why. */
const NETWORK_NAMES: readonly { names: readonly string[]; files: readonly string[]; why: string }[] = [
  {
    names: ["wabaMarkupPct", "wabaPassthrough", "wabaCents"],
    files: [
      "src/core/billing/",
      "src/core/tenancy/accounts/accounts.ts",
      "src/core/tenancy/people/users.ts",
      "src/core/joining.ts",
    ],
    why: "stored accounts, plans and invoices, and the gateway API, have money of templates under these names",
  },
  {
    names: ["telegram", "postToTelegram", "RECADO_ALERT_TELEGRAM"],
    files: ["src/core/alerts/", "src/core/timetable.ts"],
    why: "a way to reach the operator, which a setting names; no network of a channel",
  },
  {
    names: ["WhatsApp"],
    files: ["src/core/events/definitions/"],
    why: "samples show what most readers of the documents have",
  },
  {
    names: ["cloud", "evolution"],
    files: ["src/core/tenancy/keys/keys.ts"],
    why: "the kinds of API keys are distinguished there",
  },
];

/** Names of networks in the code and the texts of the core; adapters declare the differences of networks. */
export const networkNameFaults = ({ path, text }: SourceFile): string[] => {
  if (!path.startsWith("src/core/")) return [];
  const allowed = NETWORK_NAMES.filter(({ files }) => isUnder(path, files)).flatMap(({ names }) => names);
  const found = new Set([...withoutComments(text).matchAll(NETWORK_NAME)].map(([name]) => name));
  return [...found].filter((name) => !allowed.includes(name)).map((name) => `${path}: names ${name}`);
};

/** Exceptions that no file needs any more. */
export const unneededNetworkNames = (files: readonly SourceFile[]): string[] =>
  NETWORK_NAMES.flatMap(({ names, files: folders }) =>
    folders.flatMap((folder) => {
      const under = files.filter(({ path }) => path.startsWith(folder));
      return under.some(({ text }) => names.some((name) => withoutComments(text).includes(name))) ? [] : [folder];
    }),
  );

/**
 * Names of APIs, of the events that they publish, and codes of one network, in the core: because the APIs name their
 * audiences.
 */
export const apiNameFaults = ({ path, text }: SourceFile): string[] => {
  if (!path.startsWith("src/core/") || API_NAMES_ALLOWED.includes(path)) return [];
  const code = withoutComments(text);
  const found = [API_NAME, EVENT_NAME, NETWORK_CODE].map((pattern) => pattern.exec(code)?.[0]);
  return found.filter((word) => word !== undefined).map((word) => `${path}: names ${word}`);
};

/** The files that make an actor, after a check of a credential or a link. */
const ACTORS_MADE = [
  "src/core/tenancy/audit/audit.ts",
  "src/core/tenancy/people/first-start.ts",
  "src/core/tenancy/sign-in/sign-in.ts",
  "src/apis/gateway/auth.ts",
  "src/apis/platform/auth.ts",
  "src/apis/shared/auth/presented-key.ts",
];
/** TABLE: the ways to name an actor, and the files that may use them. */
const ACTORS: readonly { pattern: RegExp; allowed: readonly string[] }[] = [
  { pattern: /\bactor: \{ name/, allowed: ACTORS_MADE },
  { pattern: /\bTHE_SERVER\b/, allowed: ["src/core/"] },
  { pattern: /\{[^}]*\bLOCAL\b[^}]*\} from "[^"]*audit\.ts"/, allowed: ["src/commands/"] },
];

/** The handlers that name an actor instead of passing on the proved one. */
export const actorFaults = ({ path, text }: SourceFile): string[] => {
  const code = withoutComments(text);
  const found = ACTORS.filter(({ allowed }) => !isUnder(path, allowed)).map(({ pattern }) => pattern.exec(code)?.[0]);
  return found.filter((word) => word !== undefined).map((word) => `${path}: names who acts, ${word}`);
};

/**
 * The files that are too long to read at once. Lines of comments and blank lines do not count, as in .oxlintrc.json.
 */
export const lengthFaults = ({ path, text }: SourceFile): string[] => {
  const lines = withoutComments(text)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
  const most = path.startsWith("test/") ? LONGEST_TEST_LINES : LONGEST_FILE_LINES;
  return lines > most ? [`${path}: has ${lines} lines, more than ${most}`] : [];
};

/** The maximum number of files side by side that people read as one list. */
export const MOST_FILES_OF_A_FOLDER = 25;

/** Folders with too many files of their own, from the paths of all files; files in their rooms do not count. */
export const fullFolders = (paths: readonly string[]): string[] =>
  [...Map.groupBy(paths, dirname)]
    .filter(([, files]) => files.length > MOST_FILES_OF_A_FOLDER)
    .map(([folder]) => folder)
    .sort();

/** Plugins without their entry file, or whose suite test is missing or holds them to no laws, from all files. */
export const pluginFaults = (files: readonly SourceFile[]): string[] => {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const names = new Set(files.flatMap(({ path }) => /^plugins\/([^/]+)\//.exec(path)?.[1] ?? []));
  return [...names]
    .filter((name) => `plugins/${name}/` !== SHARED_BY_PLUGINS)
    .flatMap((name) => {
      const [entry, suite] = [`plugins/${name}/plugin.ts`, `test/plugins/${name}/suite.test.ts`];
      const hasEntry = texts.has(entry) || texts.has(entry.replace(/ts$/, "js"));
      const isHeld = new RegExp(`\\bexercise\\(\\s*"${name}",`).test(texts.get(suite) ?? "");
      return [
        ...(hasEntry ? [] : [`${entry}: is missing`]),
        ...(isHeld ? [] : [`${suite}: does not hold ${name} to the laws of adapters`]),
      ];
    });
};

/** The files outside adapters that may name a kind of channel, because they make an example channel. */
const EXAMPLES = ["src/commands/demo/", "src/console/server/setup-pages.ts"];

/** The kinds that the adapters in `plugins/` declare. */
export const kindsIn = (files: readonly SourceFile[]): string[] => [
  ...new Set(
    files
      .filter(({ path }) => path.startsWith("plugins/"))
      .flatMap(({ text }) => [...text.matchAll(/\bkind: "([A-Z][A-Z0-9_]{1,31})"/g)].flatMap(([, kind]) => kind ?? [])),
  ),
];

/** TABLE: words that are a kind's name elsewhere, and why they are none here. */
const NOT_KINDS: readonly { word: string; files: readonly string[]; why: string }[] = [
  {
    word: `"SMS"`,
    files: ["src/contract/abilities/number.ts", "src/apis/gateway/phones/number.ts"],
    why: "a way in which the code for a number comes, beside a call",
  },
];

/**
 * The files outside the adapters that ask for a kind by its name or by the platform's word, in code or in SQL. Adapters
 * declare the differences of kinds.
 */
export const kindFaults = ({ path, text }: SourceFile, kinds: readonly string[]): string[] => {
  if (!path.startsWith("src/") || isUnder(path, EXAMPLES)) return [];
  const allowed = NOT_KINDS.filter(({ files }) => files.includes(path)).map(({ word }) => word);
  const named = withoutComments(text).match(new RegExp(`["'\`](?:CHAT_)?(?:${kinds.join("|")})["'\`]`, "g")) ?? [];
  return named.filter((word) => !allowed.includes(word)).map((word) => `${path}: names the kind ${word}`);
};
