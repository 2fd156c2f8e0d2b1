import type { SendOrder } from "../../../../src/contract/plugin.ts";
import { later, refused, Unsendable } from "../outcomes.ts";
import type { FilePorts } from "./contents.ts";
import { openFile, openKeptFile } from "./files.ts";
import { bytesOf } from "./shown-picture.ts";

type DocumentContent = Extract<SendOrder, { type: "document" }>["content"];
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The small picture of a document's first page that its sender gives, as fields of the message. Without a maker of
 * thumbnails the document goes without.
 */
export const firstPageOf = (ports: Ports, { thumbnail }: DocumentContent): Promise<SmallPicture> =>
  thumbnail ? smallPictureOf(ports, thumbnail) : Promise.resolve({});

type Ports = Pick<FilePorts, "http" | "openFile" | "makeThumbnail">;
type SmallPicture = { jpegThumbnail?: Buffer; thumbnailWidth?: number; thumbnailHeight?: number };

/**
 * A picture that its sender gives, made small, because it travels inside the message. Nothing without a maker of
 * thumbnails. Throws `Unsendable` for one that cannot be had or read.
 */
export const smallPictureOf = async (
  { http, openFile: openKept, makeThumbnail }: Ports,
  { mediaUrl = "", mediaHandle }: { mediaUrl?: string; mediaHandle?: string },
): Promise<SmallPicture> => {
  if (!makeThumbnail) return {};
  const file = await (mediaHandle === undefined
    ? openFile(http, mediaUrl, MOST_BYTES)
    : openKeptFile(openKept, mediaHandle, MOST_BYTES));
  try {
    const made = await makeThumbnail(await bytesOf(file));
    if (made.ok)
      return { jpegThumbnail: Buffer.from(made.jpeg), thumbnailWidth: made.width, thumbnailHeight: made.height };
    if (made.reason === "BROKEN") throw new Unsendable(later("the thumbnail could not be made now"));
    throw new Unsendable(refused("the thumbnail must be a PNG, JPEG, WebP or GIF of at most 40 million pixels"));
  } finally {
    file.drop();
  }
};
