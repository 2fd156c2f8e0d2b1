import { invalid } from "../../../kernel/errors.ts";
import { type ChannelId, gatewaySecret } from "../../../kernel/ids.ts";
import { codePoints, type Issue, issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import {
  deleteAppSubscriptions,
  deleteSubscription,
  findAppSubscription,
  insertSubscription,
  listAppSubscriptions,
  type SubscriptionRow,
  updateSubscription,
} from "../../../store/tables/events/subscriptions.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { shakeHands } from "../../events/handshake.ts";
import { headerIssues, type OwnHeaders, takesValuesElsewhere } from "../../events/own-headers.ts";
import { resumeEndpoint } from "../../events/queues.ts";
import { retryAll } from "../../events/retrying.ts";
import {
  changesOf,
  endDeliveries,
  isOtherEndpoint,
  newSubscription,
  unknownSubscription,
  urlIssues,
} from "../../events/subscriptions.ts";
import { urlOf } from "../../events/webhook-url.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import type { ChannelsEnv } from "../env.ts";
import { requireChannel } from "../refusals.ts";

export type { SubscriptionRow as App } from "../../../store/tables/events/subscriptions.ts";

/** The one program that gets the events of a channel in an audience. */
export type AppOf = { channelId: string; audience: string };

/** `verifyToken`: asks the URL to confirm before anything is stored. Without a `secret`, a new one is made. */
export type AppInput = {
  url: string;
  verifyToken?: string;
  secret?: string;
  /** Absent fields stay unchanged. */
  profile?: string;
  events?: readonly string[];
  headers?: OwnHeaders;
};

/** `secret` is the signing secret if it is new, to be shown once. */
export type SavedApp = { app: SubscriptionRow; secret: string | undefined };

/** The shortest secret that signs. */
const LEAST_SECRET = 16;

/** The longest address and the longest token, as of every webhook. */
const MOST = { url: 2048, verifyToken: 256 } as const;

const tooLong = (input: AppInput): Issue[] =>
  (["url", "verifyToken"] as const).flatMap((name) =>
    codePoints(input[name] ?? "") > MOST[name]
      ? [issue(name, "maxLength", `must have at most ${MOST[name]} characters`)]
      : [],
  );

const inputIssues = async (env: ChannelsEnv, { url, secret, headers }: AppInput): Promise<Issue[]> => [
  ...(codePoints(url) > MOST.url ? [] : await urlIssues(env, "url", url)),
  ...headerIssues(headers),
  ...(secret !== undefined && secret.length < LEAST_SECRET
    ? [issue("secret", "minLength", `must have at least ${LEAST_SECRET} characters`)]
    : []),
];

/** @throws AppError VALIDATION for a value that no program may have */
export const checkApp = async (env: ChannelsEnv, input: AppInput): Promise<void> => {
  const issues = [...tooLong(input), ...(await inputIssues(env, input))];
  if (issues.length > 0) throw invalid(...issues);
};

/**
 * The program of a channel; undefined if it has none.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const readApp = (
  env: Pick<ChannelsEnv, "db">,
  scope: TenantScope,
  { channelId, audience }: AppOf,
): Promise<SubscriptionRow | undefined> =>
  env.db.read(async (reader) => {
    const { id } = await requireChannel(reader, scope, channelId);
    return findAppSubscription(reader, scope, { channelId: id, audience });
  });

/**
 * The programs of a channel in an audience that takes several, oldest first.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const readApps = (
  env: Pick<ChannelsEnv, "db">,
  scope: TenantScope,
  { channelId, audience }: AppOf,
): Promise<SubscriptionRow[]> =>
  env.db.read(async (reader) => {
    const { id } = await requireChannel(reader, scope, channelId);
    return listAppSubscriptions(reader, scope, { channelId: id, audience });
  });

/**
 * Makes these the programs of a channel in an audience that takes several, in one write. A program that has one of the URLs
 * is changed, the others are made or removed. `checkApp` must have accepted each.
 * @throws AppError CHANNEL_NOT_FOUND, and VALIDATION for values that would be sent to another host
 */
export const setApps = (
  env: ChannelsEnv,
  caller: Caller,
  { channelId, audience }: AppOf,
  inputs: readonly Omit<AppInput, "verifyToken">[],
): Promise<void> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, channelId);
    const known = await listAppSubscriptions(tx, caller, { channelId: channel.id, audience });
    const left = new Map(known.map((one) => [urlOf(env, one), one]));
    for (const input of inputs) {
      const current = left.get(input.url);
      left.delete(input.url);
      if (current) await changeApp(env, tx, current, input);
      else await addApp(env, tx, channel, { ...input, audience });
    }
    for (const { id } of left.values()) {
      await deleteSubscription(tx, caller, { kind: "app" }, id);
      endDeliveries(env, tx, id);
    }
    await recordAct(env, tx, caller, {
      action: inputs.length === 0 ? "webhook.delete" : "webhook.change",
      target: channel.id,
      tenantId: channel.tenantId,
      details: inputs.length === 0 ? { kind: "app" } : { kind: "app", fields: ["url"] },
    });
  });

