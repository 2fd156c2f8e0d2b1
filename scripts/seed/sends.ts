import { checkedBatch } from "../../src/core/messaging/batches/batch-input.ts";
import { createBatch } from "../../src/core/messaging/batches/batches.ts";
import { scheduleMessage } from "../../src/core/messaging/scheduled/schedule.ts";
import { acceptMessage } from "../../src/core/messaging/sending/accept.ts";
import { DAY_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { insertTemplate, type TemplateRow } from "../../src/store/tables/messaging/templates.ts";
import type { Account, Institution } from "./people.ts";
import type { Phones } from "./phones.ts";
import type { Stage } from "./stage.ts";
import type { Moment, Mornings } from "./talk.ts";
import { BATCH_TEXT, PEOPLE } from "./texts.ts";

const TEMPLATES: readonly Pick<TemplateRow, "name" | "language" | "category" | "status" | "components" | "nativeId">[] =
  [
    {
      name: "order_update",
      language: "pt_BR",
      category: "UTILITY",
      status: "APPROVED",
      nativeId: "1689000000000001",
      components: [
        { type: "BODY", text: "Olá {{1}}, o seu pedido saiu para entrega.", example: { body_text: [["Ana"]] } },
      ],
    },
    {
      name: "order_update",
      language: "en_US",
      category: "UTILITY",
      status: "APPROVED",
      nativeId: "1689000000000002",
      components: [{ type: "BODY", text: "Hello {{1}}, your order is on its way.", example: { body_text: [["Ana"]] } }],
    },
    {
      name: "holiday_offer",
      language: "pt_BR",
      category: "MARKETING",
      status: "REJECTED",
      nativeId: "1689000000000003",
      components: [{ type: "BODY", text: "Compre agora!" }],
    },
  ];

/** The templates of the delivery phone after a sync. */
export const makeTemplates = ({ env }: Stage, { scope }: Account, { deliveries }: Phones): Promise<void> =>
  env.db.write(async (tx) => {
    const now = env.clock.now();
    for (const one of TEMPLATES) {
      const rejectionReason = one.status === "REJECTED" ? "INVALID_FORMAT" : null;
      const place = { id: newId(env), tenantId: scope.tenantId, channelId: deliveries };
      await insertTemplate(tx, {
        ...one,
        ...place,
        rejectionReason,
        providerUpdatedAt: null,
        componentsListedAt: null,
        maxPricePer1000: null,
        createdAt: now,
        updatedAt: now,
      });
    }
  });

/** Order updates of the delivery phone, one a day. Its plan bills them, and its failing webhook never gets them. */
export const orderUpdates = (
  stage: Stage,
  { scope }: Account,
  { deliveries: channelId }: Phones,
  { firstMs, days }: Mornings,
): Moment[] =>
  Array.from({ length: days }, (_, day) => ({
    at: firstMs + day * DAY_MS,
    async play() {
      const person = PEOPLE[day % PEOPLE.length];
      const content = { text: `O pedido ${4700 + day} saiu para entrega.` };
      const envelope = { channelId, to: person?.number ?? "", type: "text", content } as const;
      await acceptMessage(stage.env, scope, envelope, {
        environment: "live",
        mustBeConnected: true,
        acceptedBy: null,
        requestId: null,
      });
    },
  }));

/** A batch to everybody, at ten seconds for each: its pace lies below that. */
export const batch = (stage: Stage, { scope }: Institution, { counter }: Phones, startMs: number): Moment[] => {
  const recipients = PEOPLE.map(({ name, number }) => ({
    to: number,
    variables: { nome: name.split(" ")[0] ?? name },
  }));
  const checked = checkedBatch({ channelId: counter, name: "Panetone", text: BATCH_TEXT, recipients });
  const begin = async () =>
    void (await createBatch(stage.env, scope, checked, { environment: "live", messagesPerDay: 1000, requestId: null }));
  const later = recipients.map((_, index) => ({ at: startMs + (index + 1) * 10 * SECOND_MS, play: async () => {} }));
  return [{ at: startMs, play: begin }, ...later];
};

/** A message of the delivery phone that waits until two days after the seeded past. */
export const scheduleReminder = async (
  { env }: Stage,
  { scope }: Account,
  { deliveries: channelId }: Phones,
): Promise<void> => {
  const content = { text: "Lembrete: amanhã entregamos das 8h às 12h." };
  const envelope = { channelId, to: PEOPLE[0]?.number ?? "", type: "text", content } as const;
  await scheduleMessage(env, scope, { scheduledAt: env.clock.now() + 2 * DAY_MS, envelope }, { requestId: null });
};
