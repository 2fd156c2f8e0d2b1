import { secretsOf, type WrappedKey } from "../../kernel/crypto.ts";
import { systemRandom } from "../../kernel/random.ts";
import { existingMasterKey, masterKeyFile } from "../../setup.ts";
import { sampleSealed } from "../../store/laws/sealed.ts";
import { listWrappedKeys } from "../../store/tables/wrapped-keys.ts";
import { type Check, type Finding, fault, ok, saidBy, skipped } from "../check.ts";
import { onDatabase } from "./database.ts";

/** TABLE: the sealed secrets of each table, in words for the operator, the worst to lose first. */
const NAMES: Readonly<Record<string, string>> = {
  vault: "credentials of channels",
  key_rows: "keys of sessions",
  cached_messages: "copies of messages",
  subscriptions: "secrets of webhooks",
  llm_settings: "keys of language models",
  billing_customers: "tax numbers of who pays",
};

type Sealed = { samples: Awaited<ReturnType<typeof sampleSealed>>; wrapped: readonly WrappedKey[] };

const BRING_BACK = [
  "restore the master key of this database, in master.key or RECADO_MASTER_KEY;",
  "without it every channel has to be connected again",
].join(" ");

const opens = (open: () => string): boolean => {
  try {
    return open() !== undefined;
  } catch {
    return false;
  }
};

const named = (samples: Sealed["samples"]): string => {
  const tables = new Set(samples.map(({ table }) => table));
  const first = Object.keys(NAMES).filter((table) => tables.has(table));
  return [...new Set([...first, ...tables])].map((table) => NAMES[table] ?? table).join(", ");
};

/** Tries the key on a sealed text of each kind. */
const judged = ({ samples, wrapped }: Sealed, key: Uint8Array | undefined, source: string): Finding => {
  if (samples.length === 0)
    return key ? ok(`${source}; nothing is sealed yet`) : skipped("there is none yet; the first start makes one");
  if (!key) return fault(`there is no master key at ${source}, and ${named(samples)} are sealed under one`, BRING_BACK);
  const secrets = secretsOf(key, systemRandom(), wrapped);
  const shut = samples.filter((sample) => !opens(() => secrets.open(sample.row, sample.sealed)));
  return shut.length > 0
    ? fault(`the master key of ${source} does not open ${named(shut)}`, BRING_BACK)
    : ok(`${source} opens ${named(samples)}`);
};

/** There is a master key, and it opens one sealed text of each kind. */
export const masterKey: Check = {
  name: "master-key",
  async run(installation) {
    const { config } = installation;
    const source = config.masterKey ? "RECADO_MASTER_KEY" : masterKeyFile(config);
    let key: Uint8Array | undefined;
    try {
      key = existingMasterKey(config);
    } catch (error) {
      return fault(saidBy(error), BRING_BACK);
    }
    const found = await onDatabase(installation, async (reader) =>
      judged({ samples: await sampleSealed(reader), wrapped: await listWrappedKeys(reader) }, key, source),
    );
    return found.outcome === "skipped" ? judged({ samples: [], wrapped: [] }, key, source) : found;
  },
};
