import { createHash } from "node:crypto";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import { httpDate } from "../../../src/kernel/clock.ts";
import { hmacSha256 } from "../../../src/kernel/crypto.ts";
import { listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { type Api, apiOf, type Call, jsonBody } from "../api.ts";
import { type ErrorTable, failureOf, never, unsupported, without } from "../failures.ts";
import { type Account, MAX_TEXT_CHARS, partsOf, type Sendable } from "../provider.ts";
import { measured, type Splitting } from "../segments.ts";
import { recipientOf } from "../senders.ts";
import { idOf, partsIn, textOf } from "../values.ts";

/** Its errors have words, no numbers: https://zenvia.github.io/zenvia-openapi-spec/v2/#section/Error-Handling. */
export const NO_NUMBERS: ErrorTable = { codes: new Map(), limits: new Set(), tokens: new Set() };

/** https://zenvia.github.io/zenvia-openapi-spec/v2/#section/SMS-limitations */
export const ZENVIA_SPLITTING: Splitting = {
  alone: { gsm: 160, unicode: 70 },
  together: { gsm: 152, unicode: 66 },
  refused: new Set("ÇéÉàèìòùñäöüÄÖÜÑ|"),
  cutsAtSpaces: true,
};

/** The client of one account, with its token, and with a signature where the token is of the kind that needs one. */
export const clientOf = ({ host, base, credentials: { token, tokenSecret } }: Account): Api =>
  apiOf(host, {
    base: `${base}/v2`,
    headersOf: (call) => ({
      "x-api-token": token,
      ...(tokenSecret === undefined ? {} : signatureOf(call, { base, tokenSecret, nowMs: host.clock.now() })),
    }),
    errorIn,
    secrets: [token, tokenSecret],
  });

type Signing = { base: string; tokenSecret: string; nowMs: number };

/** https://zenvia.github.io/zenvia-openapi-spec/v2/#section/Authentication/Signature: six lines, the last without an end. */
const signatureOf = ({ method, path, body }: Call, { base, tokenSecret, nowMs }: Signing): Record<string, string> => {
  const date = httpDate(nowMs);
  const { hostname, pathname, search } = new URL(`${base}/v2${path}`);
  const lines = [
    method,
    body ? createHash("md5").update(body.content).digest("hex") : "",
    body?.contentType ?? "",
    date,
    hostname,
    pathname + search,
  ];
  return { date, "x-api-signature": hmacSha256(tokenSecret, lines.join("\n"), "base64") };
};

/** `{ code, message, details: [{ code, path, message }] }`. */
const errorIn = (json: unknown): { text: string } => {
  const { code, message, details } = recordOf(json);
  const reasons = listOf(details).map((detail) => {
    const { path, message: reason } = recordOf(detail);
    return [textOf(path), textOf(reason)].filter(Boolean).join(" ");
  });
  return { text: [textOf(code), textOf(message), ...reasons].filter(Boolean).join(": ") };
};

/**
 * Sends a text. This provider's SMS have no files, so the links of files stand below the words. A link of this server
 * ends after an hour, long before an SMS is thrown away, so it is refused.
 */
export const send = async (account: Account, order: Sendable): Promise<SendOutcome> => {
  const { host, credentials } = account;
  if (Object.values(order.options ?? {}).some(Boolean)) return unsupported("this provider has no options of a send");
  const { text: words, links } = partsOf(order);
  const own = URL.parse(host.webhookUrl)?.origin;
  if (links.some((link) => URL.parse(link)?.origin === own))
    return unsupported("this provider sends no files; give a mediaUrl of your own, which goes out as a link");
  const text = [words, ...links].filter(Boolean).join("\n");
  if ([...text].length > MAX_TEXT_CHARS)
    return never(`a text with its links has at most ${MAX_TEXT_CHARS} characters at this provider`);
  const result = await clientOf(account)({
    method: "POST",
    path: "/channels/sms/messages",
    body: jsonBody({
      from: credentials.sender.value,
      to: recipientOf(order.to, ""),
      contents: [{ type: "text", text }],
      externalId: order.messageId,
    }),
  });
  if (!result.ok) return failureOf(result.fault, NO_NUMBERS);
  const key = idOf(recordOf(result.json)["id"]);
  if (key === undefined) return without("refused", "UPSTREAM_NO_ID", "the provider accepted the message without an id");
  return { ok: true, key: key as ProviderMessageId, ...partsIn(measured(text, ZENVIA_SPLITTING).parts) };
};
