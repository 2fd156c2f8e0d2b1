import { RecadoError } from "../../../clients/typescript/src/index.ts";
import { hasEndedWithin } from "../../kernel/async.ts";
import { type Clock, SECOND_MS } from "../../kernel/clock.ts";
import { createLog } from "../../kernel/log.ts";
import type { Environment } from "../../kernel/reading.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { createScreen } from "../screen.ts";
import { untilSignal } from "../signals.ts";
import { allOf, nextSteps, onStage, type Stage, type WebhookEvent } from "./stage.ts";

/** The operator's settings that the demo uses: the way to the network, and to the URLs in messages. */
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
      const { recado, webhook } = stage;
      const { id: phoneId } = await recado.phones.create({ type: "SESSION", label: "Demo phone", webhook });
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

const greet = async ({ out }: CommandContext, { recado, before }: Stage, { phoneId, to }: Linked): Promise<void> => {
  const { phoneNumber } = await recado.phones.get(phoneId);
  out(`  → linked     ${phoneNumber}: everything that it receives is shown here`);
  if (to === undefined) return;
  await before(async () => {
    const content = { text: "Hello from Recado" };
    const { messageId } = await recado.messages.send({ phoneId, to, type: "text", content });
    out(`  → accepted   message ${messageId} to ${to}: answer it from there`);
  });
};

const invite = ({ out }: CommandContext, stage: Stage, { phoneId, to }: Linked): void => {
  nextSteps(stage, phoneId, to ?? "NUMBER").forEach(out);
  if (to === undefined) out("Replace NUMBER by another of your numbers: digits with the country code.");
  out("Ctrl+C ends the demo and unlinks the device; it leaves nothing behind.");
};

/** Shows each QR code of the phone until `over`, and resolves to its result. */
const pair = async <End>(
  context: CommandContext,
  { app, recado }: Stage,
  { phoneId, over }: { phoneId: string; over: Promise<End> },
): Promise<End> => {
  context.out(
    "On the phone, in WhatsApp: Settings (on Android the ⋮ menu) → Linked devices → Link a device. Then scan:",
  );
  const screen = createScreen(context);
  let waits = 0;
  await everySecond(app.env.clock, over, async () => {
    const code = await unlessRefused(recado.phones.getQrCode(phoneId));
    waits = code instanceof RecadoError ? waits + 1 : 0;
    if (!(code instanceof RecadoError)) {
      await screen.show(code.qr);
      const page = code.hint?.code === "PASSKEY_REQUIRED" ? await unlessRefused(recado.phones.getPasskey(phoneId)) : {};
      const lines = [code.hint?.en, code.hint?.pt, "bridgeUrl" in page ? page.bridgeUrl : undefined];
      const said = lines.filter((line) => typeof line === "string");
      if (said.length > 0) screen.say(said.map((line) => `  … ${line}`).join("\n"));
    } else if (code.code === "PAIRING_IN_PROGRESS") screen.say("  … scanned; the network is linking the device");
    else if (waits === WARNING_AFTER_S) screen.say("  … no QR code for 20 s: can this machine reach the network?");
  });
  return over;
};

/** The answer, or its refusal. */
const unlessRefused = <Answer>(answer: Promise<Answer>): Promise<Answer | RecadoError> =>
  answer.catch((error: unknown) => {
    if (error instanceof RecadoError) return error;
    throw error;
  });

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

const unlink = async ({ out, err }: CommandContext, { recado }: Stage, phoneId: string): Promise<void> => {
  const answer = await unlessRefused(recado.phones.delete(phoneId));
  if (answer instanceof RecadoError)
    err(
      `recado demo: the device could not be unlinked (${answer.status}): remove it on the phone, under Linked devices`,
    );
  else out("  → unlinked   should the phone still list the device under Linked devices, remove it there");
};
