const MIB = 1024 * 1024;

/**
 * The files each type of message may carry, and how large they may be. `audio/opus` can be uploaded, but no message
 * takes it.
 */
export const MEDIA_KINDS = {
  image: { mimeTypes: ["image/jpeg", "image/png"], maxBytes: 5 * MIB },
  video: { mimeTypes: ["video/mp4", "video/3gpp"], maxBytes: 16 * MIB },
  audio: { mimeTypes: ["audio/aac", "audio/mp4", "audio/mpeg", "audio/amr", "audio/ogg"], maxBytes: 16 * MIB },
  sticker: { mimeTypes: ["image/webp"], maxBytes: 500 * 1024 },
  document: {
    mimeTypes: [
      "text/plain",
      "application/pdf",
      "application/msword",
      "application/vnd.ms-excel",
      "application/vnd.ms-powerpoint",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ],
    maxBytes: 100 * MIB,
  },
} as const satisfies Record<string, { mimeTypes: readonly string[]; maxBytes: number }>;

export type MediaKind = keyof typeof MEDIA_KINDS;

/** How large an upload of each type may be. */
export const UPLOAD_MAX_BYTES: ReadonlyMap<string, number> = new Map([
  ...Object.values(MEDIA_KINDS).flatMap(({ mimeTypes, maxBytes }) =>
    mimeTypes.map((type): [string, number] => [type, maxBytes]),
  ),
  ["audio/opus", MEDIA_KINDS.audio.maxBytes],
]);
