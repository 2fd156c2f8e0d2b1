import type { App } from "../../src/app.ts";
import { LOCAL, recordAct } from "../../src/core/tenancy/audit/audit.ts";
import type { BatchId } from "../../src/kernel/ids.ts";
import type { Tx } from "../../src/store/engine/db.ts";
import { insertBatch } from "../../src/store/tables/messaging/batches.ts";
import { insertTemplate } from "../../src/store/tables/messaging/templates.ts";
import type { Owner } from "./year-people.ts";
import type { Talk } from "./year-talk.ts";

/** The other rows of an account after a year. */
export type Rest = { templates: number; batches: number; recipients: number; acts: number };

type Step = (n: number, at: number) => (tx: Tx) => Promise<void>;

/** Templates, batches and the audit log, spread over the year. */
export const addRest = async (talk: Talk, rest: Rest): Promise<void> => {
  await overTheYear(talk, rest.templates, (n, at) => (tx) => addTemplate(tx, talk, n, at));
  await overTheYear(talk, rest.batches, (n, at) => (tx) => addBatch(tx, talk, { n, at, recipients: rest.recipients }));
  await overTheYear(talk, rest.acts, (n, at) => (tx) => addAct(tx, talk, n, at));
};

const PER_WRITE = 100;

const overTheYear = async ({ env, startMs, endMs }: Talk, count: number, step: Step): Promise<void> => {
  for (let first = 0; first < count; first += PER_WRITE)
    await env.db.write(
      async (tx) => {
        for (let n = first; n < Math.min(count, first + PER_WRITE); n++)
          await step(n, Math.floor(startMs + ((endMs - startMs) * n) / count))(tx);
      },
      { isDurable: false },
    );
};

const institutionOf = ({ owners }: Talk): Owner => owners[0] as Owner;
const channelOf = ({ channels }: Owner, n: number): Owner["channels"][number] =>
  channels[n % channels.length] as Owner["channels"][number];

const addTemplate = (tx: Tx, talk: Talk, n: number, at: number): Promise<void> => {
  const owner = institutionOf(talk);
  const text = "Olá {{1}}, o seu pedido {{2}} está pronto e espera por você no balcão da loja até as 19h de hoje.";
  return insertTemplate(tx, {
    id: talk.newIdAt(at),
    tenantId: owner.tenantId,
    channelId: channelOf(owner, n),
    name: `pedido_pronto_${Math.floor(n / owner.channels.length)}`,
    language: "pt_BR",
    category: n % 3 === 0 ? "MARKETING" : "UTILITY",
    status: n % 10 === 9 ? "REJECTED" : "APPROVED",
    components: [
      { type: "BODY", text, example: { body_text: [["Ana", "1234"]] } },
      { type: "FOOTER", text: "Rede Aurora. Responda PARAR para não receber mais." },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Já vou" }] },
    ],
    nativeId: `native-${n}`,
    rejectionReason: n % 10 === 9 ? "INVALID_FORMAT" : null,
    providerUpdatedAt: at,
    componentsListedAt: null,
    maxPricePer1000: null,
    createdAt: at,
    updatedAt: at,
  });
};

const addBatch = async (
  tx: Tx,
  talk: Talk,
  { n, at, recipients }: { n: number; at: number; recipients: number },
): Promise<void> => {
  const owner = institutionOf(talk);
  const id = talk.newIdAt<BatchId>(at);
  const unset = {
    startsAt: null,
    pausedAt: null,
    waitingSince: null,
    opensAt: null,
    template: null,
    fallback: null,
    options: null,
    requestId: null,
  };
  await insertBatch(
    tx,
    {
      ...unset,
      id,
      tenantId: owner.tenantId,
      channelId: channelOf(owner, n),
      environment: "live",
      name: `Campanha ${n + 1}`,
      delayMs: 3000,
      jitter: 0.3,
      status: n % 5 === 4 ? "CANCELLED" : "COMPLETED",
      nextAt: at,
      triedAt: at,
      respectsHours: false,
      createdAt: at,
      startedAt: at,
      finishedAt: at,
      text: "Olá {{name}}, hoje o bolo de cenoura está pela metade do preço.",
    },
    Array.from({ length: recipients }, (_, index) => ({ to: `5511${900_000_000 + n * recipients + index}` })),
  );
  tx.run(
    "UPDATE batch_recipients SET status = iif(position % 20 = 0, 'FAILED', 'SENT'), message_id = batch_id || '/' || position WHERE batch_id = ?1",
    [id],
  );
};

const addAct = (tx: Tx, talk: Talk, n: number, at: number): Promise<void> => {
  const owner = talk.owners[n % talk.owners.length] as Owner;
  const env: App["env"] = { ...talk.env, clock: { ...talk.env.clock, now: () => at } };
  return recordAct({ ...env, log: quiet(env.log) }, tx, LOCAL, {
    action: n % 7 === 0 ? "webhook.create" : "account.change",
    target: channelOf(owner, n),
    tenantId: owner.tenantId,
    details: { name: `pedido_${n}` },
  });
};

const quiet = (log: App["env"]["log"]): App["env"]["log"] => ({ ...log, info: () => {} });
