import type { WAUrlInfo } from "@whiskeysockets/baileys";
import type { ChannelHost, SendOrder } from "../../../../src/contract/plugin.ts";
import type { Http, HttpAnswer } from "../../../../src/contract/ports/http.ts";
import { hasEndedWithin } from "../../../../src/kernel/async.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { decodeText } from "../../../../src/kernel/texts/charsets.ts";
import { firstLinkIn } from "../../../../src/kernel/texts/links.ts";
import { essenceOf } from "../../../../src/kernel/texts/media-types.ts";
import { pageHeadOf } from "../../../../src/kernel/texts/page-head.ts";
import { withEllipsis } from "../../../../src/kernel/texts/texts.ts";
import type { FilePorts } from "./contents.ts";
import { smallPictureOf } from "./thumbnails.ts";

const PAGE_BYTES = 512 * 1024;
const PICTURE_BYTES = 5 * 1024 * 1024;
/** For the page, its redirects and its picture together. A text never waits longer for its preview. */
const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_REDIRECTS = 3;
const PAGES: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);
const LONGEST_TITLE = 200;
const LONGEST_DESCRIPTION = 500;

/** The setting of a phone that says whether texts get previews whose sender does not say it. */
const LINK_PREVIEWS = "linkPreviews";

type Given = Extract<SendOrder, { type: "text" }>["content"];
/** What a preview is made with. */
export type PreviewPorts = FilePorts & Pick<ChannelHost, "clock" | "log" | "vault"> & { http: Pick<Http, "guarded"> };

/**
 * The preview of a text's link, in the library's form; undefined for a text without. A given one is taken as it is:
 * only its picture is fetched. Otherwise the page is asked, if the sender or the phone's owner wants that. A page that
 * gives nothing in time leaves the text without a preview. Throws `Unsendable` for a given picture alone.
 */
export const previewOf = async (ports: PreviewPorts, { text, linkPreview }: Given): Promise<WAUrlInfo | undefined> => {
  if (typeof linkPreview === "object" && linkPreview !== null) {
    const { url = firstLinkIn(text) ?? "", title, description, image } = linkPreview;
    return infoOf(url, { title, description }, image && (await smallPictureOf(ports, image)).jpegThumbnail);
  }
  const url = firstLinkIn(text);
  if (url === undefined || !(linkPreview ?? (await isDefault(ports)))) return undefined;
  return madeInTime(ports, url);
};

const isDefault = async ({ vault }: PreviewPorts): Promise<boolean> => (await vault.read())[LINK_PREVIEWS] === "on";

const madeInTime = async (ports: PreviewPorts, url: string): Promise<WAUrlInfo | undefined> => {
  const stop = new AbortController();
  let made: WAUrlInfo | undefined;
  const work = madeFrom({ ...ports, signal: stop.signal }, url, (info) => (made = info));
  if (!(await hasEndedWithin(ports.clock, TIMEOUT_MS, work))) stop.abort();
  // the work never throws: what is there by now is used, perhaps without the picture
  if (!made) ports.log.info({}, "a text goes out without a preview: the page of its link gave none in time");
  return made;
};

type Looking = PreviewPorts & { signal: AbortSignal };

/** Makes the preview of a page: first without its picture, then with it. Never throws. */
const madeFrom = async (ports: Looking, url: string, use: (info: WAUrlInfo) => void): Promise<void> => {
  const page = await fetched(ports, url, { accept: "text/html,application/xhtml+xml", maxBytes: PAGE_BYTES });
  if (!page || !PAGES.has(essenceOf(page.answer.headers["content-type"] ?? ""))) return;
  const { headers, body } = page.answer;
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(headers["content-type"] ?? "")?.[1];
  const { title, description, imageUrl } = await pageHeadOf(decodeText(body, charset).text);
  if (title === undefined) return;
  use(infoOf(url, { title, description }));
  const picture = imageUrl === undefined ? null : URL.parse(imageUrl, page.url);
  const jpeg = picture && (await pictureAt(ports, picture.href));
  if (jpeg) use(infoOf(url, { title, description }, jpeg));
};

const infoOf = (
  url: string,
  { title, description }: { title: string; description: string | undefined },
  jpegThumbnail?: Buffer,
): WAUrlInfo => ({
  "canonical-url": url,
  "matched-text": url,
  title: withEllipsis(title, LONGEST_TITLE),
  ...(description ? { description: withEllipsis(description, LONGEST_DESCRIPTION) } : {}),
  ...(jpegThumbnail ? { jpegThumbnail } : {}),
});

const pictureAt = async (ports: Looking, url: string): Promise<Buffer | undefined> => {
  const picture = await fetched(ports, url, { accept: "image/*", maxBytes: PICTURE_BYTES });
  if (!picture || picture.answer.isCut) return undefined;
  const made = await ports.makeThumbnail?.(picture.answer.body);
  return made?.ok ? Buffer.from(made.jpeg) : undefined;
};

type Wanted = { accept: string; maxBytes: number };

/** What an address answers, and the address that answered. */
const fetched = async (
  ports: Looking,
  url: string,
  { accept, maxBytes }: Wanted,
): Promise<{ answer: HttpAnswer; url: string } | undefined> => {
  const answer = await ports.http.guarded({
    url,
    method: "GET",
    headers: { accept, "user-agent": "Recado (link preview)" },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: maxBytes,
    maxRedirects: MAX_REDIRECTS,
    signal: ports.signal,
  });
  return answer.ok && answer.status >= 200 && answer.status < 300 ? { answer, url: answer.finalUrl ?? url } : undefined;
};
