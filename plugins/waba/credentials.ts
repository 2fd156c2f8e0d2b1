import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { UpstreamResult } from "../../src/contract/upstream.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import { credentialsBy, failuresWithout } from "../meta/credentials.ts";
import type { Graph, GraphCall } from "../meta/graph.ts";
import { upstreamResult } from "./errors.ts";

/** The contents of a WABA channel's vault. */
export type Credentials = {
  phoneNumberId: string;
  businessAccountId: string;
  accessToken: string;
  /** The owner's settings; missing or empty if the default holds. */
  messagingAccountId?: string | undefined;
  marketingMessages?: string | undefined;
  marketingPriceFactor?: string | undefined;
  directSendName?: string | undefined;
};

export const readCredentials = credentialsBy<Credentials>(
  ({ phoneNumberId, businessAccountId, accessToken, ...settings }) =>
    phoneNumberId && businessAccountId && accessToken
      ? {
          phoneNumberId,
          businessAccountId,
          accessToken,
          messagingAccountId: settings["messagingAccountId"],
          marketingMessages: settings["marketingMessages"],
          marketingPriceFactor: settings["marketingPriceFactor"],
          directSendName: settings["directSendName"],
        }
      : undefined,
);

export const FAILURE_WITHOUT = failuresWithout("WABA_CREDS_MISSING");

/** Runs a call with the channel's credentials; a failure of kind `credentials` without them. */
export const withCredentials = async <T>(
  host: ChannelHost,
  call: (credentials: Credentials) => Promise<UpstreamResult<T>>,
): Promise<UpstreamResult<T>> => {
  const credentials = await readCredentials(host);
  return typeof credentials === "string"
    ? { ok: false, kind: "credentials", reason: `the channel's credentials are ${credentials}` }
    : call(credentials);
};

/**
 * Makes the calls that a customer waits for: `call` makes the request, `read` takes the value from the answer;
 * undefined if it is missing.
 */
export const askerOf =
  (host: ChannelHost, graph: Graph) =>
  <T>(
    call: (credentials: Credentials) => Omit<GraphCall, "token">,
    read: (answer: Json) => T | undefined,
  ): Promise<UpstreamResult<T>> =>
    withCredentials(host, async (credentials) =>
      upstreamResult(await graph({ ...call(credentials), token: credentials.accessToken }), read),
    );
