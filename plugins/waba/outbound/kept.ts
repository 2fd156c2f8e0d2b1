import type { OutgoingFile, UploadApi } from "../../../src/contract/content/media.ts";
import type { ChannelHost, SendOrder } from "../../../src/contract/plugin.ts";
import type { UpstreamFailure } from "../../../src/contract/upstream.ts";
import { retry, type SendFailure } from "../../meta/fault.ts";
import { FAILURE_WITHOUT } from "../credentials.ts";

/** The prefix of Recado's own handles. The network's are digits. */
const OWN = /^file-/;

/**
 * The order with the network's handle in place of Recado's: the file is uploaded first. Every attempt of a message
 * uploads it again; the network deletes unused files after 30 days.
 */
export const withUploadedFile = async (
  { openFile }: Pick<ChannelHost, "openFile">,
  uploads: Pick<UploadApi, "upload">,
  order: SendOrder,
): Promise<SendOrder | SendFailure> => {
  const handle = "mediaHandle" in order.content ? order.content.mediaHandle : undefined;
  if (handle === undefined || !OWN.test(handle)) return order;
  const kept = await openFile?.(handle);
  if (!kept) return refused("the file of mediaHandle is not kept any more");
  const contentType = kept.contentType ?? mimeTypeOf(order) ?? "application/octet-stream";
  const given = "filename" in order.content ? order.content.filename : undefined;
  const filename = given ?? kept.name;
  let isRead = false;
  const file: OutgoingFile = {
    sizeBytes: kept.sizeBytes,
    contentType,
    filename: filename ?? "file",
    async *stream() {
      const body = isRead ? (await openFile?.(handle))?.body : kept.body;
      isRead = true;
      if (body) yield* body;
    },
  };
  const named = order.type === "document" && filename !== undefined ? { filename } : {};
  const uploaded = await uploads.upload(file);
  // the content has the handle of the order's own type
  return uploaded.ok
    ? ({ ...order, content: { ...order.content, ...named, mediaHandle: uploaded.value } } as SendOrder)
    : failureOf(uploaded);
};

const mimeTypeOf = ({ content }: SendOrder): string | undefined =>
  "mimeType" in content ? content.mimeType : undefined;

const refused = (reason: string): SendFailure => ({ ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason });

/** Nothing of the message has left: an upload is not a send. */
const failureOf = (failure: UpstreamFailure): SendFailure => {
  switch (failure.kind) {
    case "refused":
      return refused(failure.error.message);
    case "token":
      return retry("WABA_TOKEN_INVALID", failure.reason);
    case "credentials":
      return FAILURE_WITHOUT.missing;
    case "unavailable":
      return retry("UPSTREAM_UNAVAILABLE", failure.reason);
  }
};
