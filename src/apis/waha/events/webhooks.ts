import { type Static, Type } from "@sinclair/typebox";
import type { Channel } from "../../../core/channels/channel.ts";
import { type App, addApp, checkApp, readApps, setApps } from "../../../core/channels/settings/apps.ts";
import { headersOf, maskedHeaders, type OwnHeaders } from "../../../core/events/own-headers.ts";
import { urlOf } from "../../../core/events/webhook-url.ts";
import type { Caller } from "../../../core/tenancy/audit/audit.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { gatewaySecret } from "../../../kernel/ids.ts";
import { AnyText, type Issue, issue, OneOf, Text } from "../../../kernel/schema.ts";
import type { WahaEnv } from "../env.ts";
import { ASKED_NAMES } from "./events.ts";
import { WAHA } from "./render.ts";
import { formIn, profileOfForm } from "./webhook-form.ts";

/** The most webhooks that one session has. */
const MOST_WEBHOOKS = 10;
/** The longest texts that each event repeats. */
const MOST_METADATA_BYTES = 4096;
/** What stands in place of a key that its owner chose. If the client sends it back, the key stays. */
const MASK = "********";

/** A webhook as WAHA's clients give it. `retries` has no effect: Recado tries for 20 hours. */
const WebhookBody = Type.Object({
  url: Text(1, 2048),
  events: Type.Array(OneOf(ASKED_NAMES), { maxItems: 100 }),
  hmac: Type.Optional(
    Type.Union([Type.Object({ key: Type.Optional(Type.Union([Text(0, 256), Type.Null()])) }), Type.Null()]),
  ),
  customHeaders: Type.Optional(
    Type.Union([Type.Array(Type.Object({ name: AnyText(), value: AnyText() }), { maxItems: 16 }), Type.Null()]),
  ),
});

/** The fields of a session's `config` that are about its webhooks. */
export const WEBHOOK_FIELDS = {
  webhooks: Type.Optional(Type.Union([Type.Array(WebhookBody, { maxItems: MOST_WEBHOOKS }), Type.Null()])),
  metadata: Type.Optional(Type.Union([Type.Record(Type.String(), AnyText()), Type.Null()])),
};
type Given = Static<ReturnType<typeof Type.Object<typeof WEBHOOK_FIELDS>>>;

/** A webhook to be stored. */
export type Webhook = { url: string; profile: string; events: string[]; headers: OwnHeaders; secret?: string };

/** TABLE: the fields of a webhook by their names in the core. */
const FIELDS: Readonly<Record<string, string>> = { secret: "hmac.key", headers: "customHeaders" };

const ofWebhook = (refusal: unknown, index: number): unknown =>
  refusal instanceof AppError && refusal.issues.length > 0
    ? invalid(
        ...refusal.issues.map((one) => ({
          ...one,
          path: `config.webhooks.${index}.${FIELDS[one.path] ?? one.path}`,
        })),
      )
    : refusal;

type Masked = { webhook: Static<typeof WebhookBody>; index: number; stored: readonly App[] };

/** The masks that stand for nothing: what they hide is known for the webhook with this URL alone. */
const maskIssues = (env: WahaEnv, { webhook, index, stored }: Masked): Issue[] => {
  const { url, hmac, customHeaders } = webhook;
  const current = stored.find((app) => urlOf(env, app) === url);
  const known = current ? Object.keys(maskedHeaders(env, headersOf(current))).map((name) => name.toLowerCase()) : [];
  const hides = customHeaders?.some(({ name, value }) => value === MASK && !known.includes(name.toLowerCase()));
  const hidesKey = hmac?.key === MASK && !(current && formIn(current.profile).hasOwnSecret);
  return [...(hidesKey ? ["hmac.key"] : []), ...(hides ? ["customHeaders"] : [])].map((field) =>
    issue(`config.webhooks.${index}.${field}`, "required", "must be given anew: nothing is kept for this url"),
  );
};

