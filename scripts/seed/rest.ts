import { GATEWAY } from "../../src/apis/gateway/events/render.ts";
import { PLATFORM } from "../../src/apis/platform/events/render.ts";
import { createInvoice, markPaid, unpaidInvoices } from "../../src/core/billing/invoices/invoices.ts";
import { changeWebhooks } from "../../src/core/channels/settings/webhooks.ts";
import { changeSubscription, readSubscriptions } from "../../src/core/events/subscriptions.ts";
import { LOCAL } from "../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, iso, MINUTE_MS } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { insertCall } from "../../src/store/tables/calls.ts";
import { insertGroup } from "../../src/store/tables/groups.ts";
import type { Account, Institution } from "./people.ts";
import { type Phones, WEBHOOK_SECRET } from "./phones.ts";
import type { Stage } from "./stage.ts";
import type { Moment, Mornings } from "./talk.ts";
import { PEOPLE } from "./texts.ts";

/** The account pays its debt every morning, because dunning would suspend it within the month. */
export const payments = ({ env }: Stage, { scope }: Account, { firstMs, days }: Mornings): Moment[] =>
  Array.from({ length: days }, (_, day) => ({
    at: firstMs + day * DAY_MS,
    async play() {
      for (const { id } of await unpaidInvoices(env, scope)) await markPaid(env, LOCAL, id);
    },
  }));

/** One paid invoice, and one that waits for its payment. */
export const makeInvoices = async ({ env }: Stage, { scope }: Account): Promise<void> => {
  const dueDate = (days: number) => iso(env.clock.now() + days * DAY_MS).slice(0, 10);
  const paid = await createInvoice(env, LOCAL, scope.tenantId, { totalCents: 12_480, dueDate: dueDate(10) });
  await markPaid(env, LOCAL, paid.id);
  await createInvoice(env, LOCAL, scope.tenantId, { totalCents: 13_920, dueDate: dueDate(12) });
};

/** Two groups of the delivery phone. The simulator has no groups, so the seed writes the rows of a network's groups. */
export const makeGroups = ({ env }: Stage, { scope }: Account, { deliveries }: Phones): Promise<void> =>
  env.db.write(async (tx) => {
    const now = env.clock.now();
    for (const [index, subject] of ["Entregadores", "Wholesale customers"].entries()) {
      const participants = PEOPLE.slice(index * 3, index * 3 + 3).map(({ number }) => ({
        waId: number,
        joinedAt: iso(now),
      }));
      await insertGroup(tx, {
        id: newId(env),
        tenantId: scope.tenantId,
        channelId: deliveries,
        upstreamGroupId: `12036300000000000${index}`,
        requestId: null,
        subject,
        description: "",
        joinApprovalMode: "AUTO_APPROVE",
        inviteLink: null,
        participants,
        totalParticipantCount: participants.length,
        isSuspended: false,
        isDeleting: false,
        deletedAt: null,
        providerUpdatedAt: {},
        createdAt: now,
        updatedAt: now,
        rules: null,
        community: null,
      });
    }
  });

/** A call of a customer an hour ago, which somebody took. The simulator has no calls either. */
export const makeCall = ({ env }: Stage, { scope }: Account, { deliveries }: Phones): Promise<void> =>
  env.db.write((tx) => {
    const startedAt = env.clock.now() - 60 * MINUTE_MS;
    const endedAt = startedAt + 4 * MINUTE_MS;
    return insertCall(tx, {
      id: newId(env),
      tenantId: scope.tenantId,
      channelId: deliveries,
      upstreamCallId: "wacid.SEED0001",
      direction: "INBOUND",
      status: "COMPLETED",
      peer: `pn:${PEOPLE[0]?.number ?? ""}`,
      sdpOffer: null,
      startedAt,
      acceptedAt: startedAt + 8000,
      endedAt,
      durationSeconds: 232,
      endReason: "completed",
      recording: null,
      createdAt: startedAt,
      updatedAt: endedAt,
    });
  });

/** The webhooks lead to names that do not exist (RFC 2606), so that no later event reaches anybody. */
export const retireWebhooks = async (
  { env }: Stage,
  institution: Institution,
  account: Account,
  phones: Phones,
): Promise<void> => {
  for (const { id } of await readSubscriptions(env, institution.scope, { audience: PLATFORM, kind: "account" })) {
    await changeSubscription(
      env,
      institution.scope,
      { audience: PLATFORM, kind: "account", id },
      { url: "https://hooks.aurora.example/recado" },
    );
  }
  await changeWebhooks(env, account.scope, phones.deliveries, {
    webhook: { audience: GATEWAY, url: "https://entregas.aurora.example/recado", secret: WEBHOOK_SECRET },
  });
};
