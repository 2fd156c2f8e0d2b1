import type { UpstreamResult } from "../upstream.ts";

/** What a client's page needs to send a person to the network's consent page. */
export type OAuthConfig = {
  appId: string;
  authorizeUrl: string;
  scopes: readonly string[];
  redirectUris: readonly string[];
};

/** The account that a person gave access to. `credentials` go into the vault; `profile` is what an API shows. */
export type GrantedAccount = {
  numberId: string;
  profile: Record<string, unknown>;
  credentials: Record<string, string>;
};

/** Creation of channels by their owner's consent at the network. */
export type OAuth = {
  /** Undefined when the operator has configured no app. */
  config: OAuthConfig | undefined;
  /** Exchanges a consent's code for long-lived credentials, and subscribes to the account's webhooks. */
  exchange(code: string, redirectUri: string): Promise<UpstreamResult<GrantedAccount>>;
};
