import { fileHandlesOf } from "../../../src/contract/content/content-files.ts";
import type { OutgoingFile, UploadApi } from "../../../src/contract/content/media.ts";
import type { TemplateCard } from "../../../src/contract/content/template-content.ts";
import type { ChannelHost, SendOrder } from "../../../src/contract/plugin.ts";
import type { UpstreamFailure } from "../../../src/contract/upstream.ts";
import { isOwnHandle } from "../../../src/kernel/texts/file-names.ts";
import { retry, type SendFailure } from "../../meta/fault.ts";
import type { Remembered, Uploaded } from "../../meta/remembered.ts";
import { FAILURE_WITHOUT } from "../credentials.ts";

type Opening = Pick<ChannelHost, "openFile">;
type Uploading = Pick<UploadApi, "upload"> & { remembered: Remembered };

/**
 * The order with the network's handles in place of Recado's: each file is uploaded first, once for many messages.
 */
export const withUploadedFile = async (
  host: Opening,
  uploads: Uploading,
  order: SendOrder,
): Promise<SendOrder | SendFailure> => {
  if (order.type === "template") return withHeaderFiles(host, uploads, order);
  const handle = "mediaHandle" in order.content ? order.content.mediaHandle : undefined;
  if (handle === undefined || !isOwnHandle(handle)) return order;
  const given = "filename" in order.content ? order.content.filename : undefined;
  const uploaded = await uploadKept(host, uploads, { handle, mimeType: mimeTypeOf(order), filename: given });
  if ("ok" in uploaded) return uploaded;
  const named = order.type === "document" && uploaded.filename !== undefined ? { filename: uploaded.filename } : {};
  // the content has the handle of the order's own type
  return { ...order, content: { ...order.content, ...named, mediaHandle: uploaded.handle } } as SendOrder;
};

type Kept = { handle: string; mimeType?: string | undefined; filename?: string | undefined };

/** The network has a file by its name and type: another name is another upload. */
const uploadKept = (host: Opening, uploads: Uploading, kept: Kept): Promise<Uploaded | SendFailure> =>
  uploads.remembered.uploadOnce(JSON.stringify([kept.handle, kept.mimeType, kept.filename]), () =>
    uploadNow(host, uploads, kept),
  );

const uploadNow = async (
  { openFile }: Opening,
  uploads: Pick<UploadApi, "upload">,
  { handle, mimeType, filename: given }: Kept,
): Promise<Uploaded | SendFailure> => {
  const kept = await openFile?.(handle);
  if (!kept) return refused("the file of mediaHandle is not kept any more");
  const filename = given ?? kept.name;
  let isRead = false;
  const file: OutgoingFile = {
    sizeBytes: kept.sizeBytes,
    contentType: kept.contentType ?? mimeType ?? "application/octet-stream",
    filename: filename ?? "file",
    async *stream() {
      const body = isRead ? (await openFile?.(handle))?.body : kept.body;
      isRead = true;
      if (body) yield* body;
    },
  };
  const uploaded = await uploads.upload(file);
  return uploaded.ok ? { handle: uploaded.value, filename } : failureOf(uploaded);
};

type TemplateSend = Extract<SendOrder, { type: "template" }>;

/** The files of a template's header and of its cards. A file that several cards show is uploaded once. */
const withHeaderFiles = async (
  host: Opening,
  uploads: Uploading,
  order: TemplateSend,
): Promise<TemplateSend | SendFailure> => {
  const done = new Map<string, Uploaded>();
  for (const { handle } of fileHandlesOf(order.content).filter((one) => isOwnHandle(one.handle))) {
    if (done.has(handle)) continue;
    const uploaded = await uploadKept(host, uploads, { handle });
    if ("ok" in uploaded) return uploaded;
    done.set(handle, uploaded);
  }
  const filed = <Part extends TemplateCard>(part: Part): Part => {
    const uploaded = done.get(part.headerMedia?.mediaHandle ?? "");
    if (!part.headerMedia || !uploaded) return part;
    const { filename = uploaded.filename, ...media } = part.headerMedia;
    const named = filename === undefined ? {} : { filename };
    return { ...part, headerMedia: { ...media, ...named, mediaHandle: uploaded.handle } };
  };
  const { cards } = order.content;
  return { ...order, content: { ...filed(order.content), ...(cards ? { cards: cards.map(filed) } : {}) } };
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
