import { Type } from "@sinclair/typebox";
import type { ClientUpdate } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { iso } from "../../../kernel/clock.ts";
import { issuesOf, Nullable } from "../../../kernel/schema.ts";
import { parsedJson } from "../../../kernel/texts/json.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, updateChannel } from "../../../store/tables/channels/channels.ts";
import { readMeta, writeMeta } from "../../../store/tables/meta.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { type PublishEnv, publish } from "../../events/publish.ts";
import type { ChannelsEnv } from "../env.ts";

/** The version with which a kind's channels speak to their network. `expiresAt`: when the network ends it. */
export type ClientInUse = { version: string; expiresAt: number | null };

const Stored = Type.Object({ version: Type.String(), expiresAt: Nullable(Type.Number()) });

const clientIn = (stored: unknown): ClientInUse | undefined =>
  issuesOf(Stored, stored).length === 0 ? (stored as ClientInUse) : undefined; // its form has been checked

const rowOf = (kind: ChannelKind): string => `client:${kind}`;

const findClient = async (reader: Reader, kind: ChannelKind): Promise<ClientInUse | undefined> =>
  clientIn(parsedJson((await readMeta(reader, rowOf(kind))) ?? ""));

/** The versions with which channels of these kinds were last connected. */
export const clientsInUse = async (
  reader: Reader,
  kinds: readonly ChannelKind[],
): Promise<({ kind: ChannelKind } & ClientInUse)[]> => {
  const found = await Promise.all(kinds.map(async (kind) => ({ kind, client: await findClient(reader, kind) })));
  return found.flatMap(({ kind, client }) => (client ? [{ kind, ...client }] : []));
};

/** The versions of these kinds that their networks are going to end. */
export const endingClients = async (
  reader: Reader,
  kinds: readonly ChannelKind[],
): Promise<{ kind: ChannelKind; version: string; expiresAt: number }[]> =>
  (await clientsInUse(reader, kinds)).flatMap(({ expiresAt, ...client }) =>
    expiresAt === null ? [] : [{ ...client, expiresAt }],
  );

const isSame = (one: ClientInUse | undefined, other: ClientInUse | undefined): boolean =>
  one?.version === other?.version && one?.expiresAt === other?.expiresAt;

/**
 * Records the version with which a channel's link speaks, and when its network ends it. The date is logged once, and
 * published once per channel, also when the network withdraws it. A new version discards the end of the earlier one.
 */
export const recordClient = async (
  env: PublishEnv & Pick<ChannelsEnv, "log">,
  tx: Tx,
  channel: ChannelRow,
  { version, expiresAt }: ClientUpdate,
): Promise<void> => {
  const { kind } = channel;
  const before = await findClient(tx, kind);
  if (expiresAt === undefined && before?.version === version) return;
  const now: ClientInUse = { version, expiresAt: expiresAt ?? null };
  if (!isSame(before, now)) {
    await writeMeta(tx, rowOf(kind), JSON.stringify(now));
    if (now.expiresAt !== null)
      env.log.warn(
        { kind, version, until: iso(now.expiresAt) },
        "the network stops accepting this client version: update Recado, or set a newer version",
      );
  }
  if (expiresAt !== undefined) await publishEnd(env, tx, channel, now);
};

const publishEnd = async (
  env: PublishEnv & Pick<ChannelsEnv, "log">,
  tx: Tx,
  channel: ChannelRow,
  now: ClientInUse,
): Promise<void> => {
  const published = clientIn(channel.profile["client"]);
  if (isSame(published, now) || (now.expiresAt === null && !published)) return;
  const client = now.expiresAt === null ? undefined : now;
  await updateChannel(tx, EVERY_TENANT, channel.id, { profile: { ...channel.profile, client } });
  const origin = { tenantId: channel.tenantId, channel };
  await publish(env, tx, origin, { type: "channel.client_expiring", ...now });
};
