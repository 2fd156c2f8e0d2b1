import { presigned, type Signing } from "./s3-signing.ts";

type Bucket = Signing & { bucket: string };

const LINK_SECONDS = 600;
/** An answer names at most 1000 uploads. */
const MOST_BYTES = 4 * 1024 * 1024;

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|apos);/g, (name) => ENTITIES[name] ?? name);

const textIn = (xml: string, name: string): string => {
  const begin = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`, begin);
  return begin < 0 || end < 0 ? "" : unescaped(xml.slice(begin + name.length + 2, end));
};

/** The uploads of a key in the answer to a list of uploads. */
const uploadsIn = (xml: string, key: string): string[] =>
  xml
    .slice(0, MOST_BYTES)
    .split("<Upload>")
    .slice(1)
    .filter((upload) => textIn(upload, "Key") === key)
    .map((upload) => textIn(upload, "UploadId"))
    .filter((id) => id !== "");

/**
 * Discards every unfinished upload of a key, with its parts
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html).
 *
 * @throws Error when the service does not answer in time, or refuses
 */
export const abortUploads = async (bucket: Bucket, key: string, answerMs: number): Promise<void> => {
  const ask = async (method: "GET" | "DELETE", path: string, query: Record<string, string>): Promise<string> => {
    const url = presigned(bucket, { method, path, query, ttlSeconds: LINK_SECONDS, atMs: Date.now() });
    const response = await fetch(url, { method, redirect: "error", signal: AbortSignal.timeout(answerMs) });
    const text = await response.text();
    if (!response.ok && response.status !== 404) throw new Error(`HTTP ${response.status}`);
    return text;
  };
  const listed = await ask("GET", bucket.bucket, { uploads: "", prefix: key });
  for (const uploadId of uploadsIn(listed, key)) await ask("DELETE", `${bucket.bucket}/${key}`, { uploadId });
};
