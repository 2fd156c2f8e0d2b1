import { gzipSync } from "node:zlib";

/** An entry of an archive; anything of its head may be wrong. */
export type TarEntry = { path: string; text?: string; type?: string; prefix?: string; size?: string };

const BLOCK = 512;

const entryBytes = ({ path, text = "", type = "0", prefix = "", size }: TarEntry): Buffer => {
  const body = Buffer.from(text);
  const head = Buffer.alloc(BLOCK);
  head.write(path, 0, 100);
  head.write("0000666\0", 100);
  head.write("0154061\0", 108); // another user's, which is ignored
  head.write("0154061\0", 116);
  head.write(size ?? `${body.length.toString(8).padStart(11, "0")}\0`, 124);
  head.write("00000000000\0", 136);
  head.write("        ", 148);
  head.write(type, 156);
  head.write(type === "2" || type === "1" ? "/etc/passwd" : "", 157);
  head.write("ustar\x0000", 257);
  head.write(prefix, 345, 155);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([head, body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
};

/** An archive of these entries, as an attacker may write it. */
export const tarGz = (entries: readonly TarEntry[]): Uint8Array =>
  gzipSync(Buffer.concat([...entries.map(entryBytes), Buffer.alloc(2 * BLOCK)]));
