import type { NumberSeed } from "../graph/index.ts";
import type { JournalEntry } from "../graph/requests/journal.ts";
import { untilTrue } from "../waiting.ts";
import { type Answer, APP_SECRET, startWorld, type World } from "../world.ts";

export const APP_ID = "670843887433847";
export const CONFIG_ID = "1047391230487";

/** A world whose operator has named the app of the network's sign-up. */
export const startSignupWorld = ({
  env = {},
  logLevel = "silent",
}: Parameters<typeof startWorld>[0] = {}): Promise<World> =>
  startWorld({
    env: { RECADO_META_APP_ID: APP_ID, RECADO_META_CONFIG_ID: CONFIG_ID, RECADO_GATEWAY_RATE: "100000", ...env },
    logLevel,
  });

/** The network's data of a number before its sign-up with Recado. */
export const DEDICATED: Partial<NumberSeed> = { platformType: "NOT_APPLICABLE" };
export const OFFICIAL: Partial<NumberSeed> = { platformType: "CLOUD_API" };
export const COEXISTENT: Partial<NumberSeed> = { platformType: "CLOUD_API", isOnBizApp: true };

/** A number at the network, by default in a new business account. */
export type Owned = { wabaId: string; phoneNumberId: string; number: string };

let counter = 0;

export const ownNumber = ({ graph }: World, seed: Partial<NumberSeed>): Owned => {
  const n = ++counter;
  const owned = {
    wabaId: seed.businessAccountId ?? `20229000${n}`,
    phoneNumberId: `20654000${n}`,
    number: `555500${20_000 + n}`,
  };
  graph.addNumber({
    ...seed,
    phoneNumberId: owned.phoneNumberId,
    businessAccountId: owned.wabaId,
    displayPhoneNumber: `+${owned.number}`,
  });
  return owned;
};

/** The results of the network's page for a browser: a code, and the token behind it. */
export const newCode = (
  { graph }: World,
  { wabaId }: Pick<Owned, "wabaId">,
  more: { grantedIds?: string[] } = {},
): { code: string; token: string } => {
  const n = ++counter;
  const seed = { code: `AQBcode${n}`, token: `EAAsigned${n}` };
  graph.addSignupCode({ ...seed, businessAccountIds: [wabaId], ...more, appId: APP_ID, appSecret: APP_SECRET });
  return seed;
};

/** POST of the sign-up of a number; by default with a new code and the number's account. */
export const signUp = (w: World, key: string, owned: Pick<Owned, "wabaId">, more: object = {}): Promise<Answer> =>
  w.gateway("/v1/phones/waba/embedded-signup", {
    key,
    body: { code: newCode(w, owned).code, wabaId: owned.wabaId, ...more },
  });

/** A signed-up phone, from the answer. Waits until its link has connected. Throws if the sign-up is refused. */
export const signedUp = async (w: World, key: string, owned: Owned, more: object = {}): Promise<any> => {
  const from = w.graph.journal.length;
  const { status, text, body } = await signUp(w, key, owned, more);
  if (status !== 201) throw new Error(`the sign-up was refused: ${status} ${text}`);
  const subscriptions = () =>
    w.graph.journal
      .slice(from)
      .filter(
        ({ method, path, status: answered }) =>
          method === "POST" && path.endsWith(`/${owned.wabaId}/subscribed_apps`) && answered !== null,
      );
  await untilTrue(() => subscriptions().length >= 2);
  await w.settle();
  return body;
};

/** The requests to the upstream since a moment, as `METHOD path` without the version. */
export const askedSince = ({ graph }: World, from: number): string[] => graph.journal.slice(from).map(nameOf);
const nameOf = ({ method, path }: JournalEntry): string => `${method} ${path.replace(/^\/v[\d.]+\//, "")}`;

/** The faults of an upstream in place of an answer. `hang` is missing, because it lasts until the client's timeout. */
export const TROUBLES = {
  "a reset connection": { kind: "reset" },
  "half an answer": { kind: "half" },
  "a success that is no JSON": { kind: "garbage" },
  "a success without what was asked for": { kind: "no-id" },
  "a proxy's 502": { kind: "http", status: 502 },
  "a 503 of its own": { kind: "error", code: 2 },
  "a rate limit": { kind: "error", code: 80007 },
} as const satisfies Record<string, Parameters<World["graph"]["failNext"]>[1]>;
