import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { InboundSeed } from "../graph/index.ts";
import type { Answer, World } from "../world.ts";
import { type Customer, TO } from "./customer.ts";

type Kind = "image" | "video" | "audio" | "document" | "sticker";
const bytesOf = (head: readonly number[] | string, sizeBytes = 200): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.alloc(sizeBytes, 7);
  Buffer.from(head as string).copy(bytes);
  return new Uint8Array(bytes);
};

/** The first bytes of files that show their type, and bytes of the same size that show no type. */
export const FILES = {
  png: bytesOf([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54,
  ]),
  jpeg: bytesOf([0xff, 0xd8, 0xff, 0xe0]),
  pdf: bytesOf("%PDF-1.7\n"),
  mp4: bytesOf([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x69, 0x73, 0x6f, 0x6d]),
  zip: bytesOf([0x50, 0x4b, 0x03, 0x04, 20, 0, 0, 0]),
  exe: bytesOf("MZ"),
  nothing: bytesOf([]),
};

export type FileSeed = {
  kind?: Kind;
  bytes?: Uint8Array;
  mimeType?: string;
  sha256?: string;
  mediaId?: string;
  filename?: string;
  caption?: string;
};

/** A message with a file, which the network has. */
export const messageWithFile = (w: World, { phone }: Pick<Customer, "phone">, seed: FileSeed = {}): InboundSeed => {
  const { kind = "image", bytes = FILES.png, mimeType = "image/png", sha256, mediaId, filename, caption } = seed;
  const { phoneNumberId } = phone;
  const id = mediaId ?? w.graph.addMedia({ bytes, mimeType, phoneNumberId });
  return {
    kind,
    to: phoneNumberId,
    from: TO,
    mediaId: id,
    mimeType,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(caption === undefined ? {} : { caption }),
    ...(kind === "document" && filename !== undefined ? { filename } : {}),
  };
};

/** Lets a message with a file come in. Resolves as soon as its webhook has been answered. */
export const arrives = (w: World, customer: Pick<Customer, "phone">, ...seeds: FileSeed[]) =>
  w.graph.inbound.batch((seeds.length > 0 ? seeds : [{}]).map((seed) => messageWithFile(w, customer, seed)));

/** The customer's events of messages and their files, in the order of arrival. */
export const receivedOf = ({ hook }: Pick<Customer, "hook">): string[] =>
  hook.arrived.flatMap(({ body: { type, data } }) => {
    if (type === "message:received")
      return [
        `${data.type}${"media" in data ? (data.media.downloadUrl === null ? " without its file" : " with its file") : ""}`,
      ];
    return type.startsWith("media:") ? [type] : [];
  });

/** The data of the only message that the customer got. @throws without one, or if there are more. */
export const onlyMessage = ({ hook }: Pick<Customer, "hook">): any => {
  const messages = hook.arrived.filter(({ body }) => body.type === "message:received");
  if (messages.length !== 1) throw new Error(`${messages.length} messages were received`);
  return messages[0]?.body.data;
};

/** A stored file, of whose message the customer got an event. */
export const storedFile = async (
  w: World,
  customer: Customer,
  seed: FileSeed = {},
): Promise<{ id: string; messageId: string }> => {
  customer.hook.arrived.length = 0;
  await arrives(w, customer, seed);
  await w.settle();
  const { media, messageId } = onlyMessage(customer);
  return { id: media.mediaId, messageId };
};

/** GET /v1/media/{id}, and its effects. */
export const mediaCalls = (w: World, { key }: Pick<Customer, "key">) => ({
  open: (id: string): Promise<Answer> => w.gateway(`/v1/media/${id}`, { key }),
  info: (id: string): Promise<Answer> => w.gateway(`/v1/media/${id}/info`, { key }),
  ack: (id: string): Promise<Answer> => w.gateway(`/v1/media/${id}/ack`, { key, method: "POST" }),
  /** The signed address of a file. Throws without one. */
  async link(id: string): Promise<string> {
    const { status, headers } = await w.gateway(`/v1/media/${id}`, { key });
    const location = headers.get("location");
    if (status !== 302 || location === null) throw new Error(`no address but ${status}`);
    return location;
  },
});

/** The keys of all files in the store of a world, with unfinished ones. */
export const filesOf = (w: World): string[] =>
  readdirSync(mediaDirOf(w), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(mediaDirOf(w).length + 1))
    .sort();

export const mediaDirOf = (w: World): string => join(w.dataDir, "media");
