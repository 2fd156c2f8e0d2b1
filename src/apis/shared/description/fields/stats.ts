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
  "DeliveryStats.delivered": { description: "Events that reached a webhook", example: 310 },
  "DeliveryStats.failedAttempts": { description: "Attempts that failed, each by itself", example: 4 },
  "DeliveryStats.dead": { description: "Events that were given up after their attempts", example: 0 },
  p50Ms: { description: "Half of the deliveries arrived at most so long after their event", example: 38 },
  p95Ms: { description: "95 % of the deliveries; an hour is the most", example: 190 },
  p99Ms: { description: "99 % of the deliveries; an hour is the most", example: 850 },
  lag: { description: "How late deliveries arrived, from fixed steps; null where none arrived", example: LAG },
  "StatsSeries.since": { description: "The beginning of the first step, in UTC", example: "2026-11-22T00:00:00.000Z" },
  "StatsSeries.until": { description: "The end of the last step, exclusive", example: "2026-11-23T00:00:00.000Z" },
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
  "StatsPoint.at": { description: "The beginning of the step", example: AT },
  "MessageStatsPoint.at": { description: "The beginning of the step", example: AT },
  "StatsPoint.messages": { example: MESSAGES },
  "StatsTotal.messages": { example: MESSAGES },
  "StatsPoint.deliveries": { example: DELIVERIES },
  "StatsTotal.deliveries": { example: DELIVERIES },
  "TypeStats.type": { description: "The type of the phones", example: KIND },
  "TypeStats.total": { description: "Over the whole time", example: MESSAGES },
  "TypeStats.points": { example: [{ at: AT, ...MESSAGES }] },
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
  "PhoneCount.type": { description: "The type of the phones", example: KIND },
  "PhoneCount.status": { description: "Their state", example: "CONNECTED" },
  "PhoneCount.count": { example: 2 },
  "WaitingMessages.queued": { description: "Messages that wait to be sent", example: 3 },
  "WaitingDeliveries.waiting": { description: "Events that wait to be delivered to a webhook", example: 2 },
  "WaitingDeliveries.dead": { description: "Events that were given up", example: 0 },
} as const;
