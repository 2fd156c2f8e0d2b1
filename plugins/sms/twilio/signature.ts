import { createHash, createHmac } from "node:crypto";
import type { WebhookRequest } from "../../../src/contract/webhooks.ts";
import { isSameSecret } from "../../../src/kernel/crypto.ts";
import { isJson, pairsOf } from "./fields.ts";

const HEADER = "x-twilio-signature";
/** HMAC-SHA1 in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{27}=$/;

export const isSigned = (headers: Headers): boolean => SIGNATURE.test(headers.get(HEADER) ?? "");

/**
 * Whether the account's token signed the request: the URL, and the parameters of a form in the order of their names. The
 * URL of a JSON request has the hash of its body: https://www.twilio.com/docs/usage/webhooks/webhooks-security.
 */
export const verify = (request: WebhookRequest, { token = "" }: Readonly<Record<string, string>>): boolean => {
  const given = request.headers.get(HEADER) ?? "";
  const parameters = parametersOf(request);
  if (token === "" || !isSigned(request.headers) || parameters === undefined) return false;
  return addressesOf(request.url)
    .map((url) =>
      createHmac("sha1", token)
        .update(url + parameters)
        .digest("base64"),
    )
    .some((right) => isSameSecret(given, right));
};

/** The signed part after the URL; undefined for a body that no signature covers. */
const parametersOf = ({ headers, query, rawBody }: WebhookRequest): string | undefined => {
  const bodyHash = query.get("bodySHA256");
  if (bodyHash !== null || isJson(headers))
    return isSameSecret(bodyHash ?? "", createHash("sha256").update(rawBody).digest("hex")) ? "" : undefined;
  const pairs = pairsOf(rawBody)?.map(([name, value]) => ({ name, value }));
  return pairs
    ?.toSorted((a, b) => order(a.name, b.name) || order(a.value, b.value))
    .filter((one, at, all) => one.name !== all[at - 1]?.name || one.value !== all[at - 1]?.value)
    .map(({ name, value }) => name + value)
    .join("");
};

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The URL with and without its port: the provider is not consistent, as its own libraries say. */
const addressesOf = (url: string): string[] => {
  const { protocol, host, hostname, port } = new URL(url);
  const start = `${protocol}//`;
  if (!url.startsWith(start + host)) return [url];
  const rest = url.slice(start.length + host.length);
  const usual = protocol === "https:" ? "443" : "80";
  return [url, port === "" ? `${start}${host}:${usual}${rest}` : `${start}${hostname}${rest}`];
};
