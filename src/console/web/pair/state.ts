import { signal } from "@preact/signals";
import { RecadoError } from "../../../../clients/typescript/src/errors.ts";
import type { PairingCodes } from "../parts/phones/pairing.tsx";

/** The server's state of a pairing link. */
export type PairState = PairingCodes & {
  version: string;
  label: string | null;
  expiresAt: string;
  state: "asleep" | "preparing" | "waiting" | "linking" | "passkey" | "paired";
  passkeyUrl: string | null;
};

/** The state of the link: undefined until it is known, and `over` for an unknown or ended link. */
export const pairState = signal<PairState | "over" | undefined>(undefined);
/** Whether the server was not reached the last time. */
export const isCut = signal(false);

const PAGE = location.pathname.replace(/\/$/, "");
const WAIT_SECONDS = 20;
const AGAIN_MS = 3000;

const refusalOf = async (answer: Response): Promise<RecadoError> => {
  const { error } = (await answer.json().catch(() => ({}))) as { error?: { message?: string; details?: object } };
  return new RecadoError({
    status: answer.status,
    code: "UNKNOWN",
    message: error?.message ?? String(answer.status),
    details: error?.details,
    requestId: undefined,
    retryAfterMs: undefined,
  });
};

/** Asks for the next state, and waits until it differs from the shown one. */
const askNext = async (): Promise<void> => {
  const known = pairState.peek();
  const seen = known === undefined || known === "over" ? "" : `?seen=${known.version}&wait=${WAIT_SECONDS}`;
  const answer = await fetch(`${PAGE}/state${seen}`, { credentials: "omit" });
  if (answer.status === 404) pairState.value = "over";
  else if (answer.ok) pairState.value = (await answer.json()) as PairState;
  else throw await refusalOf(answer);
};

const isFinal = (): boolean => {
  const state = pairState.peek();
  return state === "over" || state?.state === "paired";
};

/** Follows the link until it has ended. Asks again if it does not reach the server. */
export const follow = async (): Promise<void> => {
  while (!isFinal()) {
    try {
      await askNext();
      isCut.value = false;
    } catch {
      isCut.value = true;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
};

/** Asks the server to do something for the link. @throws RecadoError for its refusal */
export const post = async (act: "start" | "code", body: object = {}): Promise<void> => {
  const answer = await fetch(`${PAGE}/${act}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    credentials: "omit",
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw await refusalOf(answer);
};
