import { badRequest } from "./errors.ts";
import type { Fields, UploadedFile } from "./state.ts";

export type Payload = { fields: Fields; files: ReadonlyMap<string, UploadedFile> };

const NO_FILES: ReadonlyMap<string, UploadedFile> = new Map();

/** The fields of a call in any of the four ways of https://core.telegram.org/bots/api#making-requests. */
export const payloadOf = async (bytes: Uint8Array, contentType: string, query: URLSearchParams): Promise<Payload> => {
  const asked = Object.fromEntries(query);
  if (contentType.startsWith("application/json")) return { fields: { ...asked, ...jsonOf(bytes) }, files: NO_FILES };
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(contentType))
    return { fields: asked, files: NO_FILES };
  const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  const fields: Record<string, unknown> = { ...asked };
  const files = new Map<string, UploadedFile>();
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value;
    else
      files.set(name, {
        bytes: new Uint8Array(await value.arrayBuffer()),
        filename: value.name,
        contentType: value.type,
      });
  }
  return { fields, files };
};

const jsonOf = (bytes: Uint8Array): Fields => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // reported below
  }
  throw badRequest("can't parse JSON object");
};

/** A value that may be JSON inside a form. */
export const structured = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    throw badRequest("can't parse JSON object");
  }
};

export const integerOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
};

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const recordOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
