/**
 * An installed adapter that cannot be used. `kind`: the kind of its channels, if it declared one. `fault`: the reason
 * for the operator, with the file. `reason`: the reason for owners of its channels, without the adapter's own words.
 */
export type UnavailableAdapter = { name: string; kind: string | undefined; fault: string; reason: string };
