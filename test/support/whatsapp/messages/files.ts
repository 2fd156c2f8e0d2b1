import { randomBytes } from "node:crypto";
import { aesEncrypWithIV, hkdf, hmacSign, MEDIA_HKDF_KEY_MAPPING, type proto, sha256 } from "@whiskeysockets/baileys";
import type { MediaHost } from "./media.ts";

export type FileKind = "image" | "video" | "audio" | "ptt" | "document" | "sticker";

const FIELD: Record<FileKind, keyof proto.IMessage> = {
  image: "imageMessage",
  video: "videoMessage",
  audio: "audioMessage",
  ptt: "audioMessage",
  document: "documentMessage",
  sticker: "stickerMessage",
};

/** Encrypts a file like phones, and puts it on the host. Gives its reference for messages. */
export const encryptedFile = (host: MediaHost, kind: FileKind | "md-msg-hist" | "md-app-state", bytes: Uint8Array) => {
  const mediaKey = randomBytes(32);
  const expanded = Buffer.from(hkdf(mediaKey, 112, { info: `WhatsApp ${MEDIA_HKDF_KEY_MAPPING[kind]} Keys` }));
  const [iv, cipherKey, macKey] = [expanded.subarray(0, 16), expanded.subarray(16, 48), expanded.subarray(48, 80)];
  const cipher = aesEncrypWithIV(Buffer.from(bytes), cipherKey, iv);
  const mac = hmacSign(Buffer.concat([iv, cipher]), macKey).subarray(0, 10);
  const encrypted = Buffer.concat([cipher, mac]);
  return {
    directPath: host.put(encrypted),
    mediaKey,
    fileSha256: sha256(Buffer.from(bytes)),
    fileEncSha256: sha256(encrypted),
    fileLength: bytes.length,
  };
};

/** Encrypts a file like phones, puts it on the host, and gives the message with it. */
export const encryptFile = (
  host: MediaHost,
  kind: FileKind,
  bytes: Uint8Array,
  fields: Record<string, unknown>,
): proto.IMessage => {
  const file = encryptedFile(host, kind, bytes);
  return {
    [FIELD[kind]]: {
      url: `https://${host.host}${file.directPath}`,
      ...file,
      ...(kind === "ptt" ? { ptt: true } : {}),
      ...fields,
    },
  };
};
