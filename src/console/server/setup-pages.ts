import type { SetUp } from "../../core/tenancy/people/first-start.ts";
import { type Answer, escaped } from "./page.ts";

const refusal = (status: number, code: string, title: string, says: string): Answer => ({
  status,
  page: { title, body: `<p>${escaped(says)}</p>${WAY_IN}` },
  json: { error: { code, message: `${says} ${WAY_IN_TEXT}` } },
});

const WAY_IN_TEXT =
  "On the machine that runs Recado, `recado admin token` makes an admin token; while nothing is set up, a restart prints a new link.";
const WAY_IN =
  "<p>On the machine that runs Recado, <code>recado admin token</code> makes an admin token; while nothing is set up, a restart prints a new link.</p>";

/** The messages about a link that is not open. */
export const LINK_REFUSALS = {
  spent: refusal(410, "SETUP_LINK_SPENT", "Recado is set up", "This link has done its work: it is good once."),
  expired: refusal(410, "SETUP_LINK_EXPIRED", "This link has expired", "A set-up link is good for 30 minutes."),
  unknown: refusal(
    404,
    "SETUP_LINK_UNKNOWN",
    "No such link",
    "This is no set-up link of this Recado, or a restart has made a newer one.",
  ),
} as const;

export const NOT_FOUND: Answer = {
  status: 404,
  page: { title: "Not found", body: "<p>There is no such page.</p>" },
  json: { error: { code: "NOT_FOUND", message: "There is no such page." } },
};

/** A refusal that the client can correct. */
export const refused = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  headers,
  page: { title: "That did not work", body: `<p class="fault">${escaped(message)}</p>` },
  json: { error: { code, message } },
});

/** The set-up form, with an error message after a refusal. It posts to its own URL. */
export const form = (fault?: string): Answer => ({
  status: fault === undefined ? 200 : 400,
  page: {
    title: "Set up Recado",
    body: `<p>Nothing is set up yet. Name the first account, for example your company: you get its API key, and a token for everything that an administrator does.</p>
${fault === undefined ? "" : `<p class="fault">${escaped(fault)}</p>`}
<form method="post"><label for="name">Name of the first account</label><input id="name" name="name" required maxlength="120" autocomplete="organization" autofocus>
<button>Set up</button></form>`,
  },
  json: fault === undefined ? { status: "open" } : { error: { code: "VALIDATION_ERROR", message: fault } },
});

export const KEPT: Answer = {
  status: 200,
  page: { title: "Recado is set up", body: "<p>This page no longer shows the token and the key.</p>" },
  json: { status: "kept" },
};

/** The results that the operator must keep. */
export const done = ({ adminToken, account, key }: SetUp, gatewayUrl: string): Answer => {
  const next = `curl -s ${gatewayUrl}/v1/phones -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '{"type":"SESSION","label":"My phone"}'`;
  const entries = [
    ["Admin token", adminToken],
    ["Account", account.id],
    ["API key of the account", key],
  ] as const;
  return {
    status: 201,
    page: {
      title: "Recado is set up",
      body: `<p>Keep these now: this page shows them for half an hour, in this browser alone. The token opens the admin API (<code>X-Admin-Token</code>), the key the account (<code>X-API-Key</code>).</p>
<dl>${entries.map(([name, value]) => `<dt>${name}</dt><dd><code>${escaped(value)}</code></dd>`).join("")}</dl>
<h2>Next: a phone</h2><pre>${escaped(next)}</pre>
<p>Its answer has an <code>id</code>: <code>GET ${escaped(gatewayUrl)}/v1/phones/&lt;id&gt;/qrcode</code> gives the QR code to scan with the phone.</p>
<form method="post"><button name="kept" value="yes">I have kept them: show them no more</button></form>`,
    },
    json: { adminToken, account, apiKey: key, gatewayUrl, next },
  };
};
