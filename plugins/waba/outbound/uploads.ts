import type { OutgoingFile, UploadApi } from "../../../src/contract/content/media.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { UpstreamFailure, UpstreamResult } from "../../../src/contract/upstream.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import type { Json } from "../../../src/kernel/texts/json.ts";
import { essenceOf, registeredType } from "../../../src/kernel/texts/media-types.ts";
import { fileBody, multipartFileBody } from "../../meta/bodies.ts";
import { type Graph, isSuccess } from "../../meta/graph.ts";
import { numberOf, textOf } from "../../meta/json.ts";
import { withCredentials } from "../credentials.ts";
import { upstreamResult } from "../errors.ts";

const UPLOAD_TIMEOUT_MS = 5 * MINUTE_MS;
/** The number of attempts to write the rest of a resumable upload. */
const MAX_WRITES = 4;
/** Deleting takes any object's id: an id that cannot be a file's is not sent at all. */
const MEDIA_ID = /^\d{1,32}$/;

const idOf = (json: Json): string | undefined => textOf(json["id"]);
const handleOf = (json: Json): string | undefined => textOf(json["h"]);
const offsetOf = (json: Json): number | undefined => numberOf(json["file_offset"]);

/** The network's list of types has registered names, without parameters. */
const typeOf = ({ contentType }: OutgoingFile): string => essenceOf(registeredType(contentType));

export const wabaUploads = (host: ChannelHost, graph: Graph): UploadApi => ({
  upload: (file) =>
    withCredentials(host, async ({ phoneNumberId, accessToken: token }) => {
      const fields = { messaging_product: "whatsapp", type: typeOf(file) };
      const raw = multipartFileBody(host.random, fields, { ...file, contentType: typeOf(file) });
      return upstreamResult(
        await graph({ method: "POST", path: [phoneNumberId, "media"], token, raw, timeoutMs: UPLOAD_TIMEOUT_MS }),
        idOf,
      );
    }),
  uploadResumable: (file, appId) =>
    withCredentials(host, async ({ accessToken: token }) => {
      const query = { file_name: file.filename, file_length: String(file.sizeBytes), file_type: typeOf(file) };
      const session = upstreamResult(await graph({ method: "POST", path: [appId, "uploads"], token, query }), idOf);
      if (!session.ok) return session;
      const handle = await writeAll(graph, { token, sessionId: session.value }, file);
      return handle.ok ? { ok: true, value: { handle: handle.value, sessionId: session.value } } : handle;
    }),
  remove: (handle) =>
    withCredentials(host, async ({ phoneNumberId, accessToken: token }) => {
      if (!MEDIA_ID.test(handle))
        return {
          ok: false,
          kind: "refused",
          error: { code: null, error_subcode: null, message: "This is not the id of an uploaded file." },
        };
      return upstreamResult(
        await graph({ method: "DELETE", path: [handle], token, query: { phone_number_id: phoneNumberId } }),
        isSuccess,
      );
    }),
});

type Session = { token: string; sessionId: string };

/** Writes the file. A write that breaks off continues at the offset that the network names. */
const writeAll = async (graph: Graph, session: Session, file: OutgoingFile): Promise<UpstreamResult<string>> => {
  let offset = 0;
  for (let writes = 1; ; writes++) {
    const written = upstreamResult(
      await graph({ ...nodeOf(session), method: "POST", raw: fileBody(file, offset), timeoutMs: UPLOAD_TIMEOUT_MS }),
      handleOf,
    );
    const next =
      written.ok || writes === MAX_WRITES
        ? undefined
        : await goesOnAt(graph, session, { failure: written, offset, sizeBytes: file.sizeBytes });
    if (next === undefined) return written;
    offset = next;
  }
};

type BrokenOff = { failure: UpstreamFailure; offset: number; sizeBytes: number };

/** Undefined if it cannot continue: the network names no offset, has the whole file, or has refused it. */
const goesOnAt = async (
  graph: Graph,
  session: Session,
  { failure, offset, sizeBytes }: BrokenOff,
): Promise<number | undefined> => {
  if (failure.kind === "token" || failure.kind === "credentials") return undefined;
  const arrived = upstreamResult(await graph({ ...nodeOf(session), method: "GET" }), offsetOf);
  if (!arrived.ok || arrived.value >= sizeBytes) return undefined;
  return failure.kind === "refused" && arrived.value <= offset ? undefined : arrived.value;
};

/** A session's id contains its signature, as a query. */
const nodeOf = ({ token, sessionId }: Session) => {
  const [node = "", signature = ""] = sessionId.split("?", 2);
  return { token, path: [node], query: Object.fromEntries(new URLSearchParams(signature)) };
};
