import { noteSubscriptionChange } from "../../../src/store/tables/events/subscriptions.ts";
import type { World } from "../world.ts";

/**
 * Points a webhook (by its id or its phone) at an address that cannot be registered, as if its name resolved there now.
 */
export const moveWebhook = (w: World, id: string, url: string): Promise<void> =>
  w.app.env.db.write(async (tx) => {
    tx.run("UPDATE subscriptions SET url = ?2 WHERE id = ?1 OR channel_id = ?1", [id, url]);
    noteSubscriptionChange(tx);
  });
