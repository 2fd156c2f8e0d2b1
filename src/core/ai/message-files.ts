import type { StoredMedia } from "../../store/tables/media.ts";
import { fileKeyOf } from "../media/media.ts";
import type { AiEnv } from "./env.ts";

/** The bytes of a message's file; undefined after its end. The caller has checked that it is not too large. */
export const readMessageFile = async (
  env: Pick<AiEnv, "clock" | "files">,
  media: StoredMedia,
): Promise<Uint8Array | undefined> => {
  if (media.deletedAt !== null || media.expiresAt <= env.clock.now()) return undefined;
  const file = await env.files.store.read(fileKeyOf(media));
  return file && (await new Response(file.body).bytes());
};
