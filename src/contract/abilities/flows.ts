import type { UpstreamResult } from "../upstream.ts";

export const FLOW_STATUSES = ["DRAFT", "PUBLISHED", "DEPRECATED", "BLOCKED", "THROTTLED"] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

/** The attributes of a flow without its screens. The network posts what users enter to `exchangeUrl`. */
export type FlowMetadata = { name?: string; categories?: readonly string[]; exchangeUrl?: string };

/** A flow, as the network describes it. */
export type UpstreamFlow = {
  nativeId: string;
  name: string;
  categories: string[];
  status: FlowStatus;
  validationErrors: readonly unknown[];
};

/** Management of flows (forms inside a chat), and the key that encrypts their answers. No function throws. */
export type FlowApi = {
  /** `json`: the screens. Invalid screens do not refuse the flow; `validationErrors` lists what is wrong. */
  create(flow: {
    name: string;
    categories: readonly string[];
    exchangeUrl?: string;
    json?: object;
  }): Promise<UpstreamResult<{ nativeId: string; validationErrors: readonly unknown[] }>>;
  update(nativeId: string, metadata: FlowMetadata): Promise<UpstreamResult<true>>;
  /** Replaces the screens. Gives the list of what is wrong with them. */
  replaceScreens(nativeId: string, json: object): Promise<UpstreamResult<readonly unknown[]>>;
  publish(nativeId: string): Promise<UpstreamResult<true>>;
  deprecate(nativeId: string): Promise<UpstreamResult<true>>;
  /** Removes a draft. The network refuses any other flow. */
  remove(nativeId: string): Promise<UpstreamResult<true>>;
  read(nativeId: string): Promise<UpstreamResult<UpstreamFlow>>;
  list(): Promise<UpstreamResult<UpstreamFlow[]>>;
  /** Gives the network the phone's public key (PEM). The network encrypts with it from then on. */
  uploadKey(publicKey: string): Promise<UpstreamResult<true>>;
};

/** An encrypted request of a flow. The network defines the field names. */
export type SealedExchange = { encrypted_flow_data: string; encrypted_aes_key: string; initial_vector: string };
/** What a user did in a flow. */
export type FlowRequest = {
  version?: string;
  action: string;
  screen?: string;
  data?: Record<string, unknown>;
  flow_token?: string;
};

/** Decrypts a flow's requests and encrypts the answers. No I/O. */
export type FlowCipher = {
  /** A new key pair in PEM. */
  newKeyPair(): Promise<{ publicKey: string; privateKey: string }>;
  /**
   * The decrypted request, with the function that encrypts its answer. Undefined when it was encrypted for another key.
   */
  open(sealed: SealedExchange, privateKey: string): { request: FlowRequest; seal(answer: object): string } | undefined;
};
