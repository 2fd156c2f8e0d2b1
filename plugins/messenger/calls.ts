import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { NoCredentials } from "../meta/credentials.ts";
import { type Graph, graphClient } from "../meta/graph.ts";
import { type Credentials, readCredentials } from "./credentials.ts";
import { isTokenRefused } from "./errors.ts";

export type MessengerSettings = { graphUrl: string; graphVersion: string };

/** A page and the API as this page may call it. */
export type Page = Credentials & { graph: Graph };

/**
 * The page of a channel, with the API for one request of the core. Each call proves that it knows the app's secret.
 * `onTokenRefused`: called when the network does not accept the token.
 */
export const pageOf = async (
  host: ChannelHost,
  settings: MessengerSettings,
  onTokenRefused: () => void,
): Promise<Page | NoCredentials> => {
  const credentials = await readCredentials(host);
  if (typeof credentials === "string") return credentials;
  const client = graphClient(host.http.trusted, { ...settings, appSecrets: [credentials.appSecret] });
  const graph: Graph = async (call) => {
    const result = await client(call);
    if (!result.ok && isTokenRefused(result.fault)) onTokenRefused();
    return result;
  };
  return { ...credentials, graph };
};
