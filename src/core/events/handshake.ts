import { AppError } from "../../kernel/errors.ts";
import type { EventsEnv } from "./env.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 4096;
/** Ten digits that do not begin with 0: some programs read them as a number and answer with it. */
const LEAST = 1_000_000_000;
const SPAN = 9_000_000_000;

type HandshakeEnv = Pick<EventsEnv, "http" | "random">;

/** The URL for the events, and the token that its owner expects in the handshake. */
export type Handshake = { url: string; verifyToken: string };

const challengeOf = ({ random }: Pick<HandshakeEnv, "random">): string =>
  String(LEAST + (Buffer.from(random.bytes(6)).readUIntBE(0, 6) % SPAN));

const refusal = (why: string): AppError =>
  new AppError("HANDSHAKE_REFUSED", { message: `The callback URL did not confirm the handshake: ${why}.` });

/**
 * Asks a callback URL once whether its owner wants the events: a GET with the owner's token and a challenge, which it
 * must answer with status 200. A quoted challenge counts too.
 * @throws AppError HANDSHAKE_REFUSED
 */
export const shakeHands = async (env: HandshakeEnv, { url, verifyToken }: Handshake): Promise<void> => {
  const challenge = challengeOf(env);
  const asked = new URL(url);
  asked.searchParams.set("hub.mode", "subscribe");
  asked.searchParams.set("hub.challenge", challenge);
  asked.searchParams.set("hub.verify_token", verifyToken);
  const answer = await env.http.guarded({
    url: asked.href,
    method: "GET",
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
  });
  if (!answer.ok) throw refusal(`it could not be reached (${answer.failure})`);
  if (answer.status !== 200) throw refusal(`it answered with status ${answer.status}`);
  const said = new TextDecoder().decode(answer.body).trim();
  if (said !== challenge && said !== `"${challenge}"`) throw refusal("it did not answer with the challenge");
};
