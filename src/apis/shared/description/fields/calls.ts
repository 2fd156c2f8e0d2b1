/** Fields of calls. */
export const CALLS_FIELDS = {
  direction: { description: "INBOUND: from the contact", example: "OUTBOUND" },
  endReason: { description: "Why it ended; null where nobody said", example: null },
  recording: {
    description: "The kept sound; null without one",
    example: { objectKey: "recordings/019a1b2c/chamada.ogg", sizeBytes: 480213, contentType: "audio/ogg" },
  },
  granted: { description: "Whether the person may be called now", example: true },
} as const;
