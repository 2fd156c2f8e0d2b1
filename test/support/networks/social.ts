import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { type Instagram, startInstagram } from "../instagram/index.ts";
import type { Receiver } from "../servers/receiver.ts";
import { type Answer, startWorld, WEBHOOK_SECRET, type World } from "../world.ts";

export const IG_APP = "990602627938098";
export const IG_APP_SECRET = "the-instagram-app-secret-of-the-tests";
export const REDIRECT = "https://app.example.com/instagram/callback";

/** A whole Recado with the simulated Instagram as its upstream; both go by one clock. */
export type SocialWorld = {
  w: World;
  instagram: Instagram;
  /** Like the world's, and the webhooks follow it to its new port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

type Options = Omit<NonNullable<Parameters<typeof startWorld>[0]>, "clock">;

export const startSocialWorld = async ({ env = {}, ...options }: Options = {}): Promise<SocialWorld> => {
  const clock = manualClock();
  const instagram = startInstagram({ clock, random: seededRandom(7) });
  instagram.addApp({ appId: IG_APP, appSecret: IG_APP_SECRET, redirectUris: [REDIRECT] });
  const w = await startWorld({
    ...options,
    clock,
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
  const configureWebhooks = (appSecret = IG_APP_SECRET) =>
    instagram.webhooks.configure({ url: `${w.app.url}/gateway/v1/upstream-webhook`, appSecret });
  configureWebhooks();
  return {
    w,
    instagram,
    async restart() {
      await w.restart();
      configureWebhooks();
    },
    async stop() {
      await w.stop();
      await instagram.stop();
    },
  };
};

/**
 * An account with a connected phone of the photo network, a user who has just written to it, and its most frequent
 * acts.
 */
export type SocialCustomer = {
  accountId: string;
  key: string;
  phoneId: string;
  igUserId: string;
  igsid: string;
  hook: Receiver;
  /** POST /v1/messages; a text to the user by default. */
  send(input?: Record<string, unknown>): Promise<Answer>;
  /** Sends a message, and runs all work for it that is due now. Gives its id. Throws if it is refused. */
  sent(input?: Record<string, unknown>): Promise<string>;
  /** GET /v1/messages/{id} and GET /v1/phones/{id}. */
  message(id: string): Promise<any>;
  phone(): Promise<any>;
};

let accounts = 0;

/** An account of the network that nobody has connected yet, and a user who has just written to it. */
export const newSocialAccount = ({ instagram }: SocialWorld): { igUserId: string; igsid: string } => {
  const n = ++accounts;
  const igUserId = `1784140579318${7000 + n}`;
  const igsid = `15351486748${10_000 + n}`;
  instagram.addAccount({ igUserId, username: `padaria${n}` });
  instagram.addUser({ igsid, username: `ana${n}`, hasWrittenTo: [igUserId] });
  return { igUserId, igsid };
};

/** POST /v1/phones/social/oauth with the code of the owner's consent, and the fields of `input` instead. */
export const consent = (
  { w, instagram }: SocialWorld,
  { key, igUserId }: { key: string; igUserId: string },
  input: Record<string, unknown> = {},
): Promise<Answer> =>
  w.gateway("/v1/phones/social/oauth", {
    key,
    body: { code: instagram.authorize({ redirectUri: REDIRECT, igUserId }), redirectUri: REDIRECT, ...input },
  });

/** The events of connecting are removed: the receiver is empty. */
export const newSocialCustomer = async (s: SocialWorld): Promise<SocialCustomer> => {
  const { w } = s;
  const { id: accountId, key } = await w.account();
  const { igUserId, igsid } = newSocialAccount(s);
  const hook = w.receiver();
  const answer = await consent(s, { key, igUserId }, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
  if (answer.status !== 201) throw new Error(`the account was not connected: ${answer.status} ${answer.text}`);
  const phoneId = answer.body.id;
  await w.settle();
  hook.arrived.length = 0;
  const send: SocialCustomer["send"] = (input = {}) =>
    w.gateway("/v1/messages", { key, body: { phoneId, to: igsid, type: "text", content: { text: "olá" }, ...input } });
  return {
    accountId,
    key,
    phoneId,
    igUserId,
    igsid,
    hook,
    send,
    async sent(input) {
      const { status, body, text } = await send(input);
      if (status !== 202) throw new Error(`the message was not accepted: ${status} ${text}`);
      await w.settle();
      return body.messageId;
    },
    message: async (id) => (await w.gateway(`/v1/messages/${id}`, { key })).body,
    phone: async () => (await w.gateway(`/v1/phones/${phoneId}`, { key })).body,
  };
};

/** The messages that the network got from an account, with refused ones, in order. */
export const sendsOf = ({ instagram }: SocialWorld, { igUserId }: Pick<SocialCustomer, "igUserId">): any[] =>
  instagram.journal
    .filter(({ method, path }) => method === "POST" && path.endsWith(`/${igUserId}/messages`))
    .map(({ body }) => (body as { message: unknown }).message);

/** The network's ids of the messages that it took from an account, in their order. */
export const midsOf = ({ instagram }: SocialWorld, { igUserId }: Pick<SocialCustomer, "igUserId">): string[] =>
  [...instagram.sent.values()].filter((sent) => sent.igUserId === igUserId).map(({ messageId }) => messageId);

/** The token that an account's phone uses: the newest of its long ones. Throws without one. */
export const tokenOf = ({ instagram }: SocialWorld, { igUserId }: Pick<SocialCustomer, "igUserId">): string => {
  const token = [...instagram.tokens.values()].findLast((one) => one.igUserId === igUserId && one.kind === "long");
  if (!token) throw new Error(`the account ${igUserId} has no token`);
  return token.value;
};

const MAX_ROUNDS = 5000;

/**
 * Waits until so many calls of an account have got their answers at this edge. Nobody else waits for them, and they go
 * over real HTTP. Throws if the answers do not come.
 */
export const untilAnswered = async ({ w, instagram }: SocialWorld, path: string, times: number): Promise<void> => {
  const count = () => instagram.journal.filter((call) => call.path.endsWith(path) && call.status !== null).length;
  for (let round = 0; round < MAX_ROUNDS && count() < times; round++) await w.gateway("/health");
  if (count() !== times) throw new Error(`${path} was answered ${count()} times, not ${times}`);
};
