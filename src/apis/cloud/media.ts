import { Elysia } from "elysia";
import { dropKept, handleOfChannel, isKept, KEPT_MAX_BYTES, keepFile, keptFile } from "../../core/media/kept.ts";
import { checkLink, openOfOwner, type Signed, signedQuery } from "../../core/media/links.ts";
import { acknowledgeMedia, getLivingMedia, getMedia } from "../../core/media/media.ts";
import { sha256Of } from "../../kernel/crypto.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ChannelId, TenantId } from "../../kernel/ids.ts";
import type { Json } from "../../kernel/texts/json.ts";
import { UNKNOWN_TYPE } from "../../kernel/texts/media-types.ts";
import { answerBody, FORM_BYTES, fileHeaders, fileIn } from "../shared/http/files.ts";
import { type CloudAuth, type Principal, requireNumber, unknownObject } from "./auth.ts";
import type { CloudEnv } from "./env.ts";
import { Refused } from "./errors.ts";
import { type MediaRef, mediaIdOf, mediaOfId } from "./ids.ts";
import { routeOptions } from "./route-options.ts";

/** Files that are uploaded to be sent. */
export const uploads = (env: CloudEnv, auth: CloudAuth) =>
  new Elysia().use(auth).post(
    "/:version/:id/media",
    async ({ principal, params, request }) => {
      requireNumber(principal, params.id);
      const file = { ...(await fileIn(env.intake, request)), onlyFor: principal.channelId };
      const { mediaHandle } = await keepFile(env, principal, file);
      return { id: mediaIdOf({ is: "kept", handle: mediaHandle }) };
    },
    { detail: routeOptions({ maxBodyBytes: KEPT_MAX_BYTES + FORM_BYTES }) },
  );

/** The signed name of a file: its account, its phone, and its id as this API shows it. */
const signedName = (owner: string, id: string): string => `cloud/${owner}/${id}`;

/**
 * The handle of an uploaded file, for a phone. A file that another phone's token uploaded is not found. A file that the
 * account keeps for all of its phones is found.
 */
const handleFor = async (
  env: CloudEnv,
  { tenantId, channelId }: Pick<Principal, "tenantId" | "channelId">,
  handle: string,
): Promise<string> => {
  const own = handleOfChannel(handle, channelId);
  return (await isKept(env, tenantId, own)) ? own : handle;
};

type Filed = { mediaHandle?: string; headerMedia?: { mediaHandle?: string }; cards?: Filed[] };

/** The content of a message, with the handles of the phone's own files: its own, or those of a template's parts. */
export const withFileOf = async <Content extends { content: Json }>(
  env: CloudEnv,
  principal: Principal,
  message: Content,
): Promise<Content> => {
  const owned = async ({ mediaHandle, headerMedia, cards, ...rest }: Filed): Promise<Filed> => ({
    ...rest,
    ...(mediaHandle === undefined ? {} : { mediaHandle: await handleFor(env, principal, mediaHandle) }),
    ...(headerMedia ? { headerMedia: await owned(headerMedia) } : {}),
    ...(cards ? { cards: await Promise.all(cards.map(owned)) } : {}),
  });
  return { ...message, content: await owned(message.content) }; // as `contentIn` made it
};

/** The description of a file, with an address that works for ten minutes, for anyone. */
export const describeMedia = async (
  env: CloudEnv,
  { tenantId, channelId }: Principal,
  { id, media }: { id: string; media: MediaRef },
): Promise<object> => {
  const found = await metadataOf(env, { tenantId, channelId }, { id, media });
  const owner = `${tenantId}.${channelId}`;
  return {
    messaging_product: "whatsapp",
    url: `${env.cloudUrl()}/files/${owner}/${id}?${signedQuery(env, signedName(owner, id))}`,
    mime_type: found.contentType,
    sha256: found.sha256,
    file_size: found.sizeBytes,
    id,
  };
};

/** A file belongs to the phone that received it, or whose token uploaded it. */
const metadataOf = async (
  env: CloudEnv,
  { tenantId, channelId }: Pick<Principal, "tenantId" | "channelId">,
  { id, media }: { id: string; media: MediaRef },
): Promise<{ contentType: string; sizeBytes: number; sha256: string }> => {
  if (media.is === "kept") {
    const handle = await handleFor(env, { tenantId, channelId }, media.handle);
    const { body, contentType = UNKNOWN_TYPE, sizeBytes, sha256 } = await keptFile(env, { tenantId }, handle);
    return { contentType, sizeBytes, sha256: sha256 ?? (await sha256Of(body)) };
  }
  const file = await getLivingMedia(env, { tenantId }, media.mediaId);
  if (file.channelId !== channelId) throw unknownObject(id);
  return { ...file, sha256: file.sha256 ?? "" };
};

/** Deletes a file of the token's phone. */
export const deleteMedia = async (
  env: CloudEnv,
  { tenantId, channelId }: Principal,
  { id, media }: { id: string; media: MediaRef },
): Promise<{ success: true }> => {
  if (media.is === "kept")
    await dropKept(env, { tenantId }, await handleFor(env, { tenantId, channelId }, media.handle));
  else {
    const file = await getMedia(env, { tenantId }, media.mediaId);
    if (file.channelId !== channelId) throw unknownObject(id);
    await acknowledgeMedia(env, { tenantId }, media.mediaId);
  }
  return { success: true };
};

/** Serves the signed addresses of files. They need no token, and ignore a given one. */
export const files = (env: CloudEnv) =>
  new Elysia().get(
    "/:version/files/:owner/:id",
    async ({ params: { owner, id }, query }) => fileOf(env, owner, id, query),
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

/** The name of a file, or a name by its type: some programs take the ending from it. */
const nameOf = ({ filename, contentType }: { filename?: string | null; contentType: string }): string => {
  const [type = ""] = contentType.split(";");
  const [, subtype = ""] = type.trim().split("/");
  const ending = ENDINGS[type.trim()] ?? (/^[a-z0-9]{2,5}$/.test(subtype) ? subtype : "bin");
  return filename ?? `file.${ending}`;
};

const fileOf = async (env: CloudEnv, owner: string, id: string, signed: Signed): Promise<Response> => {
  try {
    checkLink(env, signedName(owner, id), signed);
    const [tenantId = "", channelId = ""] = owner.split(".");
    const media = mediaOfId(id);
    if (!media) throw new Refused("noFile", "There is no such file.");
    if (media.is === "received") {
      const { media: file, body } = await openOfOwner(env, tenantId as TenantId, media.mediaId);
      return new Response(answerBody(body), { headers: fileHeaders({ ...file, filename: nameOf(file) }) });
    }
    const ofPhone = { tenantId: tenantId as TenantId, channelId: channelId as ChannelId };
    const handle = await handleFor(env, ofPhone, media.handle);
    const { body, sizeBytes, contentType = UNKNOWN_TYPE } = await keptFile(env, ofPhone, handle);
    return new Response(answerBody(body), {
      headers: fileHeaders({ contentType, sizeBytes, filename: nameOf({ contentType }) }),
    });
  } catch (refusal) {
    throw refusal instanceof AppError ? new Refused("noFile", refusal.message) : refusal;
  }
};
