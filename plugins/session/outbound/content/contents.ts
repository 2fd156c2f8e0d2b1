import { Readable } from "node:stream";
import type { AnyMessageContent, EventMessageOptions } from "@whiskeysockets/baileys";
import type { ChannelHost, SendOrder } from "../../../../src/contract/plugin.ts";
import type { Http } from "../../../../src/contract/ports/http.ts";
import { dateAt, parseIso, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { fileTypeOf, fileTypesOf, playedAs, withEnding } from "../../../../src/kernel/texts/file-types.ts";
import { essenceOf, isPlayable, registeredType, UNKNOWN_TYPE } from "../../../../src/kernel/texts/media-types.ts";
import { writeCard } from "../../../../src/kernel/texts/vcards.ts";
import { refused, Unsendable } from "../outcomes.ts";
import { menuText } from "./choices.ts";
import { openKeptFile, openFile as openRemoteFile, type RemoteFile } from "./files.ts";
import { pixelsOf } from "./pixels.ts";
import { bytesOf, isShown, mayNeedChange, shownAs, shownPicture } from "./shown-picture.ts";
import { sticker } from "./stickers.ts";
import { firstPageOf } from "./thumbnails.ts";
import { withVoiceNote } from "./voice.ts";

const MIB = 1024 * 1024;
export type FileOrder = Extract<SendOrder, { type: "image" | "video" | "audio" | "document" | "sticker" }>;
type ContentOf<Type extends SendOrder["type"]> = Extract<SendOrder, { type: Type }>["content"];

/** TABLE: the maximum size of a file of each type. */
const MAX_BYTES: Readonly<Record<FileOrder["type"], number>> = {
  image: 16 * MIB,
  video: 16 * MIB,
  audio: 16 * MIB,
  document: 100 * MIB,
  sticker: 16 * MIB,
};

/** Content without a file, in the library's form; of a text it has no preview. Throws `Unsendable` for content that the network does not have. */
export const plainContent = (order: Exclude<SendOrder, FileOrder>): AnyMessageContent => {
  switch (order.type) {
    case "text":
      return written(order.content.text);
    case "button":
    case "list":
    case "cta_url":
    case "copy_code":
    case "carousel":
      return written(menuText(order));
    case "location":
      return { location: placeOf(order.content) };
    case "contact":
      return {
        contacts: {
          displayName: order.content.contacts.map(({ name }) => name).join(", "),
          contacts: order.content.contacts.map(cardOf),
        },
      };
    case "poll":
      return { poll: pollOf(order.content) };
    case "event":
      return { event: eventOf(order.content) };
    case "phone_number_request":
      return { requestPhoneNumber: true };
    case "phone_number_share":
      return { sharePhoneNumber: true };
    case "template":
    case "location_request":
    case "order_details":
    case "order_status":
    case "address_message":
    case "flow":
    case "call_permission_request":
    case "rich_text":
      throw new Unsendable(refused(`the network has no ${order.type} messages`, { code: "UPSTREAM_UNSUPPORTED" }));
  }
};

/** A text without a preview: the library's own would send a request to any server that a client names. */
const written = (text: string): { text: string; linkPreview: null } => ({ text, linkPreview: null });

const placeOf = ({ latitude, longitude, name, address }: ContentOf<"location">) => ({
  degreesLatitude: latitude,
  degreesLongitude: longitude,
  ...(name ? { name } : {}),
  ...(address ? { address } : {}),
});

/** The network's word for any number of selections is 0. */
const pollOf = ({ question, options, maxSelections = 1 }: ContentOf<"poll">) => ({
  name: question,
  values: options,
  selectableCount: maxSelections >= options.length ? 0 : maxSelections,
});

/** The library would send a part of a second of the end. */
const wholeSeconds = (at: string): Date => dateAt(Math.floor((parseIso(at) ?? 0) / SECOND_MS) * SECOND_MS);

/** The library makes the secret for the answers. */
const eventOf = ({ startsAt, endsAt, location, ...rest }: ContentOf<"event">): EventMessageOptions => ({
  name: rest.name,
  startDate: wholeSeconds(startsAt),
  ...(rest.description ? { description: rest.description } : {}),
  ...(endsAt === undefined ? {} : { endDate: wholeSeconds(endsAt) }),
  ...(location ? { location: eventPlaceOf(location) } : {}),
  ...(rest.extraGuestsAllowed === undefined ? {} : { extraGuestsAllowed: rest.extraGuestsAllowed }),
});

const eventPlaceOf = ({ latitude, longitude, name, address }: NonNullable<ContentOf<"event">["location"]>) => ({
  degreesLatitude: latitude ?? 0,
  degreesLongitude: longitude ?? 0,
  ...(name ? { name } : {}),
  ...(address ? { address } : {}),
});

const cardOf = ({ name, phone, email }: ContentOf<"contact">["contacts"][number]) => {
  const digits = phone.replaceAll(/\D/g, "");
  const phones = [{ number: `+${digits}`, waId: digits, type: "CELL" }];
  return { displayName: name, vcard: writeCard({ name, phones, emails: email === undefined ? [] : [email] }) };
};

/** The sources of files, and the makers of voice notes, stickers and thumbnails. */
export type FilePorts = Pick<
  ChannelHost,
  "makeVoice" | "makeSticker" | "makeThumbnail" | "makeStandard" | "openFile"
> & {
  http: Pick<Http, "guardedStream">;
};

/**
 * Content with a file, which is fetched meanwhile; `use` has it during that time. Throws `Unsendable` for an
 * unavailable file, and for a file that does not fit its type: a voice note without sound, a sticker that is no
 * picture, a web page instead of a picture.
 */
export const withFile = async <Made>(
  ports: FilePorts,
  order: FileOrder,
  use: (content: AnyMessageContent) => Promise<Made>,
): Promise<Made> => {
  const file = await fileOf(ports, order);
  try {
    if (order.type === "audio" && order.content.ptt) return await withVoiceNote(file, ports.makeVoice, use);
    return await use(await fileContent(ports, order, file));
  } finally {
    file.drop();
  }
};

const fileOf = ({ http, openFile }: FilePorts, { type, content }: FileOrder): Promise<RemoteFile> => {
  const { mediaUrl, mediaHandle } = content;
  if (mediaHandle !== undefined) return openKeptFile(openFile, mediaHandle, MAX_BYTES[type]);
  if (mediaUrl === undefined) throw new Unsendable(refused("the message names no file"));
  return openRemoteFile(http, mediaUrl, MAX_BYTES[type]);
};

export const hasFile = (order: SendOrder): order is FileOrder => order.type in MAX_BYTES;

const fileContent = async (ports: FilePorts, order: FileOrder, file: RemoteFile): Promise<AnyMessageContent> => {
  switch (order.type) {
    case "image": {
      const mimetype = shownAs(await typeOf(order, file, "image/jpeg"));
      if (mayNeedChange(mimetype)) return changedPicture(order, file, mimetype);
      return pictureOf(order, file, { image: { stream: file.stream() }, mimetype });
    }
    case "video":
      // no preview, because extracting a frame needs a video decoder
      return {
        video: { stream: file.stream() },
        mimetype: await typeOf(order, file, "video/mp4"),
        ...NO_PREVIEW,
        ...captionOf(order.content),
        ...(order.content.videoNote ? { ptv: true } : {}),
        ...(order.content.gifPlayback ? { gifPlayback: true } : {}),
      };
    case "audio":
      return { audio: { stream: file.stream() }, mimetype: await typeOf(order, file, "audio/mpeg") };
    case "document": {
      const name = order.content.filename ?? file.name;
      const mimetype = await fileTypeOf({ head: file.head, name, declared: declaredType(order, file) });
      return {
        document: { stream: file.stream() },
        mimetype,
        fileName: order.content.filename ?? (await withEnding(file.name ?? "file", mimetype)),
        ...captionOf(order.content),
        ...(await firstPageOf(ports, order.content)),
      };
    }
    case "sticker":
      return sticker(file, ports.makeSticker);
  }
};

/** A picture whose bytes are in memory, and its content. Throws as `withFile`. */
export const wholePicture = async (
  ports: FilePorts,
  order: ImageOrder,
): Promise<{ bytes: Buffer; content: AnyMessageContent & { mimetype?: string } }> => {
  const file = await fileOf(ports, order);
  try {
    const bytes = await bytesOf(file);
    const stream = () => Readable.from([bytes], { objectMode: false });
    return { bytes, content: await fileContent(ports, order, { ...file, stream }) };
  } finally {
    file.drop();
  }
};

type Picture = { image: Buffer | { stream: Readable }; mimetype: string };
type ImageOrder = Extract<FileOrder, { type: "image" }>;

const pictureOf = ({ content }: ImageOrder, file: RemoteFile, picture: Picture): AnyMessageContent => ({
  ...picture,
  ...(mayBePreviewed(file) ? {} : NO_PREVIEW),
  ...captionOf(content),
});

/**
 * A picture that not every phone shows, or not upright: as phones show it if it can be converted. Otherwise a format
 * that phones show goes as it is, and another one as a document, so that people get what was sent.
 */
const changedPicture = async (order: ImageOrder, file: RemoteFile, mimetype: string): Promise<AnyMessageContent> => {
  const { content } = order;
  const bytes = await bytesOf(file);
  const shown = await shownPicture(bytes);
  if (shown) return { image: shown.bytes, mimetype: shown.mimetype, ...captionOf(content) };
  if (isShown(mimetype)) return pictureOf(order, file, { image: bytes, mimetype });
  const fileName = await withEnding(file.name ?? "picture", mimetype);
  return { document: bytes, mimetype, fileName, ...captionOf(content) };
};

/** Without one the library makes a preview of any file that `sharp` can read. */
const NO_PREVIEW = { jpegThumbnail: "" };
/** A file of one megabyte can be a picture that takes gigabytes once it is unpacked. */
const MAX_PREVIEWED_PIXELS = 16_000_000;

const mayBePreviewed = ({ head }: RemoteFile): boolean =>
  (pixelsOf(head) ?? Number.POSITIVE_INFINITY) <= MAX_PREVIEWED_PIXELS;

const captionOf = ({ caption }: { caption?: string }) => (caption ? { caption } : {});

const declaredType = ({ content }: FileOrder, { contentType }: RemoteFile): string | undefined =>
  ("mimeType" in content ? content.mimeType : undefined) ?? contentType;

/** A page is mostly the error of its server. */
const adviceFor = (found: string): string =>
  essenceOf(found) === "text/html" ? "look at what its address answers" : "as a document it goes out as it is";

/**
 * The type of a picture, film or sound. Refuses what is none of them: an error page, JSON, a PDF or an archive, whatever
 * its declared type. A file of another of the three families goes as it is declared: people get what was sent.
 */
const typeOf = async (order: FileOrder, file: RemoteFile, fallback: string): Promise<string> => {
  const { head, name } = file;
  const declared = declaredType(order, file);
  const types = await fileTypesOf({ head, name, declared });
  const found = order.type === "audio" || order.type === "video" ? playedAs(order.type, types.found) : types.found;
  const isOfFamily = (type: string | undefined): type is string =>
    type?.toLowerCase().startsWith(`${order.type}/`) === true;
  if (isOfFamily(found)) return registeredType(found);
  const isShown = types.shown !== UNKNOWN_TYPE && !isPlayable(types.shown);
  if (isShown || essenceOf(found) === "text/html")
    throw new Unsendable(refused(`the file is ${essenceOf(found)}, and no ${order.type}: ${adviceFor(found)}`));
  return isOfFamily(declared) ? registeredType(declared) : fallback;
};
