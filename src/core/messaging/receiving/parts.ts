import type { Circumstances, InboundContent } from "../../../contract/content/inbound-content.ts";
import type { Received } from "../../../contract/events.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import { partKeyOf } from "../../../store/tables/channels/inbox.ts";

const ALBUM_ID_CHARS = 32;

/**
 * The messages that one message of a network becomes: one for each of its contents, in the network's order. The first
 * has the message's own key, the others keys made of it. So a repeat is recognised, however many contents it has by
 * then. All of them have the same album.
 */
export const asMessages = (channelId: ChannelId, { furtherParts = [], ...whole }: Received): Received[] => {
  if (furtherParts.length === 0) return [whole];
  const album = { id: sha256(`${channelId}/${whole.key}`).slice(0, ALBUM_ID_CHARS) };
  const { media: _, raw: __, ...shared } = whole;
  return [
    { ...whole, content: inAlbum(album, whole.content) },
    ...furtherParts.map(({ content, media }, index) => ({
      ...shared,
      key: partKeyOf(whole.key, index + 1),
      content: inAlbum(album, content),
      ...(media ? { media } : {}),
    })),
  ];
};

/** The content in an album. The network's own album stays, because it may hold more than this message. */
const inAlbum = (album: Circumstances["album"], { type, content }: InboundContent): InboundContent =>
  ({ type, content: { album, ...content } }) as InboundContent; // all contents have an album
