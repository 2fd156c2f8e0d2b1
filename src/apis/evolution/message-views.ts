import { SECOND_MS } from "../../kernel/clock.ts";
import { recordOf } from "../../kernel/texts/json.ts";
import { type Said, wireMessage, wordIn } from "../shared/compatible/wire-messages.ts";

export type Key = { remoteJid: string; fromMe: boolean; id: string; participant?: string };

/** Evolution's fields of any message. `at` in milliseconds. */
export type Described = {
  key: Key;
  pushName: string | null;
  status: string;
  said: Said;
  at: number;
  instanceId: string;
  quotedId?: string | null | undefined;
};

/** The advertisement that led to a message, as WhatsApp names it. */
const advertisementOf = (content: unknown): { externalAdReply?: object } => {
  const { referral } = recordOf(content);
  if (referral === undefined) return {};
  const {
    headline,
    body,
    mediaType,
    thumbnailUrl,
    imageUrl,
    videoUrl,
    sourceType,
    sourceId,
    sourceUrl,
    ctwaClid,
    ref,
  } = recordOf(referral);
  const given = Object.entries({
    title: headline,
    body,
    mediaType: wordIn(mediaType)?.toUpperCase(),
    thumbnailUrl: thumbnailUrl ?? imageUrl,
    mediaUrl: videoUrl ?? imageUrl,
    sourceType,
    sourceId,
    sourceUrl,
    ctwaClid,
    ref,
  }).filter(([, value]) => value !== undefined);
  return { externalAdReply: Object.fromEntries(given) };
};

const contextOf = (content: unknown, quotedId: string | null | undefined): object | null => {
  const context = { ...(quotedId ? { stanzaId: quotedId } : {}), ...advertisementOf(content) };
  return Object.keys(context).length > 0 ? context : null;
};

export const messageView = ({ key, pushName, status, said, at, instanceId, quotedId }: Described) => ({
  key,
  pushName,
  status,
  ...wireMessage(said),
  contextInfo: contextOf(said.content, quotedId),
  messageTimestamp: Math.floor(at / SECOND_MS),
  instanceId,
  source: "unknown",
});
