import type { Circumstances } from "../../src/contract/content/inbound-content.ts";
import { type Json, recordOf } from "../../src/kernel/texts/json.ts";
import { textOf } from "./json.ts";

/** TABLE: the sources of a visit, in the words of the Messenger platform, and in those of the Cloud API. */
const SOURCES = new Map([
  ["ADS", "ad"],
  ["IGME-SOURCE-LINK", "link"],
  ["SHORTLINK", "link"],
]);

/**
 * The advertisement or link that led a person here, as the Messenger platform and Instagram name it; undefined if they
 * name none. A source without a word of ours keeps the network's word.
 */
export const referralOf = (referral: Json): Circumstances["referral"] => {
  const advertisement = recordOf(referral["ads_context_data"]);
  const source = textOf(referral["source"]);
  const [imageUrl, videoUrl] = [textOf(advertisement["photo_url"]), textOf(advertisement["video_url"])];
  const fields = {
    sourceUrl: textOf(referral["referer_uri"]),
    sourceId: textOf(referral["ad_id"]),
    sourceType: source && (SOURCES.get(source) ?? source),
    headline: textOf(advertisement["ad_title"]),
    mediaType: (videoUrl && "video") ?? (imageUrl && "image"),
    imageUrl,
    videoUrl,
    ref: textOf(referral["ref"]),
  };
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return named.length > 0 ? Object.fromEntries(named) : undefined;
};
