import { readUses } from "../store/inspection.ts";
import { type Check, fault, ok, saidBy } from "./check.ts";
import { onDatabase } from "./database.ts";
import { fileRemedy } from "./file-faults.ts";

const PUT_BACK =
  "put the adapter into the folder of RECADO_PLUGIN_DIR and restart the server, or delete these channels";

/** Every adapter can be loaded, and every channel has its adapter. */
export const adapters: Check = {
  name: "adapters",
  async run(installation) {
    const loaded = await installation.adapters().catch((thrown: unknown) => ({ thrown }));
    if ("thrown" in loaded)
      return fault(
        saidBy(loaded.thrown),
        fileRemedy(loaded.thrown, installation.config.dataDir) ??
          "repair or remove this adapter: the server does not start with it",
      );
    const kinds: string[] = loaded.flatMap(({ kind, standsIn }) => (standsIn ? [] : [kind]));
    return onDatabase(installation, async (reader) => {
      const missing = (await readUses(reader)).kinds.filter((kind) => !kinds.includes(kind));
      return missing.length === 0
        ? ok(kinds.join(", "))
        : fault(`there are channels of the kind ${missing.join(", ")}, and no adapter for them`, PUT_BACK);
    });
  },
};
