import type { ChannelHost } from "../../src/contract/plugin.ts";
import { type Json, recordOf } from "../../src/kernel/texts/json.ts";
import type { Fault } from "./api.ts";
import type { Credentials } from "./credentials.ts";
import { ALLOWED_UPDATES } from "./inbound.ts";
import { idOf, textOf } from "./json.ts";
import { type Attempt, ask, type Cursor } from "./polling.ts";

/** The profile of an opened bot, and the updates that waited; none in webhook mode. */
export type Opened = { profile: Record<string, unknown>; updates: readonly Json[] };

/** Asks for the bot's profile, and starts polling or sets the webhook, as its credentials say. */
export const open = async (
  host: ChannelHost,
  attempt: Attempt,
  credentials: Credentials,
  cursor: Cursor,
): Promise<Opened | { fault: Fault }> => {
  const me = await attempt.api({ method: "getMe" });
  if (!me.ok) return me;
  const profile = profileOf(recordOf(me.result));
  const opened =
    credentials.mode === "webhook" ? await openWebhook(host, attempt, credentials) : await openPolling(attempt, cursor);
  return "fault" in opened ? opened : { profile, updates: opened.updates };
};

const profileOf = (me: Json): Record<string, unknown> => ({
  telegramBotId: idOf(me["id"]) ?? null,
  telegramUsername: textOf(me["username"]) ?? null,
});

type Begun = { updates: readonly Json[] } | { fault: Fault };

/**
 * Updates can be requested only while no webhook is set. Waiting updates are kept:
 * https://core.telegram.org/bots/api#deletewebhook.
 */
const openPolling = async (attempt: Attempt, cursor: Cursor): Promise<Begun> => {
  const deleted = await attempt.api({ method: "deleteWebhook" });
  return deleted.ok ? ask(attempt, cursor, true) : deleted;
};

/** The secret is on disk before the network learns it: https://core.telegram.org/bots/api#setwebhook. */
const openWebhook = async (host: ChannelHost, attempt: Attempt, { webhookSecret }: Credentials): Promise<Begun> => {
  const secret = webhookSecret ?? Buffer.from(host.random.bytes(32)).toString("base64url");
  if (webhookSecret === undefined) await host.vault.write({ webhookSecret: secret });
  const fields = { url: host.webhookUrl, secret_token: secret, allowed_updates: ALLOWED_UPDATES };
  const set = await attempt.api({ method: "setWebhook", fields });
  return set.ok ? { updates: [] } : set;
};
