/** Some adapter's kind. */
const KIND = "MATRIX";
const MESSAGES = { accepted: 120, sent: 119, delivered: 117, read: 80, failed: 1, received: 95 };
const DELIVERIES = { delivered: 310, failedAttempts: 4, dead: 0 };
const LAG = { p50Ms: 38, p95Ms: 190, p99Ms: 850 };
const AT = "2026-11-22T12:00:00.000Z";

const counts = (title: string) => ({
  [`${title}.accepted`]: { description: "Messages that were accepted to be sent", example: 120 },
  [`${title}.sent`]: { description: "Messages that the network took", example: 119 },
  [`${title}.delivered`]: { description: "Messages that reached a device", example: 117 },
  [`${title}.read`]: { description: "Messages that were read, where the network says so", example: 80 },
  [`${title}.failed`]: { description: "Messages that failed", example: 1 },
  [`${title}.received`]: { description: "Messages of other people", example: 95 },
});

/** Fields of what happened, for pictures. */
export const STATS_FIELDS = {
  ...counts("MessageStats"),
  ...counts("MessageStatsPoint"),
  "StatsSeries.step": { example: "hour" },
  "StatsSeries.total": {
    description: "Over the whole time",
    example: { messages: MESSAGES, deliveries: DELIVERIES, lag: LAG },
  },
  "StatsSeries.points": {
    description: "Every step in order, also those without anything",
    example: [{ at: AT, messages: MESSAGES, deliveries: DELIVERIES, lag: LAG }],
  },
  "StatsSeries.types": {
    description: "The messages of each type of phone that had any",
    example: [{ type: KIND, total: MESSAGES, points: [{ at: AT, ...MESSAGES }] }],
  },
  "Stats.activity": {
    description: "What happened, as `GET /v1/stats` answers it for one account",
    example: {
      step: "hour",
      since: "2026-11-22T12:00:00.000Z",
      until: "2026-11-22T13:00:00.000Z",
      total: { messages: MESSAGES, deliveries: DELIVERIES, lag: LAG },
      points: [{ at: AT, messages: MESSAGES, deliveries: DELIVERIES, lag: LAG }],
      types: [],
    },
  },
  "StatsNow.at": { description: "When it was counted", example: AT },
  "StatsNow.phones": {
    description: "How many phones of a type are in a state",
    example: [{ type: KIND, status: "CONNECTED", count: 2 }],
  },
  "StatsNow.messages": { example: { queued: 3 } },
  "StatsNow.deliveries": { example: { waiting: 2, dead: 0 } },
} as const;
