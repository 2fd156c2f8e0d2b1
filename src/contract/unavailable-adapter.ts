/**
 * An adapter that is installed and cannot be used. `kind`: its channels, where it said so. `fault`: for the operator,
 * with the file. `reason`: for owners of its channels, without what the adapter itself said.
 */
export type UnavailableAdapter = { name: string; kind: string | undefined; fault: string; reason: string };
