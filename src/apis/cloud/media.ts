import { Elysia } from "elysia";
import { UNKNOWN_TYPE } from "../../core/media/checks.ts";
import { dropKept, KEPT_MAX_BYTES, keepFile, keptFile } from "../../core/media/kept.ts";
import { checkLink, openOfOwner, type Signed, signedQuery } from "../../core/media/links.ts";
import { acknowledgeMedia, getLivingMedia, getMedia } from "../../core/media/media.ts";
import { sha256Of } from "../../kernel/crypto.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { FORM_BYTES, fileIn, headersOf, streamOf } from "../shared/files.ts";
import { type CloudAuth, type Principal, requireNumber, unknownObject } from "./auth.ts";
import type { CloudEnv } from "./env.ts";
import { Refused } from "./errors.ts";
import { type MediaRef, mediaIdOf, mediaOf } from "./ids.ts";
import { routeOptions } from "./route-options.ts";

/** Files that are uploaded to be sent. */
export const uploads = (env: CloudEnv, auth: CloudAuth) =>
  new Elysia().use(auth).post(
    "/:version/:id/media",
    async ({ principal, params, request }) => {
      requireNumber(principal, params.id);
      const { mediaHandle } = await keepFile(env, principal, await fileIn(env.intake, request));
      return { id: mediaIdOf({ is: "kept", handle: mediaHandle }) };
    },
    { detail: routeOptions({ maxBodyBytes: KEPT_MAX_BYTES + FORM_BYTES }) },
  );

/** What a signature covers: the account and the id of the file as this API shows it. */
const signedName = (tenantId: string, id: string): string => `cloud/${tenantId}/${id}`;

/** The description of a file, with an address that is good for ten minutes, for anyone. */
export const describeMedia = async (
  env: CloudEnv,
  { tenantId, channelId }: Principal,
  { id, media }: { id: string; media: MediaRef },
): Promise<object> => {
  const found = await metadataOf(env, { tenantId, channelId }, { id, media });
  return {
    messaging_product: "whatsapp",
    url: `${env.cloudUrl()}/files/${tenantId}/${id}?${signedQuery(env, signedName(tenantId, id))}`,
    mime_type: found.contentType,
    sha256: found.sha256,
    file_size: found.sizeBytes,
    id,
  };
};

/** A file that came with a message belongs to its phone, an uploaded one to the whole account. */
const metadataOf = async (
  env: CloudEnv,
  { tenantId, channelId }: Pick<Principal, "tenantId" | "channelId">,
  { id, media }: { id: string; media: MediaRef },
): Promise<{ contentType: string; sizeBytes: number; sha256: string }> => {
  if (media.is === "kept") {
    const { body, contentType = UNKNOWN_TYPE, sizeBytes } = await keptFile(env, { tenantId }, media.handle);
    return { contentType, sizeBytes, sha256: await sha256Of(body) };
  }
  const file = await getLivingMedia(env, { tenantId }, media.mediaId);
  if (file.channelId !== channelId) throw unknownObject(id);
  return { ...file, sha256: file.sha256 ?? "" };
};

/** Deletes a file of the token's phone, or an uploaded one of its account. */
export const deleteMedia = async (
  env: CloudEnv,
  { tenantId, channelId }: Principal,
  { id, media }: { id: string; media: MediaRef },
): Promise<{ success: true }> => {
  if (media.is === "kept") await dropKept(env, { tenantId }, media.handle);
  else {
    const file = await getMedia(env, { tenantId }, media.mediaId);
    if (file.channelId !== channelId) throw unknownObject(id);
    await acknowledgeMedia(env, { tenantId }, media.mediaId);
  }
  return { success: true };
};

/** Serves the signed addresses of files. They need no token, and ignore one that comes along. */
export const files = (env: CloudEnv) =>
  new Elysia().get(
    "/:version/files/:tenantId/:id",
    async ({ params: { tenantId, id }, query }) => fileOf(env, tenantId as TenantId, id, query),
    { detail: routeOptions({ access: "public" }) },
  );

/** TABLE: the endings of files whose type has another name. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "text/plain": "txt",
  "video/quicktime": "mov",
};

/** The name of a file, or one of its type: some programs take the ending from it. */
const nameOf = ({ filename, contentType }: { filename?: string | null; contentType: string }): string => {
  const [type = ""] = contentType.split(";");
  const [, subtype = ""] = type.trim().split("/");
  const ending = ENDINGS[type.trim()] ?? (/^[a-z0-9]{2,5}$/.test(subtype) ? subtype : "bin");
  return filename ?? `file.${ending}`;
};

const fileOf = async (env: CloudEnv, tenantId: TenantId, id: string, signed: Signed): Promise<Response> => {
  try {
    checkLink(env, signedName(tenantId, id), signed);
    const media = mediaOf(id);
    if (!media) throw new Refused("noFile", "There is no such file.");
    if (media.is === "received") {
      const { media: file, body } = await openOfOwner(env, tenantId, media.mediaId);
      return new Response(body, { headers: headersOf({ ...file, filename: nameOf(file) }) });
    }
    const { body, sizeBytes, contentType = UNKNOWN_TYPE } = await keptFile(env, { tenantId }, media.handle);
    return new Response(streamOf(body), {
      headers: headersOf({ contentType, sizeBytes, filename: nameOf({ contentType }) }),
    });
  } catch (refusal) {
    throw refusal instanceof AppError ? new Refused("noFile", refusal.message) : refusal;
  }
};
