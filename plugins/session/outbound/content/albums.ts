import type { AnyMessageContent } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { parsedJson } from "../../../../src/kernel/texts/json.ts";
import { providerMessageIdFor } from "../../message-ids.ts";

type ImageOrder = Extract<SendOrder, { type: "image" }>;
type Several = ImageOrder & { content: { images: NonNullable<ImageOrder["content"]["images"]> } };

/** The place of a picture in a pair of two qualities: the shown one, or the whole one, which names it. */
export type Pair = "standard" | { hdOf: ProviderMessageId };

/**
 * A message of the network that is a part of an order. `album`: the announcement that its picture belongs to. `content`:
 * its picture, if that is made already.
 */
export type Part = {
  order: SendOrder;
  key: ProviderMessageId;
  album?: ProviderMessageId;
  content?: AnyMessageContent;
  pair?: Pair;
};
export type Parts = readonly [Part, ...Part[]];

export const isAlbum = (order: SendOrder): order is Several =>
  order.type === "image" && order.content.images !== undefined && order.forwards === undefined;

/**
 * The messages of an order, in the order in which they leave. Several pictures are an album: its announcement, then each
 * picture. The first picture has the id of the order: the receipts of people are about it.
 */
export const orderParts = (order: SendOrder, key: ProviderMessageId): Parts => {
  if (!isAlbum(order)) return [{ order, key }];
  const { images, caption, mentions } = order.content;
  const { quotedProviderMessageId: _, ...bare } = order;
  const album = providerMessageIdFor(`album:${key}`);
  const said = { ...(caption === undefined ? {} : { caption }), ...(mentions === undefined ? {} : { mentions }) };
  const pictures = images.map(
    ({ mediaUrl }, at): Part =>
      at === 0
        ? { order: { ...order, content: { mediaUrl, ...said } }, key, album }
        : { order: { ...bare, content: { mediaUrl } }, key: providerMessageIdFor(`album:${key}:${at}`), album },
  );
  return [{ order: { ...bare, content: { images } }, key: album }, ...pictures];
};

/** The kind of the rows with the ids of an album's messages, by that of its first picture; so of a picture in HD. */
const ALBUM = "album";
/** For longer than a message can be deleted for everybody. */
const KEPT_MS = 3 * DAY_MS;

/** The rows of an order of several messages; none for another order. */
export const albumRows = (parts: Parts, now: number): KeyRow[] => {
  const [part, second] = parts;
  const value = JSON.stringify(parts.map(({ key }) => key));
  return second ? [{ kind: ALBUM, id: (part.pair ? part : second).key, value, until: now + KEPT_MS }] : [];
};

/** The ids of all messages of an order by that of its first picture; that alone for another message. */
export const keysOfAlbum = async (
  keyStore: Pick<KeyStore, "read">,
  key: ProviderMessageId,
): Promise<ProviderMessageId[]> => {
  const text = (await keyStore.read(ALBUM, [key])).get(key);
  return text === undefined ? [key] : (parsedJson(text) as ProviderMessageId[]); // written above
};
