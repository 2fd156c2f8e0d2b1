import { generateProfilePicture, S_WHATSAPP_NET, type WASocket } from "@whiskeysockets/baileys";
import type { PictureSource } from "../../../src/contract/abilities/groups.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { ask, Ended, iq, node, refusal } from "../ask.ts";
import { openFile } from "../outbound/content/files.ts";
import { pixelsOf } from "../outbound/content/pixels.ts";
import { Unsendable } from "../outbound/outcomes.ts";

const MAX_BYTES = 5 * 1024 * 1024;
/** A file of one megabyte can be a picture that takes gigabytes once it is unpacked. */
const MAX_PIXELS = 16_000_000;

/**
 * The picture as the network takes it: a square JPEG.
 * @throws Ended for a file that is not a picture, or too large
 */
export const jpegOf = async (host: Pick<ChannelHost, "http">, source: NonNullable<PictureSource>): Promise<Buffer> => {
  const bytes = "url" in source ? await fetched(host, source.url) : Buffer.from(source.bytes);
  if (bytes.length > MAX_BYTES) throw new Ended(refusal(`the picture has more than ${MAX_BYTES} bytes`));
  if ((pixelsOf(bytes) ?? Number.POSITIVE_INFINITY) > MAX_PIXELS)
    throw new Ended(refusal("the file is not a picture in a known format, or it has too many pixels"));
  try {
    return (await generateProfilePicture(bytes)).img;
  } catch {
    throw new Ended(refusal("the file is not a readable picture"));
  }
};

const fetched = async (host: Pick<ChannelHost, "http">, url: string): Promise<Buffer> => {
  try {
    const file = await openFile(host.http, url, MAX_BYTES);
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.stream() as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (thrown) {
    if (!(thrown instanceof Unsendable)) throw thrown;
    const { kind, reason } = thrown.failure;
    throw new Ended(kind === "refused" ? refusal(reason) : unavailable(reason));
  }
};

/** Sets or removes a picture: the account's own, or that of the group `target`. @throws Ended */
export const setPicture = async (
  host: Pick<ChannelHost, "http">,
  sock: Pick<WASocket, "query">,
  source: PictureSource,
  target?: string,
): Promise<true> => {
  const content = source === null ? [] : [node("picture", { type: "image" }, await jpegOf(host, source))];
  const place = { xmlns: "w:profile:picture", to: S_WHATSAPP_NET, ...(target === undefined ? {} : { target }) };
  await ask(sock, iq("set", place, content));
  return true;
};
