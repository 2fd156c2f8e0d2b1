import type { App } from "../../app.ts";
import { hasEndedWithin } from "../../kernel/async.ts";
import { DAY_MS, HOUR_MS } from "../../kernel/clock.ts";
import type { ChannelId, TenantId } from "../../kernel/ids.ts";
import { createLog } from "../../kernel/log.ts";
import { listKeys } from "../../store/tables/tenancy/keys.ts";
import { listOperators } from "../../store/tables/tenancy/operators.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { untilSignal } from "../signals.ts";
import { writePast } from "./past.ts";
import { allOf, nextSteps, onStage, type Stage, type WebhookEvent } from "./stage.ts";

const RECIPIENT = "5511999990123";
const ROUND_TRIP_MS = 30_000;
/** The days before the demo in the console. */
const PAST = { conversations: 120, messages: 7 };
const PAST_DAYS = 14;

/** Shows a connected phone, a message and its webhooks on the simulator. Resolves to the exit code. */
export const simulatedDemo = (context: CommandContext, { isOnce }: { isOnce: boolean }): Promise<number> => {
  const stopped = untilSignal();
  const connected = allOf("channel:connected");
  const trip = allOf("channel:connected", "sent", "delivered", "read", "message:received");
  const onEvent = (event: WebhookEvent) => [connected, trip].forEach((one) => one.onEvent(event));
  const options = { log: createLog("silent"), simulated: true };
  return onStage(context, { settings: {}, options, onEvent, summary: summaryOf }, (stage) =>
    show(context, stage, { connected, trip, stopped, isOnce }),
  );
};

const summaryOf = ({ type, data }: WebhookEvent): object => {
  if (type === "message:status") return { messageId: data["messageId"], status: data["status"] };
  if (type === "message:received") return { type: data["type"], content: data["content"] };
  return data;
};

/** The demo's operator and its key, who wrote the past. */
const sendersIn = ({ env }: App, tenantId: TenantId): Promise<string[]> =>
  env.db.read(async (reader) => [
    ...(await listOperators(reader)).map(({ id }) => `operator:${id}`),
    ...(await listKeys(reader, { tenantId }, "gateway")).map(({ id }) => `key:${id}`),
  ]);

type Expected = ReturnType<typeof allOf>;
type Show = { connected: Expected; trip: Expected; stopped: Promise<unknown>; isOnce: boolean };

const show = async (
  { out, err }: CommandContext,
  stage: Stage,
  { connected, trip, stopped, isOnce }: Show,
): Promise<number> => {
  const { app, accountId, recado, webhook, console, before } = stage;
  const hasCome = async ({ done, missing }: Expected): Promise<boolean> => {
    if (await hasEndedWithin(app.env.clock, ROUND_TRIP_MS, done)) return true;
    err(`recado demo: within ${ROUND_TRIP_MS / 1000} s these did not arrive: ${[...missing].join(", ")}`);
    return false;
  };
  const { id: phoneId } = await recado.phones.create({ type: "SESSION", label: "Demo phone", webhook });
  if (!(await hasCome(connected))) return EXIT.fault;
  await before(async () => {
    const content = { text: "Hello from Recado" };
    const { messageId } = await recado.messages.send({ phoneId, to: RECIPIENT, type: "text", content });
    out(`  → accepted   message ${messageId}: it is on disk; its webhooks follow`);
  });
  if (!(await hasCome(trip))) return EXIT.fault;
  if (isOnce) return EXIT.ok;
  const now = app.env.clock.now();
  await writePast(app.env, {
    tenantId: accountId,
    channelIds: [phoneId as ChannelId],
    ...PAST,
    senders: await sendersIn(app, accountId),
    fromMs: now - PAST_DAYS * DAY_MS,
    toMs: now - HOUR_MS,
  });
  nextSteps(stage, phoneId, RECIPIENT).forEach(out);
  out("Open the console; this link signs in once, on this machine:");
  out("");
  out(`  ${console.link}`);
  out("");
  out(`Later sign in as ${console.email} with the password ${console.password}.`);
  out("Ctrl+C ends the demo; it leaves nothing behind.");
  await stopped;
  return EXIT.ok;
};