/**
 * Saves the URL for the events of a channel, once the URL has confirmed. An existing secret stays. A refused handshake
 * changes nothing.
 * @throws AppError CHANNEL_NOT_FOUND, VALIDATION, HANDSHAKE_REFUSED
 */
export const saveApp = async (env: ChannelsEnv, caller: Caller, of: AppOf, input: AppInput): Promise<SavedApp> => {
  await readApp(env, caller, of); // an unknown channel is refused before its owner's URL is asked
  await checkApp(env, input);
  const { url, verifyToken } = input;
  if (verifyToken !== undefined) await shakeHands(env, { url, verifyToken });
  const verified = verifyToken === undefined ? {} : { verifiedAt: env.clock.now() };
  return env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, of.channelId);
    const current = await findAppSubscription(tx, caller, { channelId: channel.id, audience: of.audience });
    await recordAct(env, tx, caller, {
      action: "webhook.change",
      target: channel.id,
      tenantId: channel.tenantId,
      details: { kind: "app", fields: Object.keys(input).filter((name) => name !== "verifyToken") },
    });
    const { verifyToken: _, ...rest } = input;
    return current
      ? changeApp(env, tx, current, { ...rest, ...verified })
      : addApp(env, tx, channel, { ...rest, ...verified, audience: of.audience });
  });
};

type Stored = Omit<AppInput, "verifyToken"> & { verifiedAt?: number };

const changeApp = async (env: ChannelsEnv, tx: Tx, current: SubscriptionRow, input: Stored): Promise<SavedApp> => {
  if (takesValuesElsewhere(current, input))
    throw invalid(issue("headers", "required", "must be given anew with all values, because url is of another host"));
  const changes = changesOf(env, current, { ...input, isActive: true });
  const app = (await updateSubscription(tx, current, current.id, changes)) ?? current;
  resumeEndpoint(env, tx, current.id); // the breaker that paused it is closed now
  if (isOtherEndpoint(env, current, input)) await retryAll(env, tx, current.id, { isNewSeries: true });
  return { app, secret: input.secret };
};

/** Gives this program to a channel without one, within a write that may do more. `checkApp` must have accepted it. */
export const addApp = async (
  env: ChannelsEnv,
  tx: Tx,
  { id: channelId, tenantId, label }: ChannelRow,
  { audience, events = [], ...input }: Stored & { audience: string },
): Promise<SavedApp> => {
  const secret = input.secret ?? gatewaySecret(env.random);
  const app = newSubscription(
    env,
    tenantId,
    { audience, kind: "app" },
    { ...input, events, secret, name: label, channelId, ordering: "chat" },
  );
  await insertSubscription(tx, app);
  return { app, secret };
};

/**
 * Makes a new signing secret for the program of a channel. The old secret no longer signs.
 * @throws AppError CHANNEL_NOT_FOUND, or SUBSCRIPTION_NOT_FOUND for a channel without a program
 */
export const renewAppSecret = (
  env: ChannelsEnv,
  caller: Caller,
  { channelId, audience }: AppOf,
): Promise<{ secret: string }> =>
  env.db.write(async (tx) => {
    const app = await requireApp(tx, caller, { channelId, audience });
    const secret = gatewaySecret(env.random);
    await updateSubscription(tx, caller, app.id, changesOf(env, app, { secret }));
    await recordAct(env, tx, caller, {
      action: "webhook.change",
      target: channelId,
      tenantId: caller.tenantId,
      details: { kind: "app", fields: ["secret"] },
    });
    return { secret };
  });

/**
 * Removes the program of a channel. Its waiting deliveries become dead letters or are deleted, as its audience says.
 * @throws AppError CHANNEL_NOT_FOUND, or SUBSCRIPTION_NOT_FOUND for a channel without a program
 */
export const removeApp = (env: ChannelsEnv, caller: Caller, of: AppOf): Promise<void> =>
  env.db.write(async (tx) => {
    const app = await requireApp(tx, caller, of);
    await deleteSubscription(tx, caller, { kind: "app" }, app.id);
    endDeliveries(env, tx, app.id);
    await recordAct(env, tx, caller, {
      action: "webhook.delete",
      target: of.channelId,
      tenantId: caller.tenantId,
      details: { kind: "app" },
    });
  });

const requireApp = async (tx: Tx, scope: TenantScope, { channelId, audience }: AppOf): Promise<SubscriptionRow> => {
  const { id } = await requireChannel(tx, scope, channelId);
  const app = await findAppSubscription(tx, scope, { channelId: id, audience });
  if (!app) throw unknownSubscription();
  return app;
};

/** Removes the programs of a channel that this write deletes. */
export const forgetApps = async (env: Pick<ChannelsEnv, "jobs">, tx: Tx, channelId: ChannelId): Promise<void> => {
  for (const id of await deleteAppSubscriptions(tx, channelId)) endDeliveries(env, tx, id);
};
