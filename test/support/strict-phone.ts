import type { clientOf } from "./client.ts";
import type { Graph } from "./graph/index.ts";
import { untilTrue } from "./waiting.ts";
import { addWabaNumber, WEBHOOK_SECRET } from "./world.ts";

/** Makes an account with an official phone whose received messages go to `url` in strict order of each chat. */
export const addStrictPhone = async (
  client: ReturnType<typeof clientOf>,
  { graph, url }: { graph: Graph; url: string },
): Promise<{ id: string; key: string; phoneNumberId: string }> => {
  const { key } = await client.account();
  const { number: _, ...credentials } = addWabaNumber(graph);
  const { id } = await client.gateway<{ id: string }>("/v1/phones", key, {
    type: "WABA",
    label: "A phone",
    credentials,
  });
  await client.gateway("/v1/webhooks", key, {
    label: "In order",
    url,
    secret: WEBHOOK_SECRET,
    events: ["message:received"],
    allPhones: true,
    ordering: "chat",
  });
  await untilTrue(
    async () => (await client.gateway<{ status: string }>(`/v1/phones/${id}`, key)).status === "CONNECTED",
  );
  return { id, key, phoneNumberId: credentials.phoneNumberId };
};
