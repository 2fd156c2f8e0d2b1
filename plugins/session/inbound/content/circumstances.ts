import type { proto } from "@whiskeysockets/baileys";
import type { Circumstances, ReferralField } from "../../../../src/contract/content/inbound-content.ts";

type Context = proto.IContextInfo;
type Ad = proto.ContextInfo.IExternalAdReplyInfo;

/** From this number on the network's own apps show that a message was forwarded many times. */
const OFTEN = 5;

/** The origin of a part's message, as the part describes it; usually empty. */
export const contextOf = (part: unknown): Context =>
  typeof part === "object" && part !== null ? ((part as { contextInfo?: Context | null }).contextInfo ?? {}) : {};

/** Whether a message was forwarded, and the advertisement that its writer comes from. */
export const circumstancesOf = (part: unknown): Circumstances => {
  const { isForwarded, forwardingScore, externalAdReply } = contextOf(part);
  const isForwardedOften = (forwardingScore ?? 0) > OFTEN;
  const referral = externalAdReply && isAd(externalAdReply) ? referralOf(externalAdReply) : {};
  return {
    ...(isForwarded === true || isForwardedOften ? { forwarded: true } : {}),
    ...(isForwardedOften ? { frequentlyForwarded: true } : {}),
    ...(Object.keys(referral).length > 0 ? { referral } : {}),
  };
};

// previews of links come in the same part
const isAd = ({ sourceType, sourceId, ctwaClid }: Ad): boolean =>
  sourceType === "ad" || Boolean(sourceId) || Boolean(ctwaClid);

const MEDIA_TYPES: readonly (string | undefined)[] = [undefined, "image", "video"];

const referralOf = (ad: Ad): Partial<Record<ReferralField, string>> => {
  const mediaType = MEDIA_TYPES[ad.mediaType ?? 0];
  const fields: [ReferralField, string | null | undefined][] = [
    ["sourceUrl", ad.sourceUrl],
    ["sourceId", ad.sourceId],
    ["sourceType", ad.sourceType],
    ["headline", ad.title],
    ["body", ad.body],
    ["mediaType", mediaType],
    ["imageUrl", mediaType === "image" ? (ad.originalImageUrl ?? ad.mediaUrl) : undefined],
    ["videoUrl", mediaType === "video" ? ad.mediaUrl : undefined],
    ["thumbnailUrl", ad.thumbnailUrl],
    ["ctwaClid", ad.ctwaClid],
    ["welcomeText", ad.greetingMessageBody],
  ];
  return Object.fromEntries(fields.filter(([, value]) => Boolean(value)));
};
