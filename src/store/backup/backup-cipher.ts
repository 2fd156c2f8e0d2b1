import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { BackupFault, type BackupKey } from "./backup-key.ts";

// The format of an encrypted backup: a header, then the database in chunks of AES-256-GCM. A chunk's nonce holds its
// number and whether it is the last, so that no chunk can be left out, moved or added. The header is bound to each
// chunk. The key is derived from the master key's and a salt of the file.

const MAGIC = "recado backup 1\n";
const KEY_ID_BYTES = 8;
const SALT_BYTES = 32;
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES;
const CHUNK_BYTES = 1024 * 1024;
const TAG_BYTES = 16;

const fileKeyOf = ({ secret }: BackupKey, salt: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, salt, "recado:backup-encryption", 32));

const nonceOf = (index: number, isLast: boolean): Uint8Array => {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index), 0);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
};

/** Reads from the file's position until the chunk is full or the file ends. */
const readFully = (fd: number, into: Buffer): Buffer => {
  let length = 0;
  while (length < into.length) {
    const read = readSync(fd, into, length, into.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return into.subarray(0, length);
};

const writeFully = (fd: number, bytes: Uint8Array): void => {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written, bytes.length - written);
};

/** Gives each remaining chunk of a file, and whether it is the last. An empty file has one chunk. */
const eachChunk = (
  fd: number,
  { size, left }: { size: number; left: number },
  use: (chunk: Buffer, index: number, isLast: boolean) => void,
): void => {
  const chunk = Buffer.alloc(size);
  const count = Math.max(1, Math.ceil(left / size));
  for (let index = 0; index < count; index++) use(readFully(fd, chunk), index, index === count - 1);
};

const withFile = <Result>(path: string, flags: number, use: (fd: number) => Result): Result => {
  const fd = openSync(path, flags, 0o600);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
};

/** Each piece is synced when it is written, as in `sealFile`. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;

/** Encrypts a file into a new file, chunk by chunk. */
export const encryptFile = (from: string, to: string, key: BackupKey): void =>
  withFile(from, constants.O_RDONLY, (source) =>
    withFile(to, NEW_FILE, (target) => {
      const salt = randomBytes(SALT_BYTES);
      const header = Buffer.concat([Buffer.from(MAGIC + key.keyId, "latin1"), salt]);
      const fileKey = fileKeyOf(key, salt);
      writeFully(target, header);
      eachChunk(source, { size: CHUNK_BYTES, left: fstatSync(source).size }, (chunk, index, isLast) => {
        const cipher = createCipheriv("aes-256-gcm", fileKey, nonceOf(index, isLast)).setAAD(header);
        writeFully(target, Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]));
      });
    }),
  );

/** The id of the master key of an encrypted file; undefined for any other file. */
export const encryptedUnder = (path: string): string | undefined => {
  if (!existsSync(path)) return undefined;
  const head = withFile(path, constants.O_RDONLY, (fd) =>
    readFully(fd, Buffer.alloc(MAGIC.length + KEY_ID_BYTES)).toString("latin1"),
  );
  return head.startsWith(MAGIC) ? head.slice(MAGIC.length) : undefined;
};

/**
 * Decrypts a file chunk by chunk into `take`.
 *
 * @throws BackupFault at the first chunk that was changed
 */
const decrypt = (path: string, key: BackupKey, take: (plain: Uint8Array) => void): void =>
  withFile(path, constants.O_RDONLY, (source) => {
    const header = readFully(source, Buffer.alloc(HEADER_BYTES));
    const fileKey = fileKeyOf(key, header.subarray(MAGIC.length + KEY_ID_BYTES));
    eachChunk(
      source,
      { size: CHUNK_BYTES + TAG_BYTES, left: fstatSync(source).size - HEADER_BYTES },
      (chunk, index, isLast) => {
        try {
          const decipher = createDecipheriv("aes-256-gcm", fileKey, nonceOf(index, isLast)).setAAD(header);
          decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
          take(Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()]));
        } catch (cause) {
          if (cause instanceof Error && "syscall" in cause) throw cause; // the disk's fault
          throw new BackupFault(
            `${path} is damaged: it is not what was encrypted under master key ${key.keyId}; take another backup`,
            { cause },
          );
        }
      },
    );
  });

/**
 * Reads the whole of an encrypted file.
 *
 * @throws BackupFault when it was changed
 */
export const checkEncrypted = (path: string, key: BackupKey): void => decrypt(path, key, () => {});

/**
 * Decrypts a file into a new file.
 *
 * @throws BackupFault when it was changed; the new file is then invalid
 */
export const decryptFile = (from: string, to: string, key: BackupKey): void =>
  withFile(to, NEW_FILE, (target) => decrypt(from, key, (plain) => writeFully(target, plain)));
