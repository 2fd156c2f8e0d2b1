import { createHmac } from "node:crypto";
import { sha256 } from "../../kernel/crypto.ts";

export type Signing = { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string };

/**
 * The contents of a signed URL besides the signature. `query`: the headers of the answer, by their `response-…` names.
 */
export type Signed = {
  method?: "GET" | "DELETE";
  path: string;
  query: Readonly<Record<string, string>>;
  ttlSeconds: number;
  atMs: number;
};

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Percent-encodes all but letters, digits, `-`, `.`, `_` and `~`, as the signature requires. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** `20261120T120000Z` */
const timestampOf = (atMs: number): string => new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, "");

/**
 * A URL at which an S3 service does one thing (by default: serves an object) for `ttlSeconds`, by AWS Signature Version 4
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html). Bun's own presign refuses a content
 * disposition of more than 512 bytes, and reads AWS_SESSION_TOKEN from the environment. aws4fetch gives the same
 * signatures for seven times the processor time (decision 0034).
 */
export const presigned = (
  { endpoint, region, accessKeyId, secretAccessKey }: Signing,
  { method = "GET", path, query, ttlSeconds, atMs }: Signed,
): string => {
  const url = new URL(`${endpoint}/${path.split("/").map(encoded).join("/")}`);
  const timestamp = timestampOf(atMs);
  const scope = [timestamp.slice(0, 8), region, "s3", "aws4_request"];
  const parameters = {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": [accessKeyId, ...scope].join("/"),
    "X-Amz-Date": timestamp,
    "X-Amz-Expires": String(ttlSeconds),
    "X-Amz-SignedHeaders": "host",
    ...query,
  };
  const canonicalQuery = Object.entries(parameters)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join("&");
  const canonical = [method, url.pathname, canonicalQuery, `host:${url.host}`, "", "host", "UNSIGNED-PAYLOAD"].join(
    "\n",
  );
  const text = ["AWS4-HMAC-SHA256", timestamp, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secretAccessKey}`);
  return `${url.origin}${url.pathname}?${canonicalQuery}&X-Amz-Signature=${hmac(key, text).toString("hex")}`;
};
