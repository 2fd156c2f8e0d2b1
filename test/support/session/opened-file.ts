import { expect } from "bun:test";
import { createDecipheriv } from "node:crypto";
import { getMediaKeys, type MediaType, sha256 } from "@whiskeysockets/baileys";
import type { WhatsApp } from "../whatsapp/index.ts";

type Sent = {
  directPath?: string | null;
  mediaKey?: Uint8Array | null;
  fileEncSha256?: Uint8Array | null;
  fileSha256?: Uint8Array | null;
};

/** What a phone sees when it opens the file of a message. Throws where the bytes are not those that were announced. */
export const openedFile = async (
  net: Pick<WhatsApp, "mediaHost" | "mediaCa">,
  file: Sent | null | undefined,
  type: MediaType,
): Promise<Buffer> => {
  const response = await fetch(`https://${net.mediaHost}${file?.directPath}`, { tls: { ca: net.mediaCa } });
  const encrypted = Buffer.from(await response.arrayBuffer());
  const { iv, cipherKey } = await getMediaKeys(file?.mediaKey, type);
  const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
  const bytes = Buffer.concat([decipher.update(encrypted.subarray(0, -10)), decipher.final()]);
  expect([sha256(encrypted), sha256(bytes)]).toEqual([
    Buffer.from(file?.fileEncSha256 ?? []),
    Buffer.from(file?.fileSha256 ?? []),
  ]);
  return bytes;
};
