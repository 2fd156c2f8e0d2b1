import { newNumericId } from "../../graph/ids.ts";
import type { Fields } from "../../graph/shape.ts";
import { addMedium, mediumUrl, SAMPLES } from "../messages/media.ts";
import type { State } from "../state.ts";
import type { AttachmentSeed, InboundSeed } from "./inbound-seeds.ts";

/** Events that are messages: the value of `message` in their webhook. */
export type WrittenSeed = Exclude<
  InboundSeed,
  { kind: "deleted" | "postback" | "reaction" | "read" | "watermark" | "edit" | "referral" | "other" }
>;

/** The message of a webhook, without its mid. */
export const messageOf = (state: State, seed: WrittenSeed): Fields => ({
  ...(seed.kind === "echo" ? { is_echo: true } : {}),
  ...(seed.isSelf ? { is_self: true } : {}),
  ...contentOf(state, seed),
  ...(seed.replyTo === undefined ? {} : { reply_to: { mid: seed.replyTo } }),
});

const contentOf = (state: State, seed: WrittenSeed): Fields => {
  switch (seed.kind) {
    case "text":
      return { text: seed.text };
    case "image":
    case "video":
    case "audio":
    case "file":
      return { attachments: [attachmentOf(state, { ...fileOf(seed), type: seed.kind })] };
    case "attachments":
    case "echo":
      return {
        ...(seed.text === undefined ? {} : { text: seed.text }),
        ...(seed.attachments === undefined
          ? {}
          : { attachments: seed.attachments.map((one) => attachmentOf(state, one)) }),
      };
    case "post":
      return { attachments: postOf(state, seed) };
    case "storyMention":
      return { attachments: [attachmentOf(state, { ...fileOf(seed), type: "story_mention" })] };
    case "storyReply":
      return {
        text: seed.text,
        reply_to: { story: { url: sampleUrl(state), id: seed.storyId ?? newNumericId(state.random) } },
      };
    case "quickReply":
      return { text: seed.title, quick_reply: { payload: seed.payload } };
    case "fromAd":
      return { text: seed.text, referral: referralOf(seed) };
    case "unsupported":
      return { is_unsupported: true };
  }
};

type File = Pick<AttachmentSeed, "bytesBase64" | "mimeType" | "url">;

const fileOf = ({ bytesBase64, mimeType, url }: File): File => ({
  ...(bytesBase64 === undefined ? {} : { bytesBase64 }),
  ...(mimeType === undefined ? {} : { mimeType }),
  ...(url === undefined ? {} : { url }),
});

/** The default content of an attachment of each type: posts and stories are pictures, reels are videos. */
const SAMPLE_OF: Partial<Record<AttachmentSeed["type"], keyof typeof SAMPLES>> = {
  video: "video",
  ig_reel: "video",
  reel: "video",
  audio: "audio",
  file: "file",
};

const attachmentOf = (state: State, seed: AttachmentSeed): Fields => {
  const { type, title, igPostMediaId, reelVideoId, hasUrl = type !== "unsupported_type" && type !== "template" } = seed;
  return {
    type,
    payload: {
      ...(hasUrl ? { url: seed.url ?? mediumUrl(state, mediumOf(state, seed)) } : {}),
      ...(title === undefined ? {} : { title }),
      ...(igPostMediaId === undefined ? {} : { ig_post_media_id: igPostMediaId }),
      ...(reelVideoId === undefined ? {} : { reel_video_id: reelVideoId }),
    },
  };
};

const mediumOf = (state: State, { type, bytesBase64, mimeType }: AttachmentSeed) => {
  const sample = SAMPLES[SAMPLE_OF[type] ?? "image"];
  const bytes = bytesBase64 === undefined ? sample.bytes : Uint8Array.from(Buffer.from(bytesBase64, "base64"));
  return addMedium(state, { bytes, mimeType: mimeType ?? sample.mimeType });
};

const sampleUrl = (state: State): string => mediumUrl(state, addMedium(state, SAMPLES.image));

/** Both say the same post, by the same link and id. */
const postOf = (state: State, { mediaId, title, as = "both" }: Extract<InboundSeed, { kind: "post" }>): Fields[] => {
  const igPostMediaId = mediaId ?? newNumericId(state.random);
  const about = { url: sampleUrl(state), igPostMediaId, ...(title === undefined ? {} : { title }) };
  const share = attachmentOf(state, { type: "share", ...about });
  const post = attachmentOf(state, { type: "ig_post", ...about });
  if (as === "both") return [share, post];
  return as === "share" ? [share] : [post];
};

const referralOf = ({ ref, adId, title }: Extract<InboundSeed, { kind: "fromAd" }>): Fields => ({
  ...(ref === undefined ? {} : { ref }),
  ad_id: adId,
  source: "ADS",
  type: "OPEN_THREAD",
  ads_context_data: { ad_title: title ?? "An ad" },
});
