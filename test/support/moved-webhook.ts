import type { World } from "./world.ts";

/**
 * Has a webhook, of this id or of this phone, lead to where none may be registered: as if its name led there by now.
 */
export const moveWebhook = (w: World, id: string, url: string): Promise<void> =>
  w.app.env.db.write(async (tx) =>
    tx.run("UPDATE subscriptions SET url = ?2 WHERE id = ?1 OR channel_id = ?1", [id, url]),
  );
