import type { OutgoingFile } from "../../src/contract/content/media.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { UpstreamFailure } from "../../src/contract/upstream.ts";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import { multipartFileBody } from "../meta/bodies.ts";
import { retry, type SendFailure } from "../meta/fault.ts";
import { textOf } from "../meta/json.ts";
import { rememberUploads, type Uploaded } from "../meta/remembered.ts";
import type { Page } from "./calls.ts";
import { upstreamResult } from "./errors.ts";
import { attachment, type KeptFile, refused } from "./outbound.ts";

const UPLOAD_TIMEOUT_MS = 5 * MINUTE_MS;

/** The files of an account that the network has got from this link. */
export type Uploads = { messageOf(page: Page, kept: KeptFile): Promise<Json | SendFailure> };

type Host = Pick<ChannelHost, "openFile" | "random" | "clock">;

/** Each file is uploaded first, once for many messages: an id at the network is good for 90 days. */
export const messengerUploads = (host: Host): Uploads => {
  const remembered = rememberUploads(host.clock);
  return {
    async messageOf(page, kept) {
      const { type, handle, mimeType, filename } = kept;
      const name = JSON.stringify([page.pageId, type, handle, mimeType, filename]);
      const uploaded = await remembered.uploadOnce(name, () => upload(host, page, kept));
      return "ok" in uploaded ? uploaded : attachment(type, { attachment_id: uploaded.handle });
    },
  };
};

const idOf = (json: Json): string | undefined => textOf(json["attachment_id"]);

/** https://developers.facebook.com/docs/messenger-platform/reference/attachment-upload-api */
const upload = async (
  { openFile, random }: Host,
  { graph, pageId, accessToken: token }: Page,
  { type, handle, mimeType, filename }: KeptFile,
): Promise<Uploaded | SendFailure> => {
  const kept = await openFile?.(handle);
  if (!kept) return refused("the file of mediaHandle is not kept any more");
  const name = filename ?? kept.name;
  let isRead = false;
  const file: OutgoingFile = {
    sizeBytes: kept.sizeBytes,
    contentType: kept.contentType ?? mimeType ?? "application/octet-stream",
    filename: name ?? "file",
    async *stream() {
      const body = isRead ? (await openFile?.(handle))?.body : kept.body;
      isRead = true;
      if (body) yield* body;
    },
  };
  const message = JSON.stringify(attachment(type, { is_reusable: true }));
  const raw = multipartFileBody(random, { message }, file, "filedata");
  const uploaded = upstreamResult(
    await graph({
      method: "POST",
      path: [pageId, "message_attachments"],
      token,
      raw,
      timeoutMs: UPLOAD_TIMEOUT_MS,
    }),
    idOf,
  );
  return uploaded.ok ? { handle: uploaded.value, filename: name } : failureOf(uploaded);
};

/** Nothing of the message has left: an upload is not a send. */
const failureOf = (failure: UpstreamFailure): SendFailure => {
  switch (failure.kind) {
    case "refused":
      return refused(failure.error.message);
    case "token":
    case "credentials":
      return retry("CREDENTIALS_REFUSED", failure.reason);
    case "unavailable":
      return retry("UPSTREAM_UNAVAILABLE", failure.reason);
  }
};
