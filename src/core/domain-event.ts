import type { Identity } from "../contract/events.ts";
import type { ChannelKind } from "../contract/kind.ts";
import { hmacSha256 } from "../kernel/crypto.ts";
import type { ChannelId, TenantId } from "../kernel/ids.ts";
import type { Environment } from "../store/tables/tenancy/keys.ts";
import type { EventFields } from "./events/definitions/index.ts";

/**
 * From the strongest identifier of a contact to the weakest. A group is not a person and has only one, nor are a
 * newsletter and a broadcast, whose many readers no message names.
 */
export const CONTACT_TYPES = [
  "group",
  "newsletter",
  "broadcast",
  "pn",
  "lid",
  "bsuid",
  "igsid",
  "uid",
  "username",
] as const;

/** A person or group on a network, by the strongest identifier known. `canonicalKey` is `<type>:<value>`. */
export type Contact = {
  canonicalKey: string;
  type: (typeof CONTACT_TYPES)[number];
  pn: string | null;
  lid: string | null;
  bsuid?: string;
  username?: string;
};

/** Whether a contact stands for many people. */
export const isMany = ({ type }: Pick<Contact, "type">): boolean =>
  type === "group" || type === "newsletter" || type === "broadcast";

export const contactOf = (identity: Identity): Contact => {
  const type = CONTACT_TYPES.find((kind) => identity[kind] !== undefined) ?? "username";
  return {
    canonicalKey: `${type}:${identity[type] ?? "unknown"}`,
    type,
    pn: identity.pn ?? null,
    lid: identity.lid ?? null,
    ...(identity.bsuid === undefined ? {} : { bsuid: identity.bsuid }),
    ...(identity.username === undefined ? {} : { username: identity.username }),
  };
};

/** The contact behind a canonical key. */
export const contactOfKey = (canonicalKey: string): Contact => {
  const [kind = "", ...rest] = canonicalKey.split(":");
  return contactOf({ [kind]: rest.join(":") });
};

/**
 * A hint for the person who links a channel, in English and Portuguese. `retryAt`: the earliest time at which asking
 * again makes sense.
 */
export type ShownHint = { code: string; en: string; pt: string; retryAt?: string };

/** The daily token budgets of language models: per contact of an agent, per agent, per account. */
export type BudgetName = "contact" | "agent" | "account";

/** The metadata of a stored file, as events carry it. */
export type MediaMetadata = {
  mediaId: string;
  contentType: string;
  sizeBytes: number;
  filename: string | null;
  expiresAt: number;
};

/** The app that leads a conversation in place of this one: its role, if known, and since when. */
export type HeldBy = { role: string | null; since: number };

/** Why the leader of a conversation changed: an event of the network, a request made here, or a day of silence. */
export type HolderCause = "message" | "standby" | "handover" | "request" | "idle";

/** Something that happened, in the core's terms: one of the definitions. Each audience renders it; no code changes it. */
export type DomainEvent = { [Type in keyof EventFields]: { type: Type } & EventFields[Type] }[keyof EventFields];

export type MessageReceived = Extract<DomainEvent, { type: "message.received" }>;
/** The status of a message that was sent from here. */
export type MessageSent = Extract<DomainEvent, { isFirst: boolean }>;

/**
 * A domain event with the place and time of its publication. `channelId` is null for an event of the whole account.
 * `kind`: the channel's; null without a channel, and where it is not known (any more).
 */
export type PublishedEvent = {
  id: string;
  tenantId: TenantId;
  channelId: ChannelId | null;
  kind: ChannelKind | null;
  environment: Environment;
  createdAt: number;
  domainEvent: DomainEvent;
};

/** The secret that signs a webhook's deliveries, and the previous secret while it is still valid. */
export type SigningSecrets = { secret: string; previousSecret: string | undefined };

/**
 * The headers that sign a body: `name` with the signature of the secret, and `name` with `-Previous` while the previous
 * secret is still valid.
 */
export const signatureHeaders = (
  name: string,
  { body, secret, previousSecret }: SigningSecrets & { body: string },
): Record<string, string> => ({
  [name]: `sha256=${hmacSha256(secret, body, "hex")}`,
  ...(previousSecret === undefined
    ? {}
    : { [`${name}-Previous`]: `sha256=${hmacSha256(previousSecret, body, "hex")}` }),
});
