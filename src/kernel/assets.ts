/** Reads a file that is part of Recado, from where it was imported: as it is in a checkout, compressed in the binary. */
export const readAsset = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = await Bun.file(path).bytes();
  return path.endsWith(".zst") ? new Uint8Array(await Bun.zstdDecompress(bytes)) : bytes;
};
