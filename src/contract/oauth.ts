import type { UpstreamResult } from "./upstream.ts";

/** What a client's page needs to send somebody to the network for their consent. */
export type OAuthConfig = {
  appId: string;
  authorizeUrl: string;
  scopes: readonly string[];
  redirectUris: readonly string[];
};

/** The account that somebody has let us into. `credentials` go into the vault; `profile` is what a face shows. */
export type GrantedAccount = {
  numberId: string;
  profile: Record<string, unknown>;
  credentials: Record<string, string>;
};

/** Channels that are made by their owner's consent at the network. */
export type OAuth = {
  /** Undefined when the operator has configured no app. */
  config: OAuthConfig | undefined;
  /** Turns the code of a consent into lasting credentials, and has the network send us the account's webhooks. */
  exchange(code: string, redirectUri: string): Promise<UpstreamResult<GrantedAccount>>;
};
