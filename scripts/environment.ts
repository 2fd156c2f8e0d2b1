// Writes systemd/recado.env.example, the settings of a service, from src/kernel/settings/settings.ts.
//   bun scripts/environment.ts
import { resolve } from "node:path";
import { SETTING_NAMES, SETTINGS, type SettingName } from "../src/kernel/settings/settings.ts";

const DATA_DIR = "/var/lib/recado";
const WIDTH = 100;

/** TABLE: the parts of the file; a setting stands in the first part whose pattern its name fits. */
const PARTS: readonly { title: string; names: RegExp }[] = [
  { title: "Where it is reached", names: /_(LISTEN|PUBLIC_URL|PLATFORM_URL|GATEWAY_URL)$/ },
  { title: "Who may do what", names: /_(ADMIN_TOKEN|REGISTRATION|PLATFORM_DEFAULT_PLAN)$/ },
  { title: "Secrets at rest", names: /_MASTER_KEY$/ },
  { title: "Database and media", names: /_(DATABASE_\w+|MEDIA|S3_\w+)$/ },
  { title: "Several nodes", names: /_NODE(_\w+)?$/ },
  { title: "Backups", names: /_BACKUP(_\w+)?$/ },
  { title: "WhatsApp, official", names: /_META_/ },
  { title: "Instagram", names: /_INSTAGRAM_/ },
  { title: "WhatsApp Web sessions", names: /_(WHATSAPP_WEB|SESSION)_/ },
  { title: "Agents", names: /_LLM_/ },
  { title: "Billing", names: /_(PROCESSOR|BILLING|SMTP|MAIL)_/ },
  { title: "Limits", names: /_RATE$/ },
  { title: "Outbound requests", names: /_(OUTBOUND_ALLOW|EXTRA_CA)$/ },
  { title: "Everything else", names: /./ },
];

/**
 * The settings that are not for an operator: the unit sets the data directory, and a service has the machine's clock.
 */
const LEFT_OUT: readonly SettingName[] = ["RECADO_DATA_DIR", "RECADO_TEST_CLOCK"];

const HEAD = [
  "Settings of the service recado: /etc/recado/recado.env. To set one, remove the # before its name; after a change:",
  "systemctl restart recado. `recado config` shows what is set and where it comes from.",
  "",
  "What stands here is what holds while nothing is set. RECADO_X_FILE=/path reads RECADO_X from a file; a secret is",
  "better kept as a credential: /usr/share/doc/recado/examples/credentials.conf. The data lies in /var/lib/recado.",
];

const comment = (lines: readonly string[]): string[] => lines.map((line) => (line === "" ? "#" : `# ${line}`));

const wrapped = (text: string): string[] =>
  text.split(" ").reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    return last !== undefined && last.length + word.length < WIDTH
      ? [...lines.slice(0, -1), `${last} ${word}`]
      : [...lines, word];
  }, []);

const meaningOf = (name: SettingName): string => {
  const { meaning, shown, fallback } = SETTINGS[name];
  const unset = fallback === undefined && shown !== "–" ? `; while unset: ${shown}` : "";
  return `${meaning}${unset}`.replaceAll("`", "").replaceAll("<data>", DATA_DIR);
};

const entry = (name: SettingName): string =>
  [
    ...comment(wrapped(meaningOf(name))),
    `#${name}=${(SETTINGS[name].fallback ?? "").replaceAll("<data>", DATA_DIR)}`,
  ].join("\n");

/** The environment file with every setting an operator may need, each commented out at its default. */
export const environmentExample = (): string => {
  const titleOf = (name: SettingName): string => PARTS.find(({ names }) => names.test(name))?.title ?? "";
  const names = SETTING_NAMES.filter((name) => !LEFT_OUT.includes(name));
  const parts = PARTS.map(({ title }) => ({ title, own: names.filter((name) => titleOf(name) === title) })).filter(
    ({ own }) => own.length > 0,
  );
  const texts = parts.map(({ title, own }) => [`## ${title}`, ...own.map(entry)].join("\n\n"));
  return `${[comment(HEAD).join("\n"), ...texts].join("\n\n")}\n`;
};

if (import.meta.main) await Bun.write(resolve(import.meta.dir, "../systemd/recado.env.example"), environmentExample());
