import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { newNumericId } from "../../graph/ids.ts";
import type { Effect } from "../call.ts";
import { invalid, linkRefusal, refusal } from "../errors.ts";
import type { Medium, State } from "../state.ts";

const MB = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const LINK_KEY = "the key of the simulator's links";

/** The attachments of a send: their types, and their maximum sizes. */
const LIMITS: Record<string, { types: readonly string[]; maxBytes: number }> = {
  image: { types: ["image/png", "image/jpeg", "image/gif"], maxBytes: 8 * MB },
  audio: {
    types: ["audio/aac", "audio/mp4", "audio/m4a", "audio/x-m4a", "audio/wav", "audio/x-wav", "audio/wave"],
    maxBytes: 25 * MB,
  },
  video: { types: ["video/mp4", "video/ogg", "video/x-msvideo", "video/quicktime", "video/webm"], maxBytes: 25 * MB },
  file: { types: ["application/pdf"], maxBytes: 25 * MB },
};

const base64 = (text: string) => Uint8Array.from(Buffer.from(text, "base64"));
const latin = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

/** The default bytes of an attachment: a whole JPEG of one pixel, and the beginnings of the others. */
export const SAMPLES = {
  image: {
    bytes: base64(
      "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
    ),
    mimeType: "image/jpeg",
  },
  video: { bytes: latin("\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\0\x08mdat"), mimeType: "video/mp4" },
  audio: { bytes: latin("\0\0\0\x18ftypM4A \0\0\0\0M4A mp42\0\0\0\x08mdat"), mimeType: "audio/mp4" },
  file: {
    bytes: latin("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"),
    mimeType: "application/pdf",
  },
} as const;

export const addMedium = (state: State, { bytes, mimeType }: Omit<Medium, "id">): Medium => {
  const medium = { id: newNumericId(state.random), bytes, mimeType };
  state.media.set(medium.id, medium);
  return medium;
};

/** A link that leads to the bytes without a token, until its time is over. */
export const mediumUrl = ({ origin, clock, settings }: State, { id }: Medium): string => {
  const expires = Math.floor((clock.now() + settings.mediaTtlMs) / 1000).toString(16);
  return `${origin}/ig_messaging_cdn/?asset_id=${id}&oe=${expires}&signature=${signatureOf(id, expires)}`;
};

const signatureOf = (id: string, expires: string): string =>
  hmacSha256(LINK_KEY, `${id}:${expires}`, "hex").slice(0, 40);

/** A link to the picture of an account or user. */
export const pictureUrl = (state: State, ownerId: string): string => {
  const picture = state.media.get(ownerId) ?? { id: ownerId, ...SAMPLES.image };
  state.media.set(ownerId, picture);
  return mediumUrl(state, picture);
};

/** `GET /ig_messaging_cdn/`: 403 for a link that was altered or whose time is over, 404 for a file that is gone. */
export const getMedium = ({ media, clock }: State, query: URLSearchParams): Effect => {
  const [id, expires] = [query.get("asset_id") ?? "", query.get("oe") ?? ""];
  if (query.get("signature") !== signatureOf(id, expires)) throw linkRefusal(403, "URL signature mismatch");
  if (clock.now() >= Number.parseInt(expires, 16) * 1000) throw linkRefusal(403, "URL signature expired");
  const medium = media.get(id);
  if (!medium) throw linkRefusal(404, "Content not found");
  return {
    operation: "media.get",
    run: () => ({ status: 200, body: medium.bytes, headers: { "content-type": medium.mimeType } }),
  };
};

const PRIVATE = /^(0\.|10\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.|\[f[cd]|\[fe80|\[::\])|\.(local|internal)$/;
const THIS_MACHINE = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;

/** Throws 100 unless Instagram can fetch the link. This machine stands for public hosts. */
export const requirePublicUrl = (url: string, param: string): void => {
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isHttp || PRIVATE.test(new URL(url).hostname)) throw invalid(`Param ${param} is not a valid public URL.`);
};

/**
 * The file behind a link of a send. Throws 100/2018008 if it cannot be fetched, and 100/2018047 if it has another type
 * or is too large. Links of other hosts are accepted unseen.
 */
export const fetchAttachment = async (state: State, type: string, url: string): Promise<Medium | undefined> => {
  if (!state.settings.isMediaFetched || !THIS_MACHINE.test(new URL(url).hostname)) return undefined;
  const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => undefined,
  );
  if (answer?.status !== 200) throw refusal(100, { subcode: 2018008 });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const mimeType = (answer.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  const limit = LIMITS[type];
  if (!limit?.types.includes(mimeType) || bytes.length > limit.maxBytes) throw refusal(100, { subcode: 2018047 });
  return addMedium(state, { bytes, mimeType });
};
