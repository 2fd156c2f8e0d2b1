import type { Probe, ProbeFinding } from "../../src/contract/probe.ts";
import { hmacSha256 } from "../../src/kernel/crypto.ts";
import type { WabaSettings } from "./plugin.ts";

/** The earlier versions ended on 2026-10-15: a sign-up for coexistence becomes a sign-up for a new number. */
const CURRENT_SIGNUP = "v4";

/**
 * Asks the Graph API whether it knows the app: the app's own token is accepted if its id and its first secret, which
 * exchanges codes, fit each other.
 */
export const graphProbe = ({
  appId,
  appSecrets,
  graphUrl,
  graphVersion,
  configId,
  signupVersion = CURRENT_SIGNUP,
}: Pick<WabaSettings, "appId" | "appSecrets" | "graphUrl" | "graphVersion" | "configId" | "signupVersion">): Probe => {
  const [secret] = appSecrets;
  const probe: Probe = { name: "graph-api", url: graphUrl, isAlwaysAsked: appId !== undefined || secret !== undefined };
  if (appId === undefined || secret === undefined) return probe;
  const token = `${appId}|${secret}`;
  const query = new URLSearchParams({ input_token: token, appsecret_proof: hmacSha256(secret, token, "hex") });
  const url = `${graphUrl}/${graphVersion}/debug_token?${query.toString()}`;
  return {
    ...probe,
    ask: (http) =>
      http.trusted({ url, method: "GET", headers: { authorization: `Bearer ${token}` }, timeoutMs: ASK_MS }),
    judge: ({ status }) =>
      status >= 400 && status < 500
        ? {
            outcome: "fault",
            found: `the Meta app is refused (HTTP ${status})`,
            remedy:
              "set RECADO_META_APP_ID and the first of RECADO_META_APP_SECRET to what the app's basic settings show",
          }
        : signupFinding(configId, signupVersion),
  };
};

const signupFinding = (configId: string | undefined, version: string): ProbeFinding | undefined =>
  configId === undefined || version.startsWith(CURRENT_SIGNUP)
    ? undefined
    : {
        outcome: "warning",
        found: `Embedded Signup is asked for as ${version}, which Meta ended on 2026-10-15`,
        remedy:
          "make a configuration of Embedded Signup v4 in the Meta app, set RECADO_META_CONFIG_ID to it and unset RECADO_META_SIGNUP_VERSION",
      };

const ASK_MS = 4000;
