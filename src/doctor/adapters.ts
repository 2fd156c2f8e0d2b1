import { fileRemedy } from "../kernel/file-faults.ts";
import { readUses } from "../store/engine/inspection.ts";
import { type Check, fault, ok, saidBy, warning, worstOf } from "./check.ts";
import { onDatabase } from "./database/database.ts";

const PUT_BACK =
  "put the adapter into the folder of RECADO_PLUGIN_DIR and restart the server, or delete these channels";

const REPAIR = "repair or remove this adapter, then restart the server: until then its channels are not served";

/** An adapter that hangs takes 10 s, and there may be several. */
const LIMIT_MS = 35_000;

/** Every adapter can be loaded, every channel has its adapter, and every variable of adapters belongs to one. */
export const adapters: Check = {
  name: "adapters",
  limitMs: LIMIT_MS,
  async run(installation) {
    const found = await installation.adapters().catch((thrown: unknown) => ({ thrown }));
    if ("thrown" in found)
      return fault(
        saidBy(found.thrown),
        fileRemedy(found.thrown, installation.config.dataDir) ??
          "the server does not start while this folder cannot be read",
      );
    const { plugins, unavailable, unowned } = found;
    const kinds: string[] = plugins.flatMap(({ kind, standsIn }) => (standsIn ? [] : [kind]));
    return worstOf([
      ...unavailable.map((one) => fault(one.fault, REPAIR)),
      ...unowned.map((one) => warning(one, "remove the variable, or put its adapter back")),
      await onDatabase(installation, async (reader) => {
        const missing = (await readUses(reader)).kinds.filter((kind) => !kinds.includes(kind));
        return missing.length === 0
          ? ok(kinds.join(", "))
          : fault(`there are channels of the kind ${missing.join(", ")}, and no adapter for them`, PUT_BACK);
      }),
    ]);
  },
};
