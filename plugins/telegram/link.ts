import type { ChannelHost, ChannelLink } from "../../src/contract/plugin.ts";
import { type Api, apiOf, baseOf } from "./api.ts";
import { createConnection } from "./connection.ts";
import { FAILURE_WITHOUT, readCredentials } from "./credentials.ts";
import { isTokenRefused, type SendFailure } from "./errors.ts";
import { telegramMedia } from "./media.ts";
import { operateOn } from "./operations.ts";
import { sendOrder } from "./send.ts";

/** The network's own server; an operator's server takes larger files. */
export const PUBLIC_URL = "https://api.telegram.org";

const COURTESY_TIMEOUT_MS = 5000;
const CLOSED: SendFailure = { ok: false, kind: "retry", code: "CHANNEL_UNAVAILABLE", reason: "the channel is closed" };

/** One bot's link. */
export const telegramLink = (host: ChannelHost, url: string): ChannelLink => {
  const connection = createConnection(host, url);
  const isPublicServer = baseOf(url) === PUBLIC_URL;
  let isClosed = false;

  /** An API whose calls end the connection of generation `begun` when the network refuses the token. */
  const watched = (token: string, begun: number): Api => {
    const api = apiOf(host.http, url, token);
    return async (call) => {
      const result = await api(call);
      if (!result.ok && isTokenRefused(result.fault)) connection.refuseToken(begun);
      return result;
    };
  };
  const withApi = async <Outcome>(use: (api: Api) => Promise<Outcome>): Promise<Outcome | SendFailure> => {
    if (isClosed) return CLOSED;
    const begun = connection.generation; // before the vault is read: a new token begins a new one
    const credentials = await readCredentials(host);
    return typeof credentials === "string" ? FAILURE_WITHOUT[credentials] : use(watched(credentials.token, begun));
  };

  return {
    get lastReceivedAt() {
      return connection.lastReceivedAt;
    },
    connect() {
      isClosed = false;
      connection.connect();
    },
    async close() {
      isClosed = true;
      connection.close();
    },
    forget: () => forgetWebhook(host, url),
    send: (order) => withApi((api) => sendOrder({ api, http: host.http, random: host.random, isPublicServer }, order)),
    operate: (operation) => withApi((api) => operateOn(api, operation)),
    media: telegramMedia(host, url),
  };
};

/** Removes the webhook in webhook mode. The bot itself still belongs to its owner. */
const forgetWebhook = async (host: ChannelHost, url: string): Promise<void> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string" || credentials.mode !== "webhook") return;
  const result = await apiOf(
    host.http,
    url,
    credentials.token,
  )({ method: "deleteWebhook", timeoutMs: COURTESY_TIMEOUT_MS });
  if (!result.ok) host.log.warn({}, "the network did not remove the webhook");
};
