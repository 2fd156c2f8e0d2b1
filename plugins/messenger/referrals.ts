import type { Circumstances } from "../../src/contract/content/inbound-content.ts";
import { type Json, recordOf } from "../../src/kernel/texts/json.ts";
import { textOf } from "../meta/json.ts";

type Referral = NonNullable<Circumstances["referral"]>;

/**
 * The link or advertisement that led a person here. The word of an m.me link is its `sourceId`; an advertisement has
 * its own id there: https://developers.facebook.com/docs/messenger-platform/reference/webhook-events/messaging_referrals.
 */
const referralOf = (value: unknown): { referral?: Referral } => {
  const referral = recordOf(value);
  const context = recordOf(referral["ads_context_data"]);
  const adId = textOf(referral["ad_id"]);
  const referred = present({
    sourceType: adId === undefined ? textOf(referral["source"])?.toLowerCase() : "ad",
    sourceId: adId ?? textOf(referral["ref"]),
    sourceUrl: textOf(referral["referer_uri"]),
    headline: textOf(context["ad_title"]),
    imageUrl: textOf(context["photo_url"]),
    thumbnailUrl: textOf(context["video_url"]),
  });
  return Object.keys(referred).length > 0 ? { referral: referred } : {};
};

const present = (fields: { [Name in keyof Referral]: string | undefined }): Referral =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The referral of a message, a tap or an opened chat, wherever the network puts it. */
export const referralIn = (item: Json, payload: Json): { referral?: Referral } =>
  referralOf(payload["referral"] ?? item["referral"]);
