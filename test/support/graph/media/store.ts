import { DAY_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { sha256 } from "../../../../src/kernel/crypto.ts";
import { newNumericId } from "../ids.ts";
import type { Fields } from "../shape.ts";
import type { State } from "../state.ts";
import { accountIdOf } from "../values.ts";
import type { Media, MediaSeed } from "./model.ts";

const TTL_MS = { upload: 30 * DAY_MS, inbound: 7 * DAY_MS };
const URL_TTL_MS = 5 * MINUTE_MS;

export const putMedia = (state: State, seed: MediaSeed, origin: Media["origin"]): Media => {
  const media: Media = {
    id: newNumericId(state.random),
    sha256: sha256(seed.bytes),
    filename: undefined,
    ...seed,
    origin,
    businessAccountId: accountIdOf(state, seed.phoneNumberId),
    expiresAt: state.clock.now() + TTL_MS[origin],
    key: Buffer.from(state.random.bytes(12)).toString("hex"),
  };
  state.media.set(media.id, media);
  return media;
};

/** A file that has neither been deleted nor expired. */
export const findMedia = (state: State, id: string): Media | undefined => {
  const media = state.media.get(id);
  return media && media.expiresAt > state.clock.now() ? media : undefined;
};

const hashOf = ({ id, key }: Media, expiresAt: string): string => sha256(`${id}/${expiresAt}/${key}`).slice(0, 24);

/** The address of a file's bytes, good for five minutes. */
export const urlOf = (state: State, media: Media): string => {
  const ext = String(state.clock.now() + URL_TTL_MS);
  return `${state.url}/whatsapp_business/attachments/?mid=${media.id}&ext=${ext}&hash=${hashOf(media, ext)}`;
};

/** The file at an address; undefined if the address was altered or is older than five minutes. */
export const mediaAt = (state: State, query: URLSearchParams): Media | undefined => {
  const media = findMedia(state, query.get("mid") ?? "");
  const ext = query.get("ext") ?? "";
  return media && query.get("hash") === hashOf(media, ext) && Number(ext) > state.clock.now() ? media : undefined;
};

/** The fields of a file in a webhook, where its digest is in base64. */
export const webhookFields = (state: State, media: Media): Fields => ({
  id: media.id,
  mime_type: media.mimeType,
  sha256: Buffer.from(media.sha256, "hex").toString("base64"),
  ...(state.settings.hasMediaUrls ? { url: urlOf(state, media) } : {}),
});
