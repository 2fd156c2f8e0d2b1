import type { Http, HttpAnswer, HttpOpen, HttpSend } from "../contract/ports/http.ts";
import { SAMPLES } from "./samples.ts";

/** The smallest JPEG that decoders accept: one grey point. https://www.w3.org/Graphics/JPEG/itu-t81.pdf */
const JPEG = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
  "base64",
);
/** An Ogg page that begins an Opus stream. https://www.rfc-editor.org/rfc/rfc7845#section-5.1 */
const OPUS = Buffer.concat([
  Buffer.from("OggS\0\x02"),
  Buffer.alloc(20),
  Buffer.from("\x01\x13OpusHead\x01\x01"),
  Buffer.alloc(9),
]);
const WEBP = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64");
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypmp42\0\0\0\0mp42isom"), Buffer.alloc(64)]);
const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");

/** The files at the URLs in the samples. */
const FILES: Readonly<Record<string, { type: string; bytes: Uint8Array }>> = {
  [SAMPLES.image.mediaUrl]: { type: "image/jpeg", bytes: JPEG },
  [SAMPLES.video.mediaUrl]: { type: "video/mp4", bytes: MP4 },
  [SAMPLES.audio.mediaUrl]: { type: "audio/ogg; codecs=opus", bytes: OPUS },
  [SAMPLES.document.mediaUrl]: { type: "application/pdf", bytes: PDF },
  [SAMPLES.sticker.mediaUrl]: { type: "image/webp", bytes: WEBP },
};

const headersOf = ({ type, bytes }: { type: string; bytes: Uint8Array }) => ({
  "content-type": type,
  "content-length": String(bytes.length),
});

/** The same client, which also serves the files that the samples name. */
export const withSampleFiles = (http: Http): Http => {
  const guarded: HttpSend = async (request) => {
    const file = FILES[request.url];
    if (!file) return http.guarded(request);
    const answer: HttpAnswer = {
      ok: true,
      status: 200,
      headers: headersOf(file),
      body: file.bytes,
      isCut: false,
      durationMs: 0,
    };
    return answer;
  };
  const guardedStream: HttpOpen = async (request) => {
    const file = FILES[request.url];
    if (!file) return http.guardedStream(request);
    const body = async function* () {
      yield file.bytes;
    };
    return { ok: true, status: 200, headers: headersOf(file), body: body() };
  };
  return { ...http, guarded, guardedStream };
};
