import { hasEndedWithin } from "../../kernel/async.ts";
import { type Clock, SECOND_MS } from "../../kernel/clock.ts";
import { recordOf } from "../../kernel/json.ts";
import { createLog } from "../../kernel/log.ts";
import type { Environment } from "../../kernel/reading.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { untilSignal } from "../signals.ts";
import { createScreen } from "./screen.ts";
import { allOf, nextSteps, onStage, type Stage, type WebhookEvent } from "./stage.ts";

/** The operator's settings that the demo uses: how the network and the URLs in messages are reached. */
const SETTINGS = ["RECADO_WHATSAPP_WEB_URL", "RECADO_WHATSAPP_WEB_ROOT", "RECADO_OUTBOUND_ALLOW", "RECADO_EXTRA_CA"];
/** Seconds without a QR code after which the user is warned. */
const WARNING_AFTER_S = 20;

type Options = { to: string | undefined; isOnce: boolean };

/**
 * Links the operator's phone by a QR code and shows its events until a signal; then unlinks the device. Resolves to the
 * exit code.
 */
export const sessionDemo = (context: CommandContext, options: Options): Promise<number> => {
  const stopped = untilSignal();
  const expected = {
    connected: allOf("channel:connected"),
    answered: allOf("channel:connected", "sent", "message:received"),
    failed: allOf("failed"),
  };
  const onEvent = (event: WebhookEvent) => Object.values(expected).forEach((one) => one.onEvent(event));
  const log = createLog("error", { write: (line) => context.err(line.trimEnd()) });
  return onStage(
    context,
    { settings: usedSettings(context.env), options: { log }, onEvent, summary: summaryOf },
    async (stage) => {
      const phone = await stage.post("/v1/phones", { type: "SESSION", label: "Demo phone", webhook: stage.webhook });
      const phoneId = String(phone["id"]);
      try {
        return await show(context, stage, { phoneId, expected, stopped, options });
      } finally {
        await unlink(context, stage, phoneId);
      }
    },
  );
};

const usedSettings = (env: Environment): Environment =>
  Object.fromEntries(SETTINGS.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, env[name]]));

const summaryOf = ({ type, data }: WebhookEvent): object => {
  if (type === "message:received")
    return { from: data["from"], chat: data["chat"], type: data["type"], content: data["content"] };
  if (type === "channel:qrcode") return { expiresAt: data["expiresAt"] };
  return data;
};

type ExpectedEvents = Record<"connected" | "answered" | "failed", ReturnType<typeof allOf>>;
type Show = { phoneId: string; expected: ExpectedEvents; stopped: Promise<unknown>; options: Options };

const show = async (
  context: CommandContext,
  stage: Stage,
  { phoneId, expected, stopped, options: { to, isOnce } }: Show,
): Promise<number> => {
  const ends = {
    linked: expected.connected.done,
    answered: expected.answered.done,
    failed: expected.failed.done,
    stopped,
  };
  const linked = await pair(context, stage, { phoneId, over: firstOf(ends, "linked", "stopped") });
  if (linked === "linked") {
    await greet(context, stage, { phoneId, to });
    if (!isOnce) invite(context, stage, { phoneId, to });
  }
  const end = isOnce ? await firstOf(ends, "answered", "failed", "stopped") : await firstOf(ends, "stopped");
  if (end === "answered" || !isOnce) return EXIT.ok;
  context.err(`recado demo: ${end} before these had arrived: ${[...expected.answered.missing].join(", ")}`);
  return EXIT.fault;
};

const firstOf = <Name extends string>(ends: Record<Name, Promise<unknown>>, ...names: readonly Name[]): Promise<Name> =>
  Promise.race(names.map((name) => ends[name].then(() => name)));

type Linked = { phoneId: string; to: string | undefined };

const greet = async ({ out }: CommandContext, { ask, post }: Stage, { phoneId, to }: Linked): Promise<void> => {
  const { body } = await ask("GET", `/v1/phones/${phoneId}`);
  out(`  → linked     ${String(body["phoneNumber"])}: everything that it receives is shown here`);
  if (to === undefined) return;
  const sent = await post("/v1/messages", { phoneId, to, type: "text", content: { text: "Hello from Recado" } });
  out(`  → accepted   message ${String(sent["messageId"])} to ${to}: answer it from there`);
};

const invite = ({ out }: CommandContext, stage: Stage, { phoneId, to }: Linked): void => {
  nextSteps(stage, phoneId, to ?? "NUMBER").forEach(out);
  if (to === undefined) out("Replace NUMBER by another of your numbers: digits with the country code.");
  out("Ctrl+C ends the demo and unlinks the device; it leaves nothing behind.");
};

/** Shows each QR code of the phone until `over`, and resolves as it does. */
const pair = async <End>(
  context: CommandContext,
  { app, ask }: Stage,
  { phoneId, over }: { phoneId: string; over: Promise<End> },
): Promise<End> => {
  context.out(
    "On the phone, in WhatsApp: Settings (on Android the ⋮ menu) → Linked devices → Link a device. Then scan:",
  );
  const screen = createScreen(context);
  let waits = 0;
  await everySecond(app.env.clock, over, async () => {
    const { status, body } = await ask("GET", `/v1/phones/${phoneId}/qrcode`);
    waits = status === 200 ? 0 : waits + 1;
    if (status === 200) {
      await screen.show(String(body["qr"]));
      const { code, en, pt } = recordOf(body["hint"]);
      const page = code === "PASSKEY_REQUIRED" ? (await ask("GET", `/v1/phones/${phoneId}/passkey`)).body : {};
      const lines = [en, pt, page["bridgeUrl"]].filter((line) => typeof line === "string");
      if (lines.length > 0) screen.say(lines.map((line) => `  … ${line}`).join("\n"));
    } else if (refusalOf(body) === "PAIRING_IN_PROGRESS") screen.say("  … scanned; the network is linking the device");
    else if (waits === WARNING_AFTER_S) screen.say("  … no QR code for 20 s: can this machine reach the network?");
  });
  return over;
};

const refusalOf = ({ error }: Record<string, unknown>): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

/** Runs `work` now and every second until `over`. */
const everySecond = async (clock: Clock, over: Promise<unknown>, work: () => Promise<void>): Promise<void> => {
  let isOver = false;
  const ended = over.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await work();
    await hasEndedWithin(clock, SECOND_MS, ended);
  }
};

const unlink = async ({ out, err }: CommandContext, { ask }: Stage, phoneId: string): Promise<void> => {
  const { status } = await ask("DELETE", `/v1/phones/${phoneId}`);
  if (status === 204)
    out("  → unlinked   should the phone still list the device under Linked devices, remove it there");
  else err(`recado demo: the device could not be unlinked (${status}): remove it on the phone, under Linked devices`);
};
