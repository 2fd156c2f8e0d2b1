import { proto } from "@whiskeysockets/baileys";
import type { Circumstances } from "../../../src/contract/content/inbound-content.ts";
import { canonicalOf, isGroup } from "../address.ts";
import { cachedMessage, providerMessageIdOf } from "../message-cache.ts";
import type { Reading } from "./changes.ts";
import { businessText } from "./content/business.ts";
import { contextOf } from "./content/circumstances.ts";
import { textOf } from "./content/content.ts";
import { openedIn } from "./content/wrappers.ts";
import { completed, isSameIdentity, personOf } from "./people.ts";

type Surroundings = Pick<
  Circumstances,
  | "mentions"
  | "mentionsMe"
  | "mentionsAll"
  | "groupMentions"
  | "quoted"
  | "album"
  | "hdOf"
  | "entryPoint"
  | "disappearsAfter"
>;

/** The maximum number of members of a group. */
const MOST_MENTIONS = 1024;
const MOST_GROUP_MENTIONS = 100;
/** The maximum number of characters of the name of a mentioned group. */
const MOST_NAME = 256;
/** The maximum number of characters of a quoted text. */
const MOST_QUOTED = 4096;
const { MEDIA_ALBUM, HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD, HEVC_VIDEO_DUAL_UPLOAD } =
  proto.MessageAssociation.AssociationType;
/** Apps send a file in two qualities: the better one names the other. */
const BETTER_COPIES: readonly (number | null | undefined)[] = [
  HD_IMAGE_DUAL_UPLOAD,
  HD_VIDEO_DUAL_UPLOAD,
  HEVC_VIDEO_DUAL_UPLOAD,
];

/** The surroundings of a message: its mentions, the message that it answers, its album, and its lifetime. */
export const surroundingsOf = async (
  reading: Reading,
  content: proto.IMessage,
  part: string,
): Promise<Surroundings> => {
  const context = contextOf(content[part as keyof proto.IMessage]);
  const [mentions, quoted] = [await mentionsIn(reading, context), await quotedIn(reading, context)];
  const { album, hdOf } = parentsIn(content);
  const isAll = (context.nonJidMentions ?? 0) > 0;
  const { entryPointConversionSource: source, entryPointConversionApp: app, expiration } = context;
  return {
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(isAll || mentions.some(({ isMe }) => isMe) ? { mentionsMe: true } : {}),
    ...(isAll ? { mentionsAll: true } : {}),
    ...groupMentionsIn(context),
    ...(quoted ? { quoted } : {}),
    ...(album === undefined ? {} : { album: { id: album } }),
    ...(hdOf === undefined ? {} : { hdOf: { id: hdOf } }),
    ...(source ? { entryPoint: { source, ...(app ? { app } : {}) } } : {}),
    ...(expiration ? { disappearsAfter: expiration } : {}),
  };
};

const mentionsIn = async (
  { keyStore, own }: Reading,
  { mentionedJid }: proto.IContextInfo,
): Promise<NonNullable<Surroundings["mentions"]>> => {
  const mentions: NonNullable<Surroundings["mentions"]> = [];
  for (const jid of (mentionedJid ?? []).slice(0, MOST_MENTIONS)) {
    const person = await completed(keyStore, personOf(jid));
    const { pn, lid } = person;
    if (pn === undefined && lid === undefined) continue;
    const isMe = isSameIdentity(person, own);
    mentions.push({ phoneNumber: pn ?? (isMe ? (own.pn ?? null) : null), lid: lid ?? null, isMe });
  }
  return mentions;
};

const groupMentionsIn = ({ groupMentions }: proto.IContextInfo): Pick<Surroundings, "groupMentions"> => {
  const named = (groupMentions ?? []).slice(0, MOST_GROUP_MENTIONS).flatMap(({ groupJid, groupSubject: name }) => {
    const id = groupJid && isGroup(groupJid) && canonicalOf(groupJid) ? groupJid : undefined;
    return id === undefined ? [] : [{ id, ...(name ? { name: name.slice(0, MOST_NAME) } : {}) }];
  });
  return named.length > 0 ? { groupMentions: named } : {};
};

/** The answered message, if this device has not seen it, as the network quotes it. */
const quotedIn = async (
  { keyStore }: Reading,
  { stanzaId, quotedMessage }: proto.IContextInfo,
): Promise<Surroundings["quoted"]> => {
  const id = providerMessageIdOf(stanzaId);
  if (id === undefined || !quotedMessage || (await cachedMessage(keyStore, id))) return undefined;
  const inner = openedIn(quotedMessage);
  const text = (textOf(inner) || businessText(inner))?.slice(0, MOST_QUOTED);
  return { id, ...(text ? { text } : {}) };
};

/** The messages that a file belongs to: its album, or the one with the same file in lower quality. */
const parentsIn = ({ messageContextInfo }: proto.IMessage): { album?: string; hdOf?: string } => {
  const { associationType, parentMessageKey } = messageContextInfo?.messageAssociation ?? {};
  const parent = providerMessageIdOf(parentMessageKey?.id);
  if (parent === undefined) return {};
  if (associationType === MEDIA_ALBUM) return { album: parent };
  return BETTER_COPIES.includes(associationType) ? { hdOf: parent } : {};
};
