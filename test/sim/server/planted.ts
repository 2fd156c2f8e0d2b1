/** A fault that is put into a copy of the program on purpose: the simulation must find it. */
export type Planted = { name: string; file: string; find: string; replace: string; promise: string };

/** TABLE: the planted faults. `promise`: the promise of the design that each breaks. */
export const PLANTED: readonly Planted[] = [
  {
    name: "a write is answered before it is on disk",
    file: "src/store/engine/file-writer.ts",
    find: "disk.afterSync((error) => reachDisk(waiting, error));",
    replace: "reachDisk(waiting, undefined);",
    promise: "what was answered with 2xx is on disk",
  },
  {
    name: "a failed sync is ignored",
    file: "src/store/engine/wal-sync.ts",
    find: "    if (error) {",
    replace: "    if (error && performance.now() < 0) {",
    promise: "what was answered with 2xx is on disk",
  },
  {
    name: "a group that the disk refused is answered as written",
    file: "src/store/engine/write-group.ts",
    find: "for (const one of group.finished) one.outcome = { ok: false, error };",
    replace: "void error;",
    promise: "what was answered with 2xx is on disk",
  },
  {
    name: "the job of a message is not in the message's write",
    file: "src/core/messaging/sending/accept.ts",
    find: 'env.jobs.enqueue(tx, "message.deliver", deliveryOf(message), message.batchId === null ? {} : { priority: "low" });',
    replace:
      'tx.afterCommit(() => void env.db.write(async (later) => env.jobs.enqueue(later, "message.deliver", deliveryOf(message), {})).catch(() => {}));',
    promise: "what was accepted has an end",
  },
  {
    name: "what a dead process had claimed is not returned",
    file: "src/runtime/runner.ts",
    find: "const jobs = db.isShared ? 0 : await db.write((tx) => rescueJobs(tx, node.processId));",
    replace: "const jobs = 0 * rescueJobs.length;",
    promise: "what was accepted has an end",
  },
  {
    name: "an idempotency key is not stored",
    file: "src/core/messaging/sending/accept.ts",
    find: "const earlier = idempotency && (await claimKey(env, tx, idempotency, { id: messageId }));",
    replace: "const earlier = idempotency && claimKey.length < 0 ? messageId : undefined;",
    promise: "nothing is sent twice",
  },
  {
    name: "the start of a try is not on disk before the network is called",
    file: "src/core/messaging/sending/deliver.ts",
    find: "begin({ env, tx, job, message }, { kind, key, paceMs }));",
    replace: "begin({ env, tx, job, message }, { kind, key, paceMs }), { isDurable: false });",
    promise: "nothing is sent twice",
  },
  {
    name: "a try without a known end is repeated at once",
    file: "src/core/messaging/sending/deliver.ts",
    find: 'message.sendState !== "NONE" &&',
    replace: 'message.sendState === "UNKNOWN" &&',
    promise: "nothing is sent twice",
  },
  {
    name: "a lost answer counts as nothing sent",
    file: "src/core/messaging/sending/deliver.ts",
    find: 'sendState: "UNKNOWN",\n        uncertainAttempts: message.uncertainAttempts + 1,\n        failedTries',
    replace: 'sendState: "NONE",\n        failedTries',
    promise: "nothing is sent twice",
  },
  {
    name: "an inbound webhook is acknowledged before it is stored",
    file: "src/core/upstream.ts",
    find: "  await env.db.write(async (tx) => {\n    const row",
    replace: "  void env.db.write(async (tx) => {\n    const row",
    promise: "what was acknowledged is on disk",
  },
  {
    name: "a repeated inbound message is taken for a new one",
    file: "src/store/tables/channels/inbox.ts",
    find: "= insertNew(inbox);",
    replace: `= (tx, row) => {
  tx.run("DELETE FROM inbox WHERE channel_id = ?1 AND provider_message_id = ?2", [row.channelId, row.providerMessageId]);
  return insertNew(inbox)(tx, row);
};`,
    promise: "what was received is there once",
  },
  {
    name: "a late receipt sets the status back",
    file: "src/core/messaging/sending/status.ts",
    find: 'SENT: ["QUEUED"],',
    replace: 'SENT: ["QUEUED", "DELIVERED", "READ"],',
    promise: "a status only moves forward",
  },
  {
    name: "a receipt follows a failure",
    file: "src/core/messaging/sending/status.ts",
    find: 'SENT: ["QUEUED"],',
    replace: 'SENT: ["QUEUED", "FAILED"],',
    promise: "FAILED is terminal",
  },
  {
    name: "a message is found in any account",
    file: "src/store/tables/messaging/messages.ts",
    find: "ifWithin(await byId.get(r, { id }), scope);",
    replace: "ifWithin(await byId.get(r, { id }), scope) ?? (await byId.get(r, { id }));",
    promise: "tenants are apart",
  },
  {
    name: "a refused delivery counts as delivered",
    file: "src/core/events/record-attempt.ts",
    find: "const isDelivered = outcome.error === null;",
    replace: "const isDelivered = outcome.error === null || outcome.statusCode >= 500;",
    promise: "every event arrives or is a dead letter",
  },
  {
    name: "an attempt is counted twice",
    file: "src/core/events/record-attempt.ts",
    find: "= [env.clock.now(), delivery.attempts + 1];",
    replace: "= [env.clock.now(), delivery.attempts + (delivery.attempts === 1 ? 2 : 1)];",
    promise: "attempts are counted without a gap",
  },
  {
    name: "a failed delivery is not tried again",
    file: "src/core/events/record-attempt.ts",
    find: 'env.jobs.enqueue(tx, "event.retry", job.payload, { runAt });',
    replace: "void runAt;",
    promise: "every event arrives or is a dead letter",
  },
  {
    name: "a delivery does not release the next of its chat",
    file: "src/core/events/record-attempt.ts",
    find: "  await releaseAfter(env, tx, target, present);\n  job.end(tx);",
    replace: "  job.end(tx);",
    promise: "every event arrives or is a dead letter",
  },
  {
    name: "the strict order of a webhook is ignored",
    file: "src/core/events/chat-order.ts",
    find: 'ordering === "chat" && chat !== "" && (await hasEarlier',
    replace: 'ordering === "chat" && chat === "" && (await hasEarlier',
    promise: "the events of a chat arrive in their order",
  },
  {
    name: "the sends of a chat run beside each other",
    file: "src/runtime/execution.ts",
    find: "await (key === undefined ? work() : ordered.run(`${claimed.queue}/${key}`, work));",
    replace: "await (key !== undefined ? work() : ordered.run(`${claimed.queue}/${key}`, work));",
    promise: "the sends of a chat leave in their order",
  },
  {
    name: "an enabled webhook does not get what it missed",
    file: "src/core/events/subscriptions.ts",
    find: 'env.jobs.enqueue(tx, "subscription.resume", { subscriptionId: changed.id });',
    replace: "void changed;",
    promise: "every event arrives or is a dead letter",
  },
  {
    name: "a sent message is counted twice",
    file: "src/core/billing/costs/usage.ts",
    find: "if (channelId !== null) countMessage(tx, what, { tenantId, day: dayOf(happened), channelId });",
    replace:
      'for (let n = what === "sent" ? 2 : 1; n > 0 && channelId !== null; n--) countMessage(tx, what, { tenantId, day: dayOf(happened), channelId });',
    promise: "what is counted is what happened",
  },
  {
    name: "a full disk is a fault of ours",
    file: "src/store/engine/write-queue.ts",
    find: '=== "SQLITE_FULL"',
    replace: '=== "SQLITE_FILLED"',
    promise: "a refusal says what it is",
  },
];
