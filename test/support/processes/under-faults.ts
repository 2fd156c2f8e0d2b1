import { join } from "node:path";
import { clientOf } from "../client.ts";
import type { Graph } from "../graph/index.ts";
import type { Receiver } from "../servers/receiver.ts";
import { pauses, untilTrue } from "../waiting.ts";
import { ADMIN_TOKEN, addWabaNumber, WEBHOOK_SECRET } from "../world.ts";
import { waitingJobs } from "./aftermath.ts";
import { type Phone, settingsUnderFire } from "./burst.ts";
import { quietPort, type Server } from "./process.ts";

const WAIT_MS = 61_000;

/** The settings of a server that comes back at the same address with the same data. */
export const settingsUnderFaults = async (graph: Graph, dir: string) => ({
  RECADO_DATA_DIR: dir,
  RECADO_LISTEN: `127.0.0.1:${await quietPort()}`,
  ...settingsUnderFire(graph),
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_GATEWAY_RATE: "1000000",
  RECADO_GATEWAY_SEND_RATE: "1000000",
});

/** Two accounts, the first with two phones. */
export const connectedPhones = async (graph: Graph, receiver: Receiver, server: Server): Promise<Phone[]> => {
  const client = clientOf(server, ADMIN_TOKEN);
  const accounts = [await client.account(), await client.account()];
  const phones: Phone[] = [];
  for (const { key } of [...accounts, ...accounts.slice(0, 1)]) {
    const { number: _, ...credentials } = addWabaNumber(graph);
    const { id } = await client.gateway<{ id: string }>("/v1/phones", key, {
      type: "WABA",
      label: "A phone",
      credentials,
      webhook: { url: receiver.url, secret: WEBHOOK_SECRET },
    });
    await untilTrue(
      async () => (await client.gateway<{ status: string }>(`/v1/phones/${id}`, key)).status === "CONNECTED",
    );
    phones.push({ id, key, phoneNumberId: credentials.phoneNumberId });
  }
  return phones;
};

/** Runs until no work is left: first due work, then waiting work as time passes. */
export const settleWork = async (graph: Graph, server: Server, dir: string): Promise<void> => {
  const client = clientOf(server, ADMIN_TOKEN);
  const path = join(dir, "recado.db");
  for (const pause = pauses(); ; await pause()) {
    await graph.webhooks.settled();
    const { now } = await client.admin<{ now: string }>("/clock", { advanceMs: 0 });
    const { all, due } = waitingJobs(path, Date.parse(now));
    if (all === 0) return;
    if (due === 0) await client.admin("/clock", { advanceMs: WAIT_MS });
  }
};
