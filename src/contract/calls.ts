import type { UpstreamResult } from "./upstream.ts";

/**
 * Whether somebody may be called; `expiresAt` is null where that does not end. `grantedAt` is null where the network
 * does not say.
 */
export type CallPermission = { granted: boolean; grantedAt: number | null; expiresAt: number | null };

/**
 * The signalling of voice calls over a business number; the sound goes elsewhere. `to` is a canonical key. None of it
 * throws.
 */
export type CallsApi = {
  /**
   * Gives the network's id of the call; undefined where the network took it and named none. `callId` comes back in its
   * news.
   */
  connect(call: {
    to: string;
    sdpOffer: string;
    callId: string;
  }): Promise<UpstreamResult<{ nativeId: string | undefined }>>;
  accept(nativeId: string, sdpAnswer: string): Promise<UpstreamResult<true>>;
  /** Of a call that came in and was not accepted. */
  reject(nativeId: string): Promise<UpstreamResult<true>>;
  terminate(nativeId: string): Promise<UpstreamResult<true>>;
  permission(to: string): Promise<UpstreamResult<CallPermission>>;
};
