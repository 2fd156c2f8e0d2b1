import { afterEach, beforeEach } from "bun:test";
import { type SocialSettings, socialPlugin } from "../../../plugins/social/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { type ManualClock, manualClock } from "../../../src/conformance/manual-clock.ts";
import { type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ChannelLink, ChannelPlugin, SendOrder } from "../../../src/contract/plugin.ts";
import type { Http } from "../../../src/contract/ports/http.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { type Instagram, startInstagram } from "../instagram/index.ts";

/** Odd and beyond 2^53: read as a number of JavaScript it is another account's. */
export const ACCOUNT = "17841405793187219";
export const USER = "1535148674817116";
export const TOKEN = "IGAA-long-token-0f3e";
export const APP = "990602627938098";
export const APP_SECRET = "instagram-app-secret-5d1c";
export const REDIRECT = "https://app.example.com/instagram/callback";
export const VERIFY_TOKEN = "verify-token-77aa";

/** The fields in the vault of the account's channel. */
export const vaultAt = (nowMs: number): Record<string, string> => ({
  igUserId: ACCOUNT,
  accessToken: TOKEN,
  tokenIssuedAt: String(nowMs),
  tokenExpiresAt: String(nowMs + 60 * DAY_MS),
});

/** A simulator with an app, an account with a token, and a user who has just written to it. */
export const seededInstagram = (clock: ManualClock): Instagram => {
  const instagram = startInstagram({ clock, random: seededRandom(1) });
  instagram.addApp({ appId: APP, appSecret: APP_SECRET, redirectUris: [REDIRECT] });
  instagram.addAccount({ igUserId: ACCOUNT, username: "padaria", tokens: [TOKEN] });
  instagram.addUser({ igsid: USER, username: "ana", hasWrittenTo: [ACCOUNT] });
  return instagram;
};

export const settingsFor = ({ urls }: Instagram): SocialSettings => ({
  appId: APP,
  appSecrets: [APP_SECRET, "another-secret"],
  graphUrl: urls.graph,
  graphVersion: "v25.0",
  tokenUrl: urls.token,
  authorizeUrl: urls.authorize,
  redirectUris: [REDIRECT],
  verifyToken: VERIFY_TOKEN,
});

/**
 * One account's channel on the simulator, anew for every test of the file that calls `socialChannel`; both go by the
 * host's clock.
 */
export type SocialChannel = {
  instagram: Instagram;
  http: Http;
  plugin: ChannelPlugin;
  host: RecordingHost;
  link: ChannelLink;
  /** Opens another link, of a channel with this `vault`. */
  open(vault: Record<string, string>): { host: RecordingHost; link: ChannelLink };
};

export const socialChannel = (): (() => SocialChannel) => {
  let channel: SocialChannel | undefined;
  let cleanUp = async () => {};
  beforeEach(() => {
    const clock = manualClock();
    const instagram = seededInstagram(clock);
    const http = createHttp({ allow: ["127.0.0.1"], extraCa: undefined }); // the host of files
    const plugin = socialPlugin(settingsFor(instagram));
    const links: ChannelLink[] = [];
    const open = (vault: Record<string, string>) => {
      const host = recordingHost({ http, vault, clock });
      const link = plugin.open(host);
      links.push(link);
      return { host, link };
    };
    channel = { instagram, http, plugin, open, ...open(vaultAt(clock.now())) };
    cleanUp = async () => {
      await Promise.all(links.map((link) => link.close()));
      http.close();
      await instagram.stop();
    };
  });
  afterEach(() => cleanUp());
  return () => {
    if (!channel) throw new Error("the channel is made before each test");
    return channel;
  };
};

export const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";
export const TEXT: Content = { type: "text", content: { text: "oi" } };

export const orderOf = (content: Content = TEXT, to = `igsid:${USER}`): SendOrder => ({
  ...content,
  messageId: MESSAGE_ID,
  to,
});

/** The requests to an edge of the API, such as `messages`, in short. */
export const callsTo = ({ instagram }: Pick<SocialChannel, "instagram">, edge: string) =>
  instagram.journal.filter(({ path }) => path.endsWith(`/${edge}`));
