/** Fields of calls. */
export const CALLS_FIELDS = {
  direction: { description: "INBOUND: from the contact", example: "OUTBOUND" },
  peer: { description: "The other person's number or id", example: "5511988887777" },
  sdpOffer: { example: "v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n" },
  sdpAnswer: {
    description: "The WebRTC answer of your side",
    example: "v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n",
  },
  upstreamCallId: {
    description: "The network's id; null before it has one",
    example: "wacid.HBgMNTUxMTk4ODg4Nzc3NxUC",
  },
  endReason: { description: "Why it ended; null where nobody said", example: null },
  durationSeconds: { description: "Seconds of talk; null before the end", example: 180 },
  recording: {
    description: "The kept sound; null without one",
    example: { objectKey: "recordings/019a1b2c/chamada.ogg", sizeBytes: 480213, contentType: "audio/ogg" },
  },
  granted: { description: "Whether the person may be called now", example: true },
} as const;
