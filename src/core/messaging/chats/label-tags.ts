import { LABELS_AS_TAGS_FIELD } from "../../../contract/abilities/chats.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { listChatLabels, listLabels } from "../../../store/tables/conversations/chat-states.ts";
import type { ContactRow } from "../../../store/tables/conversations/contacts.ts";
import { listChatsWith } from "../../../store/tables/conversations/conversations.ts";
import { readContactOn } from "../../channels/identity.ts";
import { readVaultField } from "../../channels/settings/vault.ts";
import { chatWith, tagPerson } from "../../conversations/contacts.ts";
import { isMany, type PublishedEvent } from "../../domain-event.ts";
import type { EventOf, EventType } from "../../events/definitions/index.ts";
import type { MessagingEnv } from "../env.ts";

// A label of a chat is a tag of its person where the phone's setting says so. Each side follows a change of the other
// alone, and a change that is there already changes nothing: so neither side answers its own echo.

/** The longest tag of a contact, in characters. A longer label is no tag. */
const LONGEST_TAG = 50;

/** An event with its envelope. */
type Of<Type extends EventType> = Omit<PublishedEvent, "domainEvent"> & {
  domainEvent: EventOf<Type>;
};

const tagOf = (name: string): string | undefined => {
  const tag = name.trim();
  return tag === "" || [...tag].length > LONGEST_TAG ? undefined : tag;
};

const areTags = async (env: MessagingEnv, r: Reader, channelId: ChannelId): Promise<boolean> =>
  (await readVaultField(env, r, channelId, LABELS_AS_TAGS_FIELD)) === "on";

/** Tags the person of a chat that got a label, or takes the tag away with it. */
export const tagByLabel = async (
  env: MessagingEnv,
  tx: Tx,
  { tenantId, channelId, domainEvent: { chat, label, isLabelled } }: Of<"chat.labelled">,
): Promise<void> => {
  const tag = tagOf(label.name);
  if (channelId === null || tag === undefined || isMany(chat) || !(await areTags(env, tx, channelId))) return;
  await tagPerson(env, tx, { tenantId, environment: "live" }, { who: chat, tag, isRemoved: !isLabelled });
};

/** Tags a new contact by the labels that the chat had before. */
export const tagNewContact = async (
  env: MessagingEnv,
  tx: Tx,
  { tenantId, channelId, domainEvent: { chat } }: Of<"contact.created">,
): Promise<void> => {
  if (channelId === null) return;
  const who = await readContactOn(tx, channelId, chat);
  // the phone may have named the chat by its hidden id
  const keys = who.lid === null ? [chat] : [chat, `lid:${who.lid}`];
  const given = new Set((await listChatLabels(tx, channelId, keys)).map(({ labelId }) => labelId));
  if (given.size === 0 || !(await areTags(env, tx, channelId))) return;
  for (const { id, name } of await listLabels(tx, channelId)) {
    const tag = given.has(id) ? tagOf(name) : undefined;
    if (tag !== undefined) await tagPerson(env, tx, { tenantId, environment: "live" }, { who, tag, isRemoved: false });
  }
};

/**
 * Labels the chats of a contact by the tags that it got, and takes away the labels of those that it lost. A tag without a
 * label of its name makes none.
 */
export const labelByTags = async (
  env: MessagingEnv,
  tx: Tx,
  { domainEvent: { contact, formerTags } }: Of<"contact.updated">,
): Promise<void> => {
  if (!formerTags) return;
  const [before, now] = [new Set(formerTags), new Set(contact.tags)];
  const changed = before.symmetricDifference(now);
  if (changed.size === 0) return;
  const channels = new Set((await listChatsWith(tx, contact.id)).map(({ channelId }) => channelId));
  for (const channelId of channels)
    if (await areTags(env, tx, channelId)) await labelOn(env, tx, { channelId, contact, changed, now });
};

type Labelling = { channelId: ChannelId; contact: ContactRow; changed: ReadonlySet<string>; now: ReadonlySet<string> };

const labelOn = async (env: MessagingEnv, tx: Tx, { channelId, contact, changed, now }: Labelling): Promise<void> => {
  const chat = chatWith(contact);
  const given = new Set((await listChatLabels(tx, channelId, [chat])).map(({ labelId }) => labelId));
  for (const { id: labelId, name } of await listLabels(tx, channelId)) {
    const tag = tagOf(name);
    if (tag === undefined || !changed.has(tag)) continue;
    const isLabelled = now.has(tag);
    if (given.has(labelId) === isLabelled) continue;
    const act = { name: "label", labelId, isLabelled } as const;
    env.jobs.replace(tx, "chat.act", { channelId, chat, act, newest: null });
  }
};
