import { afterAll } from "bun:test";
import { join } from "node:path";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { GIVEN, type Setup } from "../../../src/conformance/bench.ts";
import { importedFrom, loadPlugin } from "../../../src/loading/loader.ts";
import { exercise } from "../../support/networks/channel-suite.ts";
import { newAdapter } from "../../support/new-adapter.ts";
import { tempFolders } from "../../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);

type Description = (given: typeof GIVEN) => Promise<Setup & { settings: { API_URL: string } }>;

const folder = newAdapter("template", newFolder());

exercise("template", { hasUpstream: true, hasReceiver: true, linkEmits: false, refusesToken: true }, async () => {
  const describedIn = (await importedFrom(join(folder, "conformance.js"))) as Description;
  const { settings, ...setup } = await describedIn(GIVEN);
  const { plugin } = await loadPlugin(folder, [], { RECADO_PLUGIN_TEMPLATE_API_URL: settings.API_URL });
  const http = createHttp({ allow: ["127.0.0.1"], extraCa: undefined });
  return {
    ...setup,
    plugin,
    http,
    async close() {
      await setup.close();
      http.close();
    },
  };
});
