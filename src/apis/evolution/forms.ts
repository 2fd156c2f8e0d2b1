import { parsedJson } from "../../kernel/texts/json.ts";
import { Malformed } from "../shared/http/bodies.ts";
import { boundaryOf } from "../shared/http/multipart.ts";
import { pathOf } from "../shared/http/request.ts";

/** TABLE: the routes that take a form with a file, and the field in which their JSON has it. */
const FILE_FIELDS: Readonly<Record<string, string>> = {
  sendMedia: "media",
  sendWhatsAppAudio: "audio",
  sendSticker: "sticker",
  sendPtv: "video",
  sendStatus: "content",
};

/** More than any client sends beside a file. */
const MAX_PARTS = 50;

const hasManyParts = (bytes: Uint8Array, boundary: string): boolean => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = -1;
  for (let found = 0; found <= MAX_PARTS + 1; found++) {
    at = body.indexOf(`--${boundary}`, at + 1, "latin1");
    if (at < 0) return false;
  }
  return true;
};

/** TABLE: the fields that are no texts in JSON. What cannot be read stays a text, which the schema refuses by name. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  delay: (text) => numberIn(text),
  ...Object.fromEntries(
    ["mentionsEveryOne", "linkPreview", "encoding", "notConvertSticker", "allContacts", "gifPlayback"].map((name) => [
      name,
      (text: string) => (text === "true" ? true : text === "false" ? false : text),
    ]),
  ),
  ...Object.fromEntries(
    ["quoted", "mentioned", "statusJidList"].map((name) => [name, (text: string) => parsedJson(text) ?? text]),
  ),
};

const numberIn = (text: string): unknown => (/^\d{1,9}$/.test(text) ? Number(text) : text);

/**
 * A form as the JSON of the same call: the file is a data URL in `field`. Of several files the last counts. A name and
 * a type beside the file win over those of its part.
 * @throws Malformed for a body that is no form, or has more than 50 parts
 */
const formBody = async (bytes: Uint8Array, contentType: string, field: string): Promise<object> => {
  const boundary = boundaryOf(contentType);
  if (boundary !== undefined && hasManyParts(bytes, boundary))
    throw new Malformed(`The form has more than ${MAX_PARTS} parts.`);
  const form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": contentType } })
    .formData()
    .catch(() => undefined);
  if (boundary === undefined || form === undefined) throw new Malformed("The body is not a form.");
  const given = new Map<string, unknown>();
  const fromPart = new Map<string, unknown>();
  for (const [name, value] of form.entries()) {
    if (typeof value === "string") {
      const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
      if (name !== "__proto__") given.set(name, read ? read(value) : value);
      continue;
    }
    const base64 = Buffer.from(await value.arrayBuffer()).toString("base64");
    const [type = ""] = value.type.split(";");
    fromPart.set(field, `data:${type};base64,${base64}`);
    if (value.name) fromPart.set("fileName", value.name);
    if (type) fromPart.set("mimetype", type);
  }
  return Object.fromEntries([...fromPart, ...given, ...[...fromPart].filter(([name]) => name === field)]);
};

/** Reads the form of a request; undefined for a request that is no form, and for a route without a file. */
export const formReader = (request: Request): ((bytes: Uint8Array) => Promise<object>) | undefined => {
  const contentType = request.headers.get("content-type")?.trim() ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const [room, route = ""] = pathOf(request).split("/").slice(-3);
  if (room !== "message") return undefined;
  const field = Object.hasOwn(FILE_FIELDS, route) ? FILE_FIELDS[route] : undefined;
  return field === undefined ? undefined : (bytes) => formBody(bytes, contentType, field);
};
