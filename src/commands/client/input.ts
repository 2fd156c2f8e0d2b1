import { stat } from "node:fs/promises";
import { InputFault } from "./connected.ts";

const MAX_BYTES = 1024 * 1024;

/** The text of a file of at most 1 MiB; of stdin for `-`. @throws InputFault */
export const readText = async (path: string): Promise<string> => {
  const input = path === "-" ? Bun.stdin : await readable(path);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of input.stream()) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new InputFault(`${path} has more than ${MAX_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/** A file that can be read. @throws InputFault */
export const readable = async (path: string): Promise<Bun.BunFile> => {
  const found = await stat(path).catch((cause: unknown) => {
    throw new InputFault(`${path} cannot be read`, { cause });
  });
  if (!found.isFile()) throw new InputFault(`${path} is not a file`);
  return Bun.file(path);
};
