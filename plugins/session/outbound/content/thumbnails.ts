import type { SendOrder } from "../../../../src/contract/plugin.ts";
import { later, refused, Unsendable } from "../outcomes.ts";
import type { FilePorts } from "./contents.ts";
import { openFile, openKeptFile } from "./files.ts";
import { bytesOf } from "./shown-picture.ts";

type DocumentContent = Extract<SendOrder, { type: "document" }>["content"];
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The small picture of a document's first page that its sender gives, as fields of the message. It travels inside the
 * message, so it is small. Without a maker of thumbnails the document goes without.
 */
export const firstPageOf = async (
  { http, openFile: openKept, makeThumbnail }: FilePorts,
  { thumbnail }: DocumentContent,
): Promise<object> => {
  if (!thumbnail || !makeThumbnail) return {};
  const { mediaUrl = "", mediaHandle } = thumbnail;
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
