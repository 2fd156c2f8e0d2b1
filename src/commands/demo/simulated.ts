import { fetchFromOwn } from "../../adapters/own-server.ts";
import { hasEndedWithin } from "../../kernel/async.ts";
import { createLog } from "../../kernel/log.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { untilSignal } from "../signals.ts";
import { allOf, nextSteps, onStage, type Stage, type WebhookEvent } from "./stage.ts";

const RECIPIENT = "5511999990123";
const ROUND_TRIP_MS = 30_000;

/** Shows a connected phone, a message and its webhooks on the simulator. Resolves to the exit code. */
export const simulatedDemo = (context: CommandContext, { isOnce }: { isOnce: boolean }): Promise<number> => {
  const stopped = untilSignal();
  const trip = allOf("channel:connected", "sent", "delivered", "read", "message:received");
  const options = { log: createLog("silent"), simulated: true };
  return onStage(context, { settings: {}, options, onEvent: trip.onEvent, summary: summaryOf }, (stage) =>
    show(context, stage, { trip, stopped, isOnce }),
  );
};

const summaryOf = ({ type, data }: WebhookEvent): object => {
  if (type === "message:status") return { messageId: data["messageId"], status: data["status"] };
  if (type === "message:received") return { type: data["type"], content: data["content"] };
  return data;
};

type Show = { trip: ReturnType<typeof allOf>; stopped: Promise<unknown>; isOnce: boolean };

const show = async ({ out, err }: CommandContext, stage: Stage, { trip, stopped, isOnce }: Show): Promise<number> => {
  const phone = await stage.post("/v1/phones", { type: "SESSION", label: "Demo phone", webhook: stage.webhook });
  const phoneId = String(phone["id"]);
  await untilConnected(stage, phoneId);
  const sent = await stage.post("/v1/messages", {
    phoneId,
    to: RECIPIENT,
    type: "text",
    content: { text: "Hello from Recado" },
  });
  out(`  → accepted   message ${String(sent["messageId"])}: it is on disk; its webhooks follow`);
  const { clock } = stage.app.env;
  const isDone = await hasEndedWithin(clock, ROUND_TRIP_MS, trip.done);
  if (!isDone) {
    err(`recado demo: within ${ROUND_TRIP_MS / 1000} s these did not arrive: ${[...trip.missing].join(", ")}`);
    return EXIT.fault;
  }
  if (isOnce) return EXIT.ok;
  nextSteps(stage, phoneId, RECIPIENT).forEach(out);
  out("Ctrl+C ends the demo; it leaves nothing behind.");
  await stopped;
  return EXIT.ok;
};

const untilConnected = async ({ app: { gatewayUrl }, ask, key }: Stage, phoneId: string): Promise<void> => {
  const stream = await fetchFromOwn(`${gatewayUrl}/v1/events/stream?types=channel:connected&phoneId=${phoneId}`, {
    headers: { "x-api-key": key },
  });
  const status = async () => (await ask("GET", `/v1/phones/${phoneId}`)).body["status"];
  const reader = stream.body?.getReader();
  while ((await status()) !== "CONNECTED") await reader?.read();
  await reader?.cancel();
};
