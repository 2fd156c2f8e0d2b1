import { composeOffline } from "../../src/app.ts";
import type { DomainEvent } from "../../src/core/domain-event.ts";
import { publish } from "../../src/core/events/publish.ts";
import { type ChannelId, newId, type TenantId } from "../../src/kernel/ids.ts";
import { createLog } from "../../src/kernel/log.ts";
import { readConfig } from "../../src/kernel/settings/config.ts";
import { textOf } from "./customer.ts";
import type { Inbound } from "./inbound.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import { busyDuring, startChild } from "./process.ts";
import { serve } from "./recado.ts";
import { busyNote, perSecond, type Section, tenths, whole } from "./report.ts";

const CHATS = 1000;
const BATCH = 500;
const CONNECTIONS = 8;
const LONGEST_DRAIN_MS = 120_000;

/** Publishes `count` messages while no server runs, so that as many deliveries wait. */
const seed = async ({ site, account, phone }: Inbound, count: number): Promise<void> => {
  const read = readConfig(site.settings);
  if (!read.ok) throw new Error(read.faults.join("; "));
  const { env, close } = await composeOffline(read.config, createLog("error"));
  const origin = {
    tenantId: account.id as TenantId,
    channel: { id: phone.id as ChannelId, kind: null, sharedWebhookId: null },
  };
  const domainEventOf = (n: number): DomainEvent => {
    const pn = `55119900${String(n % CHATS).padStart(5, "0")}`;
    const contact = { canonicalKey: `pn:${pn}`, type: "pn", pn, lid: null } as const;
    const about = {
      direction: "inbound",
      isHistory: false,
      media: null,
      from: contact,
      chat: contact,
      pushName: "A Customer",
      quotedMessageId: null,
      conversationId: null,
      to: phone.number,
    } as const;
    return {
      type: "message.received",
      messageId: newId(env),
      at: env.clock.now(),
      content: { type: "text", content: { text: textOf(0, n) } },
      ...about,
    };
  };
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) =>
      env.db.write((tx) => publish(env, tx, origin, domainEventOf(from + n)), { isDurable: false }),
    );
    await Promise.all(batch);
  }
  await close();
};

/** The same number of connections that post to the same endpoint, without a server behind them. */
const barePosts = async (port: number): Promise<LoadResult> => {
  const order: LoadOrder = {
    port,
    path: "/hook",
    headers: {},
    body: JSON.stringify({ type: "message:received", data: { text: "<n>" } }),
    variants: CHATS,
    connections: CONNECTIONS,
    warmUpMs: 300,
    runMs: 1000,
  };
  const child = await startChild("scripts/bench/load.ts", { input: order });
  await child.stop();
  return child.ready as LoadResult;
};

/**
 * A server that starts on a backlog of deliveries and drains it to one healthy endpoint. The inbound server must have
 * been stopped.
 */
export const deliveriesSection = async (inbound: Inbound, count: number): Promise<Section> => {
  const { customer, site } = inbound;
  const bare = await barePosts(Number(new URL(customer.url).port));
  await seed(inbound, count);
  const drained = customer.run({ kind: "expect", count, drainMs: LONGEST_DRAIN_MS });
  const recado = await serve(site);
  const { result, busy } = await busyDuring({ recado: recado.child, customer: customer.child }, () => drained);
  await recado.child.stop();
  const rate = (result.arrived - 1) / (result.arrivedMs / 1000);
  return {
    title: "Deliveries alone",
    figures: [
      {
        what: `${whole(count)} waiting deliveries drained to one healthy endpoint`,
        value: perSecond(rate),
        yardstick: `bare POSTs over ${CONNECTIONS} connections ${perSecond(bare.perSecond)}`,
        ratio: rate / bare.perSecond,
      },
    ],
    notes: [
      `${whole(result.arrived)} arrived in ${tenths(result.arrivedMs / 1000)} s, ${whole(result.repeats)} of them twice; ${busyNote(busy)}. ${whole(CHATS)} chats.`,
    ],
  };
};
