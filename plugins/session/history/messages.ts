import type { proto } from "@whiskeysockets/baileys";
import { isKnown, type Received } from "../../../src/contract/events.ts";
import type { KeyChanges, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { isLid } from "../address.ts";
import { actOf } from "../inbound/acts.ts";
import { merged } from "../inbound/changes.ts";
import { contextOf } from "../inbound/circumstances.ts";
import { contentOf, partOf } from "../inbound/content.ts";
import { mediaOf } from "../inbound/files.ts";
import { hiddenIn, withSecretOf } from "../inbound/hidden.ts";
import { originOfCopy } from "../inbound/origin.ts";
import { completedMessagePlace, personOf } from "../inbound/people.ts";
import { openedIn } from "../inbound/wrappers.ts";
import { providerMessageIdOf, toCachedMessage } from "../message-cache.ts";
import { begunRows } from "../outbound/strangers.ts";

/** Whose account it is. */
type Me = { id: string; lid?: string | undefined };

/** The messages of a piece in the order of their chats, oldest first: the phone names the newest first. */
export const messagesIn = ({ conversations }: proto.IHistorySync): proto.IWebMessageInfo[] =>
  (conversations ?? []).flatMap(({ messages }) => (messages ?? []).flatMap(({ message }) => message ?? []).reverse());

/** The pairs of addresses that a piece names. */
export const pairsIn = ({
  conversations,
  phoneNumberToLidMappings,
}: proto.IHistorySync): { lid: string; pn: string }[] => [
  ...(phoneNumberToLidMappings ?? []).flatMap(({ lidJid, pnJid }) =>
    lidJid && pnJid ? [{ lid: lidJid, pn: pnJid }] : [],
  ),
  ...(conversations ?? []).flatMap(({ id, lidJid, pnJid }) => {
    if (id && isLid(id)) return pnJid ? [{ lid: id, pn: pnJid }] : [];
    return id?.endsWith("@s.whatsapp.net") && lidJid ? [{ lid: lidJid, pn: id }] : [];
  }),
];

/**
 * What messages of a piece change: each is kept in its conversation, with a copy so that it can be quoted and its file
 * fetched. Reactions, votes, changes, and what was written in groups are not taken over.
 */
export const importedIn = async (
  keyStore: KeyStore,
  me: Me,
  messages: readonly proto.IWebMessageInfo[],
): Promise<KeyChanges> => {
  const changes = merged(await Promise.all(messages.map((message) => imported(keyStore, me, message))));
  const rows = new Map(changes.rows?.map((row) => [`${row.kind}/${row.id}`, row])); // many messages begin one chat
  return { ...changes, rows: [...rows.values()] };
};

const imported = async (keyStore: KeyStore, me: Me, info: proto.IWebMessageInfo): Promise<KeyChanges> => {
  const origin = originOfCopy(info);
  const content = withSecretOf(openedIn(info.message), [info.message]);
  const part = partOf(content);
  if (!origin || part === undefined || actOf(content) || hiddenIn(content)) return {};
  const { chat, from } = await completedMessagePlace(keyStore, origin.key);
  if (chat.group !== undefined || !isKnown(chat)) return {};
  const isOwn = origin.key.fromMe;
  const media = mediaOf(content, origin.id);
  const quotedProviderMessageId = providerMessageIdOf(contextOf(content[part as keyof proto.IMessage]).stanzaId);
  const event: Received = {
    kind: "received",
    key: origin.id,
    at: origin.at,
    from: isOwn ? personOf(me.id, me.lid) : from,
    chat,
    pushName: isOwn ? null : origin.pushName,
    content: contentOf(content, part),
    isHistory: true,
    isImported: true,
    ...(media ? { media } : {}),
    ...(quotedProviderMessageId === undefined ? {} : { quotedProviderMessageId }),
    ...(isOwn ? { isOwn } : {}),
  };
  return {
    messages: [toCachedMessage({ ...origin, message: content })],
    rows: await begunRows(keyStore, chat, { isOwn }),
    events: [event],
  };
};
