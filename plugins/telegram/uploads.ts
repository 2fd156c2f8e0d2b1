import type { ChannelHost } from "../../src/contract/plugin.ts";
import { failureOfStatus, failureWithoutAnswer } from "../../src/contract/ports/file-failures.ts";
import type { HttpOpenAnswer } from "../../src/contract/ports/http.ts";
import { leave } from "../../src/kernel/network/bodies.ts";
import type { Random } from "../../src/kernel/random.ts";
import { filenameIn } from "../../src/kernel/texts/disposition.ts";
import { cleanFilename } from "../../src/kernel/texts/file-names.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { StreamedBody } from "./api.ts";
import { later, never, type SendFailure } from "./errors.ts";
import type { FilePart, Sending } from "./outbound.ts";

/**
 * Limits of https://core.telegram.org/bots/api#sending-files, in bytes; an operator's own server takes 2000 MB and
 * checks them itself.
 */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

const READ_TIMEOUT_MS = 5 * 60_000;

/** A sending that is ready: with a body to stream, or with fields alone. */
export type Ready = { method: string; fields: Json; body?: StreamedBody };

type Ports = { http: Pick<ChannelHost["http"], "guardedStream">; random: Random; isPublicServer: boolean };

/**
 * Opens the file of a sending at its link and makes the body that streams it on, so that no file is ever in memory
 * whole. A link with an unknown length is given to the network to fetch. A picture too large for a photo is sent as a
 * document.
 */
export const openUpload = async (ports: Ports, { method, fields, file }: Sending): Promise<Ready | SendFailure> => {
  if (!file) return { method, fields };
  const answer = await ports.http.guardedStream({
    method: "GET",
    url: file.url,
    headers: { "user-agent": "Recado" },
    timeoutMs: READ_TIMEOUT_MS,
  });
  if (!answer.ok)
    return failedLink(
      failureWithoutAnswer(answer).kind === "refused",
      `the file of the message could not be read (${answer.failure})`,
    );
  if (answer.status !== 200) {
    leave(answer.body);
    return failedLink(
      failureOfStatus(answer.status).kind === "refused",
      `the file of the message could not be read (HTTP ${answer.status})`,
    );
  }
  const sizeBytes = lengthOf(answer);
  if (sizeBytes === undefined) {
    leave(answer.body);
    return { method, fields: { ...fields, [file.field]: file.url } };
  }
  if (sizeBytes === 0 || (ports.isPublicServer && sizeBytes > MAX_UPLOAD_BYTES)) {
    leave(answer.body);
    return never(sizeBytes === 0 ? "the file of the message is empty" : "a file has at most 50 MB on this network");
  }
  const fit = fitted(method, file, {
    sizeBytes,
    name: cleanFilename(filenameIn(answer.headers["content-disposition"] ?? "") ?? ""),
    contentType: file.contentType ?? answer.headers["content-type"] ?? "application/octet-stream",
  });
  return { method: fit.method, fields, body: multipart(ports.random, fields, { ...fit, stream: answer.body }) };
};

const failedLink = (isFinal: boolean, reason: string): SendFailure => (isFinal ? never(reason) : later(reason));

const lengthOf = ({ headers }: HttpOpenAnswer): number | undefined => {
  const length = headers["content-length"];
  return length !== undefined && /^\d{1,15}$/.test(length) && headers["content-encoding"] === undefined
    ? Number(length)
    : undefined;
};

type Fitted = { method: string; field: string; filename: string; contentType: string; sizeBytes: number };

/** The method that fits the file: a photo of more than 10 MB goes as a document, an animated one as an animation. */
const fitted = (
  method: string,
  { field, url, filename }: FilePart,
  { sizeBytes, contentType, name }: { sizeBytes: number; contentType: string; name: string | undefined },
): Fitted => {
  const metadata = { sizeBytes, contentType, filename: filename ?? name ?? nameIn(url) };
  if (method === "sendPhoto" && contentType.startsWith("image/gif"))
    return { ...metadata, method: "sendAnimation", field: "animation" };
  if (method === "sendPhoto" && sizeBytes > MAX_PHOTO_BYTES)
    return { ...metadata, method: "sendDocument", field: "document" };
  return { ...metadata, method, field };
};

const nameIn = (url: string): string => {
  const name = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  return /^[\w.-]{1,100}$/.test(name) ? name : "file";
};

/** The names of customers' files, as browsers write them into a form. */
const escaped = (filename: string): string =>
  filename.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/**
 * A form with a file as its last part, which is read while it is sent:
 * https://core.telegram.org/bots/api#sending-files.
 */
const multipart = (
  random: Random,
  fields: Json,
  { field, filename, contentType, sizeBytes, stream }: Fitted & { stream: AsyncIterable<Uint8Array> },
): StreamedBody => {
  const boundary = `recado-${Buffer.from(random.bytes(16)).toString("hex")}`;
  const part = (name: string, more: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `${part(name, "")}${typeof value === "string" ? value : JSON.stringify(value)}\r\n`,
  );
  const type = contentType.replaceAll(/[\r\n]/g, "");
  const head = Buffer.from(
    `${texts.join("")}${part(field, `; filename="${escaped(filename)}"\r\nContent-Type: ${type}`)}`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  let isWhole = false;
  async function* body() {
    yield head;
    yield* stream;
    isWhole = true;
    yield tail;
  }
  return {
    content: { stream: body(), sizeBytes: head.length + sizeBytes + tail.length },
    contentType: `multipart/form-data; boundary=${boundary}`,
    isWhole: () => isWhole,
  };
};
