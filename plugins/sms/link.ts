import { createAsking } from "../../src/contract/asking.ts";
import type { ChannelHost, ChannelLink } from "../../src/contract/plugin.ts";
import { withoutTrailing } from "../../src/kernel/texts/texts.ts";
import { FAILURE_WITHOUT, type NoCredentials, type ProviderName, readCredentials } from "./credentials.ts";
import { without } from "./failures.ts";
import type { Account, Provider, Sendable, Urls } from "./provider.ts";
import { twilio } from "./twilio/twilio.ts";
import { zenvia } from "./zenvia/zenvia.ts";

export const BY_NAME: Readonly<Record<ProviderName, Provider>> = { twilio, zenvia };

const CLOSED = without("retry", "CHANNEL_UNAVAILABLE", "the channel is closed");

type Opened = { account: Account; provider: Provider };

const opened = async (host: ChannelHost, urls: Urls): Promise<Opened | NoCredentials> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return credentials;
  const { provider: name } = credentials;
  return {
    account: { host, base: withoutTrailing(urls[name], "/"), credentials },
    provider: BY_NAME[name],
  };
};

/** One sender's link. It holds no connection: connecting means asking the provider whether the account is good. */
export const smsLink = (host: ChannelHost, urls: Urls): ChannelLink => {
  const asking = createAsking(host, async () => {
    const found = await opened(host, urls);
    return typeof found === "string"
      ? { state: "FAILED", reason: `CREDENTIALS_${found.toUpperCase()}` }
      : found.provider.check(found.account);
  });
  let isClosed = false;
  return {
    connect() {
      isClosed = false;
      asking.connect();
    },
    async close() {
      isClosed = true;
      await asking.close();
    },
    async forget() {
      const found = await opened(host, urls);
      if (typeof found !== "string") await found.provider.forget(found.account);
    },
    async send(order) {
      if (isClosed) return CLOSED;
      const found = await opened(host, urls);
      if (typeof found === "string") return FAILURE_WITHOUT[found];
      return found.provider.send(found.account, order as Sendable); // the core has checked the type
    },
    media: {
      async open(nativeId) {
        const found = await opened(host, urls);
        return typeof found === "string"
          ? { ok: false, kind: "credentials", reason: FAILURE_WITHOUT[found].reason }
          : found.provider.open(found.account, nativeId);
      },
    },
  };
};