/** The secret that changes: one of the client's, and a new one of ours where a webhook gives up its own. */
const secretIn = (env: WahaEnv, stored: readonly App[], { url, hmac }: Static<typeof WebhookBody>) => {
  const key = hmac?.key ?? "";
  if (key === MASK) return {};
  if (key !== "") return { secret: key };
  const current = stored.find((app) => urlOf(env, app) === url);
  return current && formIn(current.profile).hasOwnSecret ? { secret: gatewaySecret(env.random) } : {};
};

/** @throws AppError VALIDATION for a name that comes twice, because one of its values would be lost */
const headersIn = ({ customHeaders }: Static<typeof WebhookBody>, index: number): OwnHeaders => {
  const given = customHeaders ?? [];
  if (new Set(given.map(({ name }) => name.toLowerCase())).size < given.length)
    throw invalid(issue(`config.webhooks.${index}.customHeaders`, "forbidden", "must have each name once"));
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
};

/** The webhooks to store. @throws AppError VALIDATION, naming the field of the client */
export const checkedWebhooks = async (
  env: WahaEnv,
  { webhooks, metadata }: Given,
  stored: readonly App[] = [],
): Promise<Webhook[]> => {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > MOST_METADATA_BYTES)
    throw invalid(issue("config.metadata", "maximum", `must be at most ${MOST_METADATA_BYTES} bytes as JSON`));
  const given = webhooks ?? [];
  const urls = given.map(({ url }) => url);
  const twice = urls.findIndex((url, index) => urls.indexOf(url) < index);
  if (twice !== -1)
    throw invalid(issue(`config.webhooks.${twice}.url`, "forbidden", "is the address of another webhook here"));
  const masks = given.flatMap((webhook, index) => maskIssues(env, { webhook, index, stored }));
  if (masks.length > 0) throw invalid(...masks);
  const checked: Webhook[] = [];
  for (const [index, one] of given.entries()) {
    const { url, events, hmac } = one;
    const webhook: Webhook = {
      url,
      events: [...new Set(events)],
      headers: headersIn(one, index),
      profile: profileOfForm({ events, metadata: metadata ?? null, hasOwnSecret: Boolean(hmac?.key) }),
      ...secretIn(env, stored, one),
    };
    await checkApp(env, webhook).catch((refusal: unknown) => {
      throw ofWebhook(refusal, index);
    });
    checked.push(webhook);
  }
  return checked;
};

/** Adds the webhooks of a new session, within the write that makes it. */
export const addWebhooks = async (
  env: WahaEnv,
  tx: Parameters<typeof addApp>[1],
  channel: Channel,
  webhooks: readonly Webhook[],
): Promise<void> => {
  for (const webhook of webhooks) await addApp(env, tx, channel, { ...webhook, audience: WAHA });
};

/** Makes these the webhooks of a session. */
export const setWebhooks = (
  env: WahaEnv,
  caller: Caller,
  { id: channelId }: Channel,
  webhooks: readonly Webhook[],
): Promise<void> => setApps(env, caller, { channelId, audience: WAHA }, webhooks);

const webhookView = (env: WahaEnv, app: App) => ({
  url: app.url,
  events: app.events,
  hmac: formIn(app.profile).hasOwnSecret ? { key: MASK } : null,
  retries: null,
  customHeaders: Object.entries(maskedHeaders(env, headersOf(app))).map(([name, value]) => ({ name, value })),
});

/** The webhooks of a session as they are stored. */
export const storedWebhooks = (env: WahaEnv, caller: Caller, { id: channelId }: Channel): Promise<App[]> =>
  readApps(env, caller, { channelId, audience: WAHA });

/** The webhooks of a session, and what each event repeats. Secrets are masked. */
export const webhooksView = async (env: WahaEnv, caller: Caller, session: Channel) => {
  const apps = await storedWebhooks(env, caller, session);
  const [first] = apps;
  return {
    webhooks: apps.map((app) => webhookView(env, app)),
    metadata: first ? formIn(first.profile).metadata : null,
  };
};
