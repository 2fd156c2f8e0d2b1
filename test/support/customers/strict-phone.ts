import type { clientOf } from "../client.ts";
import type { Graph } from "../graph/index.ts";
import { WEBHOOK_SECRET } from "../world.ts";
import { addOfficialPhone, type OfficialPhone } from "./official-phone.ts";

/** Makes an account with an official phone whose received messages go to `url` in strict order of each chat. */
export const addStrictPhone = async (
  client: ReturnType<typeof clientOf>,
  { graph, url }: { graph: Graph; url: string },
): Promise<OfficialPhone> => {
  const phone = await addOfficialPhone(client, graph);
  await client.gateway("/v1/webhooks", phone.key, {
    label: "In order",
    url,
    secret: WEBHOOK_SECRET,
    events: ["message:received"],
    allPhones: true,
    ordering: "chat",
  });
  return phone;
};
