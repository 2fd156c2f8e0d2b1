import { sha256 } from "../../../../src/kernel/crypto.ts";
import { type Call, type Effect, ok } from "../call.ts";
import { badParameter, GraphError, unknownObject } from "../errors.ts";
import { textOf } from "../shape.ts";
import type { State, Upload } from "../state.ts";

const MIME_TYPES = ["application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4"];
const LENGTH_MAX_BYTES = 100 * 1024 * 1024;

/**
 * `POST /{app}/uploads?file_name=&file_length=&file_type=`: announces a file. The id comes with a signature after a
 * `?`, as Meta's do.
 */
export const startUpload = (call: Call): Effect => {
  const { state, node, query, body, token } = call;
  if (token.appId !== node) throw unknownObject(call.method, node);
  const param = (name: string) => query.get(name) ?? textOf(body[name]);
  const [lengthBytes, mimeType] = [Number(param("file_length")), param("file_type")];
  if (!Number.isInteger(lengthBytes) || lengthBytes < 1 || lengthBytes > LENGTH_MAX_BYTES)
    throw badParameter("Param file_length must be an integer greater than 0.");
  if (!MIME_TYPES.includes(mimeType))
    throw badParameter(`Param file_type must be one of {${MIME_TYPES.join(", ")}} - got "${mimeType}".`);
  const run = () => {
    const about = `1:attachment:${Buffer.from(state.random.bytes(18)).toString("hex")}?file_length=${lengthBytes}&file_type=${encodeURIComponent(mimeType)}`;
    const key = `upload:${Buffer.from(about).toString("base64")}`;
    const upload: Upload = {
      id: `${key}?sig=AR${sha256(key).slice(0, 20)}`,
      appId: node,
      mimeType,
      lengthBytes,
      bytes: new Uint8Array(),
    };
    state.uploads.set(key, upload);
    return ok({ id: upload.id });
  };
  return { operation: "upload.start", run };
};

/** The upload that a call names, if it has its signature and belongs to the token's app. */
const uploadOf = ({ state, method, node, query, token }: Call): Upload => {
  const upload = state.uploads.get(node);
  if (!upload || upload.appId !== token.appId) throw unknownObject(method, node);
  if (upload.id !== `${node}?sig=${query.get("sig")}`)
    throw new GraphError(100, { message: `(#100) HMAC check failed! payload=${node} mac=${query.get("sig") ?? ""}` });
  return upload;
};

/** `GET /{upload}`: the number of its received bytes. */
export const uploadStatus = (call: Call): Effect => {
  const { id, bytes } = uploadOf(call);
  return { operation: "upload.status", run: () => ok({ id, file_offset: bytes.length }) };
};

/**
 * `POST /{upload}`: the rest of the file, from `file_offset` on. The token and the offset count only in the headers.
 */
export const writeUpload = (call: Call): Effect => {
  const upload = uploadOf(call);
  const { state, headers, payload } = call;
  if (!headers.has("authorization")) throw new GraphError(104);
  const offset = headers.get("file_offset");
  if (offset === null || offset !== String(upload.bytes.length))
    throw badParameter(`Header file_offset must be ${upload.bytes.length}, the number of bytes received so far.`);
  if (upload.handle !== undefined) throw badParameter("This upload is complete.");
  const arrived = payload.bytes;
  if (upload.bytes.length + arrived.length > upload.lengthBytes)
    throw badParameter(`The file is longer than the ${upload.lengthBytes} bytes announced.`);
  const run = () => {
    upload.bytes = Buffer.concat([upload.bytes, arrived.subarray(0, state.uploadCutAt)]);
    state.uploadCutAt = undefined;
    if (upload.bytes.length < upload.lengthBytes)
      return { status: 400, body: { error: { message: "Partial upload", type: "OAuthException", code: 100 } } };
    upload.handle = `4::${Buffer.from(upload.mimeType).toString("base64")}:AR${Buffer.from(state.random.bytes(24)).toString("base64url")}:e:${Math.floor(state.clock.now() / 1000)}:${upload.appId}`;
    return ok({ h: upload.handle });
  };
  return { operation: "upload.write", run };
};

/** The type of the file a handle stands for. */
export const uploadedType = (state: State, handle: string): string | undefined => {
  for (const upload of state.uploads.values()) if (upload.handle === handle) return upload.mimeType;
  return undefined;
};
