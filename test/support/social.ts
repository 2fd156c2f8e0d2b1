import { type Instagram, startInstagram } from "./instagram/index.ts";
import type { Receiver } from "./receiver.ts";
import { seededRandom } from "./seeded-random.ts";
import { APP_SECRET, startWorld, WEBHOOK_SECRET, type World } from "./world.ts";

export const IG_APP = "990602627938098";
const IG_APP_SECRET = "the-instagram-app-secret-of-the-tests";
export const REDIRECT = "https://app.example.com/instagram/callback";

/** A whole Recado with the simulated Instagram as its upstream; the simulator's clock is the machine's, which stands at the world's start. */
export type SocialWorld = { w: World; instagram: Instagram; stop(): Promise<void> };

export const startSocialWorld = async (env: Record<string, string> = {}): Promise<SocialWorld> => {
  const instagram = startInstagram({ random: seededRandom(7) });
  instagram.addApp({ appId: IG_APP, appSecret: IG_APP_SECRET, redirectUris: [REDIRECT] });
  const w = await startWorld({
    env: {
      RECADO_INSTAGRAM_APP_ID: IG_APP,
      RECADO_INSTAGRAM_APP_SECRET: IG_APP_SECRET,
      RECADO_INSTAGRAM_GRAPH_URL: instagram.urls.graph,
      RECADO_INSTAGRAM_TOKEN_URL: instagram.urls.token,
      RECADO_INSTAGRAM_AUTHORIZE_URL: instagram.urls.authorize,
      RECADO_INSTAGRAM_REDIRECT_URIS: REDIRECT,
      ...env,
    },
  });
  instagram.webhooks.configure({ url: `${w.app.url}/gateway/v1/upstream-webhook`, appSecret: IG_APP_SECRET });
  return {
    w,
    instagram,
    async stop() {
      await w.stop();
      await instagram.stop();
    },
  };
};

export { APP_SECRET };

let accounts = 0;

export type SocialCustomer = { accountId: string; key: string; phoneId: string; igUserId: string; igsid: string; hook: Receiver };

/** An account with a connected phone of the photo network, and a user who has just written to it. */
export const newSocialCustomer = async ({ w, instagram }: SocialWorld): Promise<SocialCustomer> => {
  const { id: accountId, key } = await w.account();
  const n = ++accounts;
  const igUserId = `1784140579318${7000 + n}`;
  const igsid = `15351486748${10_000 + n}`;
  instagram.addAccount({ igUserId, username: `padaria${n}` });
  instagram.addUser({ igsid, username: `ana${n}`, hasWrittenTo: [igUserId] });
  const hook = w.receiver();
  const code = instagram.authorize({ redirectUri: REDIRECT, igUserId });
  const answer = await w.gateway("/v1/phones/social/oauth", { key, body: { code, redirectUri: REDIRECT, webhook: { url: hook.url, secret: WEBHOOK_SECRET } } });
  if (answer.status !== 201) throw new Error(`the account was not connected: ${answer.status} ${answer.text}`);
  await w.settle();
  hook.arrived.length = 0;
  return { accountId, key, phoneId: answer.body.id, igUserId, igsid, hook };
};
