import type { HttpAnswer } from "../../src/contract/ports/http.ts";
import type { Probe, ProbeFinding } from "../../src/contract/probe.ts";
import { hmacSha256 } from "../../src/kernel/crypto.ts";
import { isLoopbackUrl } from "../../src/kernel/settings/setting-kinds.ts";
import { recordOf } from "../../src/kernel/texts/json.ts";
import { parseRecord, textOf } from "../meta/json.ts";
import { WEBHOOK_CLIENT } from "../meta/receiver.ts";
import type { WabaSettings } from "./plugin.ts";

const ASK_MS = 4000;
/** Signed, but not JSON: it is refused after its signature was accepted, so that nothing is stored. */
const BODY = "recado doctor";
const REFUSED = 403;
const DOCS = "docs/official.md: Client certificates of Meta's webhooks";

/**
 * Posts to the webhook address as Meta does, from outside and without a client certificate. If a header for client
 * certificates is set, it is sent too, as a stranger would: the proxy must not pass it on. No probe if Meta cannot
 * reach this server.
 */
export const webhookProbe = ({
  gatewayUrl,
  appSecrets,
  webhookClientHeader: header,
}: Pick<WabaSettings, "gatewayUrl" | "appSecrets" | "webhookClientHeader">): Probe[] => {
  const [secret] = appSecrets;
  if (gatewayUrl === undefined || !secret || isLoopbackUrl(gatewayUrl)) return [];
  return [webhookProbeAt(gatewayUrl, secret, header)];
};

/** The probe of the webhook at this address. */
export const webhookProbeAt = (gatewayUrl: string, secret: string, header: string | undefined): Probe => ({
  name: "meta-webhook",
  url: `${gatewayUrl}/v1/upstream-webhook`,
  ask: (http) =>
    http.trusted({
      url: `${gatewayUrl}/v1/upstream-webhook`,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-hub-signature-256": `sha256=${hmacSha256(secret, BODY, "hex")}`,
        ...(header === undefined ? {} : { [header]: WEBHOOK_CLIENT }),
      },
      body: BODY,
      timeoutMs: ASK_MS,
    }),
  judge: (answer) => (header === undefined ? withoutHeader(answer) : withHeader(answer, header)),
});

/** The code of an error of ours; undefined if another server answered. */
const ownCodeOf = ({ body }: HttpAnswer): string | undefined =>
  textOf(recordOf(parseRecord(new TextDecoder().decode(body))?.["error"])["code"]);

const isSignatureAccepted = (answer: HttpAnswer): boolean => ownCodeOf(answer)?.startsWith("VALIDATION") === true;

const withoutHeader = (answer: HttpAnswer): ProbeFinding | undefined =>
  isSignatureAccepted(answer)
    ? undefined
    : {
        outcome: "warning",
        found: `the webhook address answers HTTP ${answer.status} to a signed webhook without a client certificate`,
        remedy: `let the proxy pass on POST to this address; if it checks client certificates, see ${DOCS}`,
      };

const withHeader = (answer: HttpAnswer, header: string): ProbeFinding => {
  if (isSignatureAccepted(answer))
    return {
      outcome: "fault",
      found: `the proxy passes on the ${header} that a client sends, so that anyone may claim Meta's certificate`,
      remedy: `let the proxy replace this header in every request, see ${DOCS}`,
    };
  return answer.status === REFUSED
    ? { outcome: "ok", found: "webhooks without Meta's client certificate are refused" }
    : {
        outcome: "warning",
        found: `a webhook without a client certificate is answered with HTTP ${answer.status}`,
        remedy: `let the proxy ask for client certificates without demanding them from other clients, see ${DOCS}`,
      };
};
