import { type Call, type Effect, ok, requireAccount, required, requireProduct, SUCCESS, senderOf } from "../call.ts";
import { GraphError, unknownObject } from "../errors.ts";
import type { FormPart } from "../requests/multipart.ts";
import { UPLOAD_MAX_BYTES } from "./kinds.ts";
import type { Media } from "./model.ts";
import { findMedia, mediaAt, putMedia, urlOf } from "./store.ts";

/**
 * `POST /{number}/media`: a multipart form with `messaging_product`, `type` and `file`, whose own type must be the same
 * one.
 */
export const uploadMedia = (call: Call): Effect => {
  const number = senderOf(call);
  const { state, body, payload } = call;
  requireProduct(call);
  if (typeof body["type"] !== "string") throw required("type");
  const file = payload.form?.get("file");
  if (file?.filename === undefined) throw required("file");
  checkFile(file, body["type"]);
  const { phoneNumberId } = number.seed;
  const seed = {
    bytes: file.bytes,
    mimeType: file.type,
    phoneNumberId,
    ...(file.filename === "" ? {} : { filename: file.filename }),
  };
  return { operation: "media.upload", phoneNumberId, run: () => ok({ id: putMedia(state, seed, "upload").id }) };
};

/**
 * Types count in their spelling: a type with parameters, such as `audio/ogg; codecs=opus`, is not in the list. Meta
 * does not document its answer to a file that is too large.
 */
const checkFile = ({ type, bytes }: FormPart, announced: string): void => {
  const max = UPLOAD_MAX_BYTES.get(type);
  const types = max === undefined ? [...UPLOAD_MAX_BYTES.keys()] : [announced];
  if (max === undefined || type !== announced)
    throw new GraphError(100, {
      message: `(#100) Param file must be a file with one of the following types: ${types.join(", ")}. Received file of type '${type}'.`,
    });
  if (bytes.length === 0 || bytes.length > max)
    throw new GraphError(100, {
      message: `(#100) Param file must have between 1 and ${max} bytes. Received ${bytes.length} bytes.`,
    });
};

/**
 * The file a call names, for a token of its account. Throws 100/33 otherwise, 100 if `phone_number_id` is not that of
 * the upload.
 */
const mediaOf = (call: Call): Media => {
  const media = findMedia(call.state, call.node);
  if (!media) throw unknownObject(call.method, call.node);
  requireAccount(call, media.businessAccountId, "whatsapp_business_messaging");
  const number = call.query.get("phone_number_id");
  // a user's file was uploaded on no number of the business, so Meta accepts no number for it (chatwoot/chatwoot
  // #13319)
  if (number !== null && (media.origin === "inbound" || number !== media.phoneNumberId))
    throw new GraphError(100, {
      message: "(#100) Param phone_number_id is not a valid whatsapp business phone number id ID",
    });
  return media;
};

/** `GET /{media}?phone_number_id=`: its data, and an address of its bytes. */
export const getMedia = (call: Call): Effect => {
  const media = mediaOf(call);
  const { id, mimeType: mime_type, sha256, bytes, phoneNumberId } = media;
  return {
    operation: "media.get",
    phoneNumberId,
    run: () =>
      ok({
        messaging_product: "whatsapp",
        url: urlOf(call.state, media),
        mime_type,
        sha256,
        file_size: bytes.length,
        id,
      }),
  };
};

/** `DELETE /{media}?phone_number_id=` */
export const deleteMedia = (call: Call): Effect => {
  const { id, phoneNumberId } = mediaOf(call);
  const run = () => {
    call.state.media.delete(id);
    return SUCCESS;
  };
  return { operation: "media.delete", phoneNumberId, run };
};

/** `GET {url}`: the bytes. 404 for an address that is unknown, expired or another account's. */
export const downloadMedia = (call: Call): Effect => {
  const media = mediaAt(call.state, call.query);
  if (!media || !call.token.businessAccountIds.has(media.businessAccountId))
    throw new GraphError(100, { httpStatus: 404, message: "URL signature expired" });
  const { bytes, mimeType, filename, phoneNumberId } = media;
  const headers = { "content-type": mimeType, "content-disposition": `attachment; filename="${filename ?? "file"}"` };
  return { operation: "media.download", phoneNumberId, run: () => ({ status: 200, body: bytes, headers }) };
};
