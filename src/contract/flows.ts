import type { UpstreamResult } from "./upstream.ts";

export const FLOW_STATUSES = ["DRAFT", "PUBLISHED", "DEPRECATED", "BLOCKED", "THROTTLED"] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

/** What can be said of a flow apart from its screens. `exchangeUrl` is where the network posts what its users enter. */
export type FlowMetadata = { name?: string; categories?: readonly string[]; exchangeUrl?: string };

/** A flow as the network has it. */
export type UpstreamFlow = {
  nativeId: string;
  name: string;
  categories: string[];
  status: FlowStatus;
  validationErrors: readonly unknown[];
};

/**
 * Forms that a network shows inside a chat: their management, and the key by which their answers are encrypted. None of
 * them throws.
 */
export type FlowApi = {
  /** `json`: the screens. What is wrong with them does not refuse the flow: it is told in `validationErrors`. */
  create(flow: {
    name: string;
    categories: readonly string[];
    exchangeUrl?: string;
    json?: object;
  }): Promise<UpstreamResult<{ nativeId: string; validationErrors: readonly unknown[] }>>;
  update(nativeId: string, metadata: FlowMetadata): Promise<UpstreamResult<true>>;
  /** Replaces the screens; gives what is wrong with them. */
  replaceScreens(nativeId: string, json: object): Promise<UpstreamResult<readonly unknown[]>>;
  publish(nativeId: string): Promise<UpstreamResult<true>>;
  deprecate(nativeId: string): Promise<UpstreamResult<true>>;
  /** Drafts alone can be removed. */
  remove(nativeId: string): Promise<UpstreamResult<true>>;
  read(nativeId: string): Promise<UpstreamResult<UpstreamFlow>>;
  list(): Promise<UpstreamResult<UpstreamFlow[]>>;
  /** Gives the network the public key (PEM) of the phone: it encrypts with it from now on. */
  uploadKey(publicKey: string): Promise<UpstreamResult<true>>;
};

/** A request of a flow as the network posts it. The field names are the network's. */
export type SealedExchange = { encrypted_flow_data: string; encrypted_aes_key: string; initial_vector: string };
/** What a user of a flow did. */
export type FlowRequest = {
  version?: string;
  action: string;
  screen?: string;
  data?: Record<string, unknown>;
  flow_token?: string;
};

/** How a network encrypts what is entered into flows. No I/O. */
export type FlowCipher = {
  /** A key pair in PEM. */
  newKeyPair(): Promise<{ publicKey: string; privateKey: string }>;
  /** The request, and how its answer is to be sealed; undefined when it was not made for this key. */
  open(sealed: SealedExchange, privateKey: string): { request: FlowRequest; seal(answer: object): string } | undefined;
};
