import { expect, test } from "bun:test";
import { queuesOfChannel } from "../../src/core/channels/links/channel-queues.ts";
import { JOBS, type JobPayloads } from "../../src/core/jobs.ts";
import type { ChannelId } from "../../src/kernel/ids.ts";
import type { Queue } from "../../src/store/tables/queues.ts";

const CHANNEL = "0198a000-1111-4222-8333-444455556666" as ChannelId;

/** The queues that jobs of this kind may get for the channel. The payload has the fields that queues are made of. */
const queuesOf = (name: keyof JobPayloads): Queue[] =>
  ["live", "test"].flatMap((environment) =>
    [false, true].map((isHistory) => {
      const payload = { channelId: CHANNEL, environment, tenantId: "", subscriptionId: "", domainEvent: { isHistory } };
      return JOBS[name].queue(payload as never);
    }),
  );

const OWN = queuesOfChannel(CHANNEL).map(({ key }) => key);
const ofJobs = (Object.keys(JOBS) as (keyof JobPayloads)[]).flatMap((name) =>
  queuesOf(name).map((queue) => ({ name, ...queue })),
);

test("every queue of a channel's jobs stands in CHANNEL_QUEUES, which says whether it waits as sends do", () => {
  const unknown = ofJobs.filter(({ key, channelId }) => channelId !== null && !OWN.includes(key));
  expect(unknown.map(({ name, key }) => `${name} runs in ${key}`)).toEqual([]);
  const shared = ofJobs.filter(({ key, channelId }) => channelId === null && key.includes(CHANNEL));
  expect(shared.map(({ name, key }) => `${name} runs in ${key}, which is of no channel: use queueIn`)).toEqual([]);
});

test("every queue of CHANNEL_QUEUES has a job that runs in it", () => {
  const used = new Set(ofJobs.map(({ key }) => key));
  expect(OWN.filter((key) => !used.has(key))).toEqual([]);
});
