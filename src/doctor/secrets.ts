import { keyRow } from "../core/ai/provider.ts";
import { copyRow, ringRow, vaultRow } from "../core/channels/vault.ts";
import { secretRow } from "../core/events/dispatch.ts";
import { secretsOf } from "../kernel/crypto.ts";
import type { SubscriptionId, TenantId } from "../kernel/ids.ts";
import { systemRandom } from "../kernel/random.ts";
import { existingMasterKey, masterKeyFile } from "../setup.ts";
import { type SealedSample, sampleSealed } from "../store/inspection.ts";
import { type Check, type Finding, fault, ok, saidBy, skipped } from "./check.ts";
import { onDatabase } from "./database.ts";

/** The row that a sealed text is bound to. */
const rowOf = (sample: SealedSample): string => {
  switch (sample.kind) {
    case "vault":
      return vaultRow(sample.channelId, sample.field);
    case "ring":
      return ringRow(sample.channelId, sample.row, sample.id);
    case "copy":
      return copyRow(sample.channelId, sample.nativeKey);
    case "webhook":
      return secretRow(sample.id as SubscriptionId);
    case "llm":
      return keyRow(sample.tenantId as TenantId);
  }
};

const NAMES: Record<SealedSample["kind"], string> = {
  vault: "credentials of channels",
  ring: "keys of sessions",
  copy: "copies of messages",
  webhook: "secrets of webhooks",
  llm: "keys of language models",
};

const BRING_BACK = "bring back the master key that this database was used with, in master.key or RECADO_MASTER_KEY; without it channels have to be connected anew";

const opens = (open: () => string): boolean => {
  try {
    return open() !== undefined;
  } catch {
    return false;
  }
};

/** What the key makes of a sealed text of each kind. */
const judged = (samples: readonly SealedSample[], key: Uint8Array | undefined, source: string): Finding => {
  const names = (some: readonly SealedSample[]): string => some.map(({ kind }) => NAMES[kind]).join(", ");
  if (samples.length === 0) return key ? ok(`${source}; nothing is sealed yet`) : skipped("there is none yet; the first start makes one");
  if (!key) return fault(`there is no master key at ${source}, and ${names(samples)} are sealed under one`, BRING_BACK);
  const secrets = secretsOf(key, systemRandom());
  const shut = samples.filter((sample) => !opens(() => secrets.open(rowOf(sample), sample.sealed)));
  return shut.length > 0 ? fault(`the master key of ${source} does not open ${names(shut)}`, BRING_BACK) : ok(`${source} opens ${names(samples)}`);
};

/** There is a master key, and it opens what is sealed: one text of each kind is tried. */
export const masterKey: Check = {
  name: "master-key",
  async run(place) {
    const { config } = place;
    const source = config.masterKey ? "RECADO_MASTER_KEY" : masterKeyFile(config);
    let key: Uint8Array | undefined;
    try {
      key = existingMasterKey(config);
    } catch (error) {
      return fault(saidBy(error), BRING_BACK);
    }
    const found = await onDatabase(place, async (reader) => judged(await sampleSealed(reader), key, source));
    return found.outcome === "skipped" ? judged([], key, source) : found;
  },
};
