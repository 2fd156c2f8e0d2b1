/** A file of the program, as it lies in the binary: the paths of its compressed forms. */
export type BuiltFile = { name: string; type: string; isEntry: boolean; gzip: string; brotli: string };

/** The program that is in the binary: scripts/build.ts puts it here. From source it is bundled when it is asked for. */
export const BUILT: readonly BuiltFile[] | undefined = undefined;
