/** The longest value of an adapter's state. */
export const MAX_STATE_CHARS = 16 * 1024;

/**
 * Small values that all channels of an adapter share, in all processes, by name (at most 64 characters). Not for
 * secrets, and not for what belongs to a tenant. A value has at most 16 KiB.
 */
export type AdapterState = {
  read(name: string): Promise<string | undefined>;
  /** Replaces a value by what `changed` makes of it, in one write. `changed` is pure and may be called again. */
  change(name: string, changed: (before: string | undefined) => string): Promise<void>;
};
