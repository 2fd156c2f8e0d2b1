import type { proto } from "@whiskeysockets/baileys";
import type { InboundMedia, ProviderMessageId } from "../../../../src/contract/events.ts";
import { businessText, type Header, headerOf } from "./business.ts";

export type FileType = "image" | "video" | "audio" | "document" | "sticker";

/** The metadata of a file in a message; each kind of message has some of the fields. */
type FileMessage = Partial<
  proto.Message.IVideoMessage &
    proto.Message.IAudioMessage &
    proto.Message.IDocumentMessage &
    proto.Message.IStickerMessage
>;
export type FilePart = Pick<
  FileMessage,
  | "mimetype"
  | "fileLength"
  | "fileSha256"
  | "fileName"
  | "title"
  | "caption"
  | "ptt"
  | "isAnimated"
  | "viewOnce"
  | "gifPlayback"
> & {
  mediaKey: Uint8Array;
  directPath: string;
};

export const PARTS: readonly (readonly [keyof proto.IMessage, FileType])[] = [
  ["imageMessage", "image"],
  ["videoMessage", "video"],
  ["ptvMessage", "video"],
  ["audioMessage", "audio"],
  ["documentMessage", "document"],
  ["stickerMessage", "sticker"],
];

const HASH_BYTES = 32;
const LONGEST_NAME = 255;

/**
 * The file of a message; undefined without a file that can be fetched. The words of a business below a file are its
 * caption.
 */
export const fileOf = (message: proto.IMessage): { type: FileType; file: FilePart } | undefined => {
  const own = fileIn(message);
  const header = own ? undefined : headerOf(message);
  const above = header && fileIn(header);
  const caption = above && businessText(message);
  return above && caption !== undefined ? { type: above.type, file: { ...above.file, caption } } : (own ?? above);
};

const fileIn = (message: Header & proto.IMessage): { type: FileType; file: FilePart } | undefined => {
  for (const [name, type] of PARTS) {
    const part = message[name] as FileMessage | null | undefined;
    if (part?.directPath && part.mediaKey?.length === HASH_BYTES) return { type, file: part as FilePart };
  }
  return undefined;
};

/**
 * The file of a message as its event names it. The download takes the file's key from the cached copy of the message,
 * so the event holds no key.
 */
export const mediaOf = (message: proto.IMessage, id: ProviderMessageId): InboundMedia | undefined => {
  const media = fileOf(message);
  if (!media) return undefined;
  const [filename, sizeBytes, sha256] = [nameOf(media.file), sizeOf(media.file), hashOf(media.file)];
  return {
    nativeId: id,
    contentType: mimeTypeOf(media.file),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(filename === undefined ? {} : { filename }),
    ...(sha256 === undefined ? {} : { sha256 }),
  };
};

export const mimeTypeOf = ({ mimetype }: FilePart): string =>
  mimetype && /^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/.test(mimetype) && mimetype.length <= 120
    ? mimetype
    : "application/octet-stream";

export const nameOf = ({ fileName, title }: FilePart): string | undefined =>
  (fileName || title || undefined)?.slice(0, LONGEST_NAME);

export const sizeOf = ({ fileLength }: FilePart): number | undefined => {
  const size = Number(fileLength ?? Number.NaN);
  return Number.isSafeInteger(size) && size > 0 ? size : undefined;
};

export const hashOf = ({ fileSha256 }: FilePart): string | undefined =>
  fileSha256?.length === HASH_BYTES ? Buffer.from(fileSha256).toString("hex") : undefined;
