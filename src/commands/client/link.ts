import { type Gateway, type Recado, RecadoError } from "../../../clients/typescript/src/index.ts";
import { hasEndedWithin } from "../../kernel/async.ts";
import { MINUTE_MS, SECOND_MS, systemClock } from "../../kernel/clock.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { createScreen, type Screen } from "../screen.ts";
import { followUntil, type Session, withClient } from "./connected.ts";
import { plain } from "./text.ts";

type Options = {
  id: string;
  json: boolean;
  /** Requests a code to type on the device with this number, in place of a QR code. */
  code: string | undefined;
};

/** The time that a request waits at the server for a code. */
const WAIT_S = 30;
/** The network replaces a QR code without an event, so the server is asked for the present one. */
const QR_LOOK_MS = 3 * SECOND_MS;
/** The wait between two requests that the server has refused at once. */
const REFUSED_MS = 2 * SECOND_MS;
/** A pairing code is valid for two minutes. */
const CODE_LIFE_MS = 2 * MINUTE_MS;

const OPEN: readonly Gateway.PhoneStatus[] = ["CONNECTED", "RESTRICTED"];

/**
 * Shows the codes by which a device is linked until the phone is connected. Resolves to the exit code: 1 when the user
 * ends it before. @throws RecadoError when the server refuses
 */
export const linkPhone = async (context: CommandContext, { recado, ended }: Session, options: Options) => {
  const { id, json } = options;
  const done = new AbortController();
  const shown = AbortSignal.any([ended, done.signal]);
  const page = json ? jsonPage(context) : textPage(context, createScreen(context));
  try {
    await wake(recado, id);
    const following = followUntil(recado, {
      phoneId: id,
      types: ["channel:connected", "channel:passkey-required"],
      ended: shown,
      look: async () => connectedIn(await recado.phones.get(id, { signal: shown })),
      async onEvent(event) {
        if (event.type === "channel:connected") return connectedIn(await recado.phones.get(id, { signal: shown }));
        if (event.type === "channel:passkey-required") page.hint(event.data.hint, event.data.bridgeUrl);
        return undefined;
      },
    });
    const showing = options.code === undefined ? showQrCodes : showPairingCodes;
    const connected = await Promise.race([following, showing(recado, page, { ...options, signal: shown })]);
    if (!connected) return EXIT.fault;
    page.connected(connected);
    return EXIT.ok;
  } finally {
    done.abort();
  }
};

/** A phone that has given up, or was disconnected, makes codes again once it is connected again. */
const wake = async (recado: Recado, id: string): Promise<void> => {
  const { status } = await recado.phones.get(id);
  if (status === "DISCONNECTED" || status === "FAILED") await recado.phones.reconnect(id);
};

const connectedIn = (phone: Gateway.Phone): Gateway.Phone | undefined =>
  OPEN.includes(phone.status) ? phone : undefined;

/** The output for a person, or for a program. */
type Page = {
  qr(code: Gateway.QrCode): Promise<void>;
  code(code: Gateway.PairingCode): void;
  hint(hint: Gateway.PairingHint, bridgeUrl?: string): void;
  scanned(): void;
  connected(phone: Gateway.Phone): void;
};

const jsonPage = ({ out }: CommandContext): Page => {
  let last = "";
  const print = (event: string, fields: object) => {
    const line = JSON.stringify({ event, ...fields });
    if (line !== last) out(line);
    last = line;
  };
  return {
    qr: async ({ qr, hint }) => print("qrcode", { qr, ...(hint ? { hint } : {}) }),
    code: ({ code, formatted, hint }) => print("code", { code, formatted, ...(hint ? { hint } : {}) }),
    hint: (hint, bridgeUrl) => print("hint", { hint, ...(bridgeUrl === undefined ? {} : { bridgeUrl }) }),
    scanned: () => print("scanned", {}),
    connected: ({ id, phoneNumber }) => print("connected", { id, phoneNumber }),
  };
};

