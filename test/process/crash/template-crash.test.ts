import { afterAll, expect, test } from "bun:test";
import { clientOf } from "../../support/client.ts";
import { addOfficialPhone } from "../../support/customers/official-phone.ts";
import { BODY, TEMPLATE } from "../../support/customers/templates.ts";
import { until } from "../../support/graph/fixture.ts";
import { startGraph } from "../../support/graph/index.ts";
import { processes } from "../../support/processes/process.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

const { dataDir, serve } = processes();
const graph = startGraph();
afterAll(() => graph.stop());

type View = { id: string; status: string; name: string; rejectionReason?: string; upstreamTemplateId: string | null };
const TIME_LIMIT_MS = 60_000;

test(
  "GAP-G13 kill -9 between the submission and its answer leaves no draft; what the network had taken comes with the next sync",
  async () => {
    const settings = {
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_META_GRAPH_URL: graph.url,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    };
    let server = await serve(settings);
    const { key, id: phoneId } = await addOfficialPhone(clientOf(server, ADMIN_TOKEN), graph);
    const refused = { ...TEMPLATE, phoneId, name: "refused", components: [{ ...BODY, text: "Acaba mal: {{1}}" }] };
    const ask = <Answer>(path: string, body?: object) => clientOf(server, ADMIN_TOKEN).gateway<Answer>(path, key, body);
    expect(await ask("/v1/templates", refused).catch(String)).toContain("2388299");
    const [rejected] = await ask<View[]>("/v1/templates");

    graph.failNext(2, { kind: "hang", isAccepted: true }, { operation: "template.create" });
    const answers = [
      ask("/v1/templates", { ...TEMPLATE, phoneId }),
      ask("/v1/templates", { ...refused, components: [BODY] }),
    ];
    const lost = Promise.allSettled(answers);
    await until(() => graph.templates.size === 2);
    expect((await ask<View[]>("/v1/templates")).map(({ status }) => status)).toEqual(["DRAFT", "DRAFT"]);
    server.signal("SIGKILL");
    expect((await lost).map(({ status }) => status)).toEqual(["rejected", "rejected"]);

    server = await serve(settings);
    const kept = await ask<View[]>("/v1/templates");
    expect(kept.map((one) => ({ ...one, updatedAt: "" }))).toEqual([{ ...(rejected as View), updatedAt: "" }]);
    expect(await ask("/v1/templates/sync", { phoneId })).toEqual({ created: 1, updated: 1, total: 2 });
    const found = await ask<View[]>("/v1/templates");
    expect(found.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
      "order_update PENDING",
      "refused PENDING",
    ]);
    expect(found.find(({ name }) => name === "refused")?.id).toBe(rejected?.id ?? "");
  },
  TIME_LIMIT_MS,
);
