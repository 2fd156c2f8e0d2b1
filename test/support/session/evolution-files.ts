import type { HistoryRow } from "../../../src/contract/abilities/moving.ts";

// Messages with files as Evolution 2.3 stores them, whose digests are those of their files.
//
// Where other programs keep files, by their public code, read on 30 November 2026:
// - Evolution 2.3 (minio.server.ts, whatsapp.baileys.service.ts): the object `evolution-api/<Media.fileName>` of its bucket,
//   where fileName is `<instance id>/<remoteJid>/<type>/<ms>_<name>`, for its own sends `<instance id>/<remoteJid>/<key id>/
//   <type>/<name>`. `Media.messageId` is the id of the row of `Message`. `message.base64` is seldom in the database: webhooks
//   get it after the row is written; official numbers have it in the row.
// - WAHA 2026 (MediaLocalStorage.ts, MediaS3Storage.ts): `<session>/<key id>.<ending of the type>`, in WHATSAPP_FILES_FOLDER or in
//   a bucket. WHATSAPP_FILES_LIFETIME is 180 s by default; 0 keeps files. For NOWEB the key id is that of the network.

const digestOf = (text: string): Record<string, number> =>
  Object.fromEntries(new Bun.CryptoHasher("sha256").update(text).digest().entries());

const PARTS = {
  document: (id) => ["documentMessage", { mimetype: "application/pdf", fileName: `${id}.pdf` }],
  image: () => ["imageMessage", { mimetype: "image/gif", caption: "foto" }],
} satisfies Record<string, (id: string) => readonly [part: string, said: object]>;

/** A message with a file of this text. `at`: in seconds. */
export const fileMessage = (
  id: string,
  text: string,
  { at, type = "document", ...more }: { at: number; type?: keyof typeof PARTS } & Record<string, unknown>,
): Record<string, unknown> => {
  const [part, said] = PARTS[type](id);
  return {
    id: `row${id}`,
    key: { id, remoteJid: "5511922220001@s.whatsapp.net", fromMe: false },
    pushName: "Ana",
    participant: null,
    contextInfo: null,
    source: "android",
    messageType: part,
    message: {
      [part]: {
        ...said,
        fileSha256: digestOf(text),
        fileLength: { low: text.length, high: 0, unsigned: true },
        mediaKey: digestOf("key"),
        fileEncSha256: digestOf("encrypted"),
        directPath: "/v/t62.7119-24/file.enc",
      },
    },
    messageTimestamp: at,
    status: "DELIVERY_ACK",
    ...more,
  };
};

export const rowOf = (message: object): HistoryRow => ({ kind: "message", text: JSON.stringify(message) });

/** A file of so many characters that is a PDF, or a picture, by its first bytes. */
export const pdfOf = (name: string, chars = 200): string => `%PDF-1.4\n% ${name}\n`.padEnd(chars, "x");
export const gifOf = (name: string): string => `GIF89a ${name}`.padEnd(100, "x");