const textPage = ({ out }: CommandContext, { show, say }: Screen): Page => {
  const hint: Page["hint"] = ({ en }, bridgeUrl) =>
    say([en, ...(bridgeUrl === undefined ? [] : [bridgeUrl])].map((line) => `  … ${plain(line)}`).join("\n"));
  let lastCode = "";
  let isExplained = false;
  const explain = () => {
    if (!isExplained)
      out("On the phone, in WhatsApp: Settings (on Android the ⋮ menu) → Linked devices → Link a device.");
    isExplained = true;
  };
  return {
    hint,
    async qr(code) {
      explain();
      await show(code.qr);
      if (code.hint) hint(code.hint);
    },
    code(code) {
      explain();
      if (code.code !== lastCode) out(`There, “Link with phone number instead”: type ${plain(code.formatted)}`);
      lastCode = code.code;
      if (code.hint) hint(code.hint);
    },
    scanned: () => say("  … scanned; the network is linking the device"),
    connected: ({ phoneNumber }) => out(`linked: ${phoneNumber ?? "the phone is connected"}`),
  };
};

type Showing = Options & { signal: AbortSignal };

/** Shows each QR code until the phone is connected, which is the answer; undefined once `signal` aborts. */
const showQrCodes = (recado: Recado, page: Page, { id, signal }: Showing): Promise<Gateway.Phone | undefined> =>
  repeated(signal, async () => {
    const code = await answered(recado.phones.getQrCode(id, { query: { wait: WAIT_S }, signal }));
    if (!(code instanceof RecadoError)) {
      await page.qr(code);
      return QR_LOOK_MS;
    }
    if (code.code === "ALREADY_CONNECTED") return recado.phones.get(id, { signal });
    if (code.status !== 425) throw code;
    if (code.code === "PAIRING_IN_PROGRESS") page.scanned();
    return REFUSED_MS;
  });

/** The same for codes to type. A new one is requested when the previous one is no longer valid. */
const showPairingCodes = (
  recado: Recado,
  page: Page,
  { id, code: phoneNumber = "", signal }: Showing,
): Promise<Gateway.Phone | undefined> =>
  repeated(signal, async () => {
    const asked = await answered(recado.phones.createPairingCode(id, { phoneNumber }, { signal }));
    const code =
      asked instanceof RecadoError
        ? asked
        : await answered(recado.phones.getPairingCode(id, { query: { wait: WAIT_S }, signal }));
    if (!(code instanceof RecadoError)) {
      page.code(code);
      return CODE_LIFE_MS;
    }
    if (code.code === "ALREADY_CONNECTED") return recado.phones.get(id, { signal });
    const { hint } = (code.details ?? {}) as { hint?: Gateway.PairingHint };
    if (code.status !== 425) throw code;
    if (hint) page.hint(hint);
    return code.retryAfterMs ?? REFUSED_MS;
  });

/** The answer, or its refusal. */
const answered = <Answer>(answer: Promise<Answer>): Promise<Answer | RecadoError> =>
  answer.catch((error: unknown) => {
    if (error instanceof RecadoError) return error;
    throw error;
  });

/** Calls `step`, and again after each wait that it returns, until it returns a phone or `signal` aborts. */
const repeated = async (
  signal: AbortSignal,
  step: () => Promise<number | Gateway.Phone>,
): Promise<Gateway.Phone | undefined> => {
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const clock = systemClock();
  try {
    while (!signal.aborted) {
      const next = await step();
      if (typeof next !== "number") return next;
      await hasEndedWithin(clock, next, aborted);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return undefined;
};

/** `recado phone link`: unlike after `phone add`, the client is made here. */
export const linkCommand = (
  context: CommandContext,
  { url, ...options }: Options & { url: string | undefined },
): Promise<number> =>
  withClient(context, { name: "phone link", url }, (session) => linkPhone(context, session, options));
