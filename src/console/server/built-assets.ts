/** A file of the program in the binary: the paths of its compressed forms. */
export type BuiltFile = { name: string; type: string; isEntry: boolean; gzip: string; brotli: string };

/**
 * The program that is in the binary: scripts/build.ts puts it here. A server from source bundles it at the first
 * request.
 */
export const BUILT: readonly BuiltFile[] | undefined = undefined;
