import type { AnyMessageContent } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import type { MadeStandard } from "../../../../src/contract/ports/pictures.ts";
import { providerMessageIdFor } from "../../message-ids.ts";
import { later, Unsendable } from "../outcomes.ts";
import type { Parts } from "./albums.ts";
import { type FilePorts, wholePicture } from "./contents.ts";
import { isShown } from "./shown-picture.ts";

type Smaller = Extract<MadeStandard, { ok: true }>;

/** A picture in standard quality. Undefined for a picture that is no larger, and for a file of which none can be made. */
const smallerOf = async ({ makeStandard }: FilePorts, bytes: Uint8Array): Promise<Smaller | undefined> => {
  const made = await makeStandard?.(bytes);
  if (made?.ok === false && made.reason === "BROKEN")
    throw new Unsendable(later("the picture could not be made smaller now"));
  return made?.ok && made.of.width + made.of.height > made.size.width + made.size.height ? made : undefined;
};

/** The id of the whole picture of a pair, by that of the shown one. */
export const keyInHd = (key: ProviderMessageId): ProviderMessageId => providerMessageIdFor(`hd:${key}`);

/**
 * The parts of an order whose picture names a quality. In HD the network's apps send two: the one in standard quality is
 * shown, and the whole one, without words of its own, names it. A picture that is no larger than that goes alone. Throws
 * `Unsendable`.
 */
export const partsByQuality = async (ports: FilePorts, parts: Parts): Promise<Parts> => {
  const [part] = parts;
  const { order, key } = part;
  if (order.type !== "image" || order.content.quality === undefined || order.forwards !== undefined) return parts;
  const { bytes, content: whole } = await wholePicture(ports, order);
  const isPicture = "image" in whole && isShown(whole.mimetype ?? "");
  const smaller = isPicture ? await smallerOf(ports, bytes) : undefined;
  if (!smaller) return [{ ...part, content: whole }];
  const { caption, ...bare } = whole as Extract<AnyMessageContent, { image: unknown }>;
  const standard: AnyMessageContent = {
    image: Buffer.from(smaller.jpeg),
    mimetype: "image/jpeg",
    ...smaller.size,
    ...(caption === undefined ? {} : { caption }),
  };
  if (order.content.quality === "standard") return [{ ...part, content: standard }];
  const { quotedProviderMessageId: _, content, ...addressed } = order;
  const { mediaUrl, mediaHandle } = content;
  const source = {
    ...(mediaUrl === undefined ? {} : { mediaUrl }),
    ...(mediaHandle === undefined ? {} : { mediaHandle }),
  };
  return [
    { ...part, content: standard, pair: "standard" },
    {
      order: { ...addressed, content: source },
      key: keyInHd(key),
      content: { ...bare, ...smaller.of },
      pair: { hdOf: key },
    },
  ];
};
