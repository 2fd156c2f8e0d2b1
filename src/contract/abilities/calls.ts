import type { UpstreamResult } from "../upstream.ts";

/**
 * Whether a person may be called. `expiresAt` is null for a permission without an end. `grantedAt` is null if the
 * network does not report it.
 */
export type CallPermission = { granted: boolean; grantedAt: number | null; expiresAt: number | null };

/** A new call that people join by its link. `startsAt`: when it begins, in milliseconds; by default whenever they join. */
export type NewCallLink = { isVideo: boolean; startsAt?: number };

/**
 * The signalling of calls; audio does not pass here. `to` is a canonical key. No function throws. A function that is
 * absent is a call that the network does not offer to this channel.
 */
export type CallsApi = {
  /**
   * Gives the network's id of the call; undefined if the network accepted it without an id. The network repeats
   * `callId` in its updates.
   */
  connect?(call: {
    to: string;
    sdpOffer: string;
    callId: string;
  }): Promise<UpstreamResult<{ nativeId: string | undefined }>>;
  accept?(nativeId: string, sdpAnswer: string): Promise<UpstreamResult<true>>;
  /** Rejects an inbound call that was not accepted. */
  reject(nativeId: string): Promise<UpstreamResult<true>>;
  terminate?(nativeId: string): Promise<UpstreamResult<true>>;
  permission?(to: string): Promise<UpstreamResult<CallPermission>>;
  /** Gives the URL of the link. */
  createLink?(link: NewCallLink): Promise<UpstreamResult<string>>;
};
