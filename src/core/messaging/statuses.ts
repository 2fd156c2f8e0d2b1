import type { ContentType } from "../../contract/content/content.ts";
import { invalid } from "../../kernel/errors.ts";
import { recipientDigits } from "../../kernel/numbers/phone-numbers.ts";
import { issue } from "../../kernel/schema.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import { CONVERSATION_STATUSES, listMetOn, type MetPerson } from "../../store/tables/conversations/conversations.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { adapterMissing, notOffered } from "../channels/refusals.ts";
import { contactOfKey, isMany } from "../domain-event.ts";
import type { MessagingEnv } from "./env.ts";
import type { Envelope } from "./sending/sendable.ts";

/** The most people that one status is for: it is encrypted for each device of each of them. */
export const MOST_VIEWERS = 1000;

/** The canonical key under which the statuses of an account go out. */
const STATUSES = "broadcast:status";

/** A status that a client posts. Without `audience` it is for everybody whom the channel knows. */
export type StatusInput = {
  channelId: string;
  type: ContentType;
  content: unknown;
  audience?: readonly string[];
  backgroundColor?: string;
  font?: number;
  idempotencyKey?: string;
};

/**
 * A status as a message to accept, with its audience. Without one it is for the people with whom the channel has a
 * conversation, the latest first, and who did not opt out.
 * @throws AppError CHANNEL_NOT_FOUND, ADAPTER_MISSING, NOT_OFFERED_UPSTREAM for a kind without statuses, VALIDATION for
 *   an audience that cannot be reached, or for nobody at all
 */
export const statusEnvelope = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, type, content, audience, backgroundColor, font, idempotencyKey }: StatusInput,
): Promise<Envelope> => {
  const channel = await getChannel(env, scope, channelId);
  const declared = env.registry.declared(channel.kind);
  if (!declared) throw adapterMissing(channel.kind);
  if (!declared.capabilities.broadcasts?.broadcast) throw notOffered("post statuses");
  const keys = audience ? await keysOf(env, channel, audience) : await everybodyOn(env, channel);
  if (keys.length === 0) throw invalid(issue("audience", "required", "the phone knows nobody who could see it yet"));
  return {
    channelId,
    to: STATUSES,
    type,
    content,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    status: {
      audience: keys.join(),
      ...(audience ? {} : { everybody: "true" }),
      ...(backgroundColor === undefined ? {} : { backgroundColor }),
      ...(font === undefined ? {} : { font: String(font) }),
    },
  };
};

const keysOf = async (env: MessagingEnv, { kind }: ChannelRow, audience: readonly string[]): Promise<string[]> => {
  const plugin = env.registry.of(kind, "live");
  if (!plugin) throw adapterMissing(kind);
  const addresses = await Promise.all(audience.map(async (to) => plugin.address(recipientDigits(to))));
  const keys = addresses.map((address) => (address.ok && !isMany(contactOfKey(address.to)) ? address.to : undefined));
  const issues = keys.flatMap((key, place) =>
    key === undefined ? [issue(`audience.${place}`, "format", "must be a person of this network")] : [],
  );
  if (issues.length > 0) throw invalid(...issues);
  return [...new Set(keys.filter((key) => key !== undefined))];
};

const everybodyOn = async ({ db }: MessagingEnv, { id: channelId }: ChannelRow): Promise<string[]> => {
  const keys = new Set<string>();
  for (const status of CONVERSATION_STATUSES) {
    const met = await db.read((reader) => listMetOn(reader, { channelId, status, limit: MOST_VIEWERS }));
    for (const key of met.flatMap((person) => keyOf(person) ?? [])) if (keys.size < MOST_VIEWERS) keys.add(key);
  }
  return [...keys];
};

const keyOf = ({ phoneNumber, alias }: MetPerson): string | null =>
  phoneNumber === null ? alias : `pn:${phoneNumber}`;
