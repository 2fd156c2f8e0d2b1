import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, HOUR_MS } from "../../src/kernel/clock.ts";
import { clientOf } from "../support/client.ts";
import { TO } from "../support/customers/customer.ts";
import { addOfficialPhone } from "../support/customers/official-phone.ts";
import { startGraph } from "../support/graph/index.ts";
import { processes, quietPort } from "../support/processes/process.ts";
import { untilTrue } from "../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET } from "../support/world.ts";

const { dataDir, serve } = processes();
const graph = startGraph();
afterAll(() => graph.stop());

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";

test("a scheduled message keeps its file over its end and three kills of the process, and gives it back", async () => {
  const dir = dataDir();
  const settings = {
    RECADO_DATA_DIR: dir,
    RECADO_LISTEN: `127.0.0.1:${await quietPort()}`,
    RECADO_LOG_LEVEL: "error",
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_META_APP_SECRET: APP_SECRET,
    RECADO_META_GRAPH_URL: graph.url,
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_TEST_CLOCK: "1",
  };
  let server = await serve(settings);
  const client = clientOf(server, ADMIN_TOKEN);
  const killed = async () => {
    server.signal("SIGKILL");
    await server.ended;
    server = await serve(settings);
  };
  const advance = (advanceMs: number) => client.admin<{ now: string }>("/clock", { advanceMs });
  const files = (): string[] =>
    readdirSync(join(dir, "media"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const { id: phoneId, key } = await addOfficialPhone(client, graph);
  const { mediaHandle } = await client.gateway<{ mediaHandle: string }>("/v1/media/files/base64", key, { base64: PNG });
  const { id } = await client.gateway<{ id: string }>("/v1/messages/scheduled", key, {
    scheduledAt: new Date(Date.parse((await advance(0)).now) + 8 * DAY_MS).toISOString(),
    payload: { phoneId, to: TO, type: "image", content: { mediaHandle } },
  });
  await killed();
  await advance(7 * DAY_MS + HOUR_MS);
  await killed();
  expect(files()).toHaveLength(1);
  await advance(DAY_MS);
  await killed();
  const scheduled = () =>
    client.gateway<{ status: string; messageId: string | null }>(`/v1/messages/scheduled/${id}`, key);
  await untilTrue(async () => (await scheduled()).status === "SENT");
  const { messageId } = await scheduled();
  await untilTrue(
    async () => (await client.gateway<{ status: string }>(`/v1/messages/${messageId}`, key)).status === "SENT",
  );
  await advance(2 * HOUR_MS);
  await untilTrue(async () => files().length === 0);
}, 120_000);
