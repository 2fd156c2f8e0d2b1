import type { clientOf } from "../client.ts";
import type { Graph } from "../graph/index.ts";
import { untilTrue } from "../waiting.ts";
import { addWabaNumber, WEBHOOK_SECRET } from "../world.ts";

/** An account with one phone of the official network. */
export type OfficialPhone = { id: string; key: string; phoneNumberId: string };

/** Makes an account with an official phone on a server in a process of its own, and waits until it is connected. */
export const addOfficialPhone = async (
  client: ReturnType<typeof clientOf>,
  graph: Graph,
  webhookUrl?: string,
): Promise<OfficialPhone> => {
  const { key } = await client.account();
  const { number: _, ...credentials } = addWabaNumber(graph);
  const { id } = await client.gateway<{ id: string }>("/v1/phones", key, {
    type: "WABA",
    label: "A phone",
    credentials,
    ...(webhookUrl !== undefined && { webhook: { url: webhookUrl, secret: WEBHOOK_SECRET } }),
  });
  await untilTrue(
    async () => (await client.gateway<{ status: string }>(`/v1/phones/${id}`, key)).status === "CONNECTED",
  );
  return { id, key, phoneNumberId: credentials.phoneNumberId };
};
