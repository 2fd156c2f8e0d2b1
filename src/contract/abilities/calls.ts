import type { UpstreamResult } from "../upstream.ts";

/**
 * Whether a person may be called. `expiresAt` is null for a permission without an end. `grantedAt` is null if the
 * network does not report it.
 */
export type CallPermission = { granted: boolean; grantedAt: number | null; expiresAt: number | null };

/**
 * The signalling of voice calls over a business number; audio does not pass here. `to` is a canonical key. No function
 * throws.
 */
export type CallsApi = {
  /**
   * Gives the network's id of the call; undefined if the network accepted it without an id. The network repeats
   * `callId` in its updates.
   */
  connect(call: {
    to: string;
    sdpOffer: string;
    callId: string;
  }): Promise<UpstreamResult<{ nativeId: string | undefined }>>;
  accept(nativeId: string, sdpAnswer: string): Promise<UpstreamResult<true>>;
  /** Rejects an inbound call that was not accepted. */
  reject(nativeId: string): Promise<UpstreamResult<true>>;
  terminate(nativeId: string): Promise<UpstreamResult<true>>;
  permission(to: string): Promise<UpstreamResult<CallPermission>>;
};
