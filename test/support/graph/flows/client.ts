import { type Static, Type } from "@sinclair/typebox";
import { reasonOf } from "../../../../src/kernel/errors.ts";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { type Fields, fieldsOf } from "../shape.ts";
import type { PhoneNumber, State } from "../state.ts";
import { headersOf, loopback, Signature, type Webhooks } from "../webhooks/webhooks.ts";
import { answered, newSession, type Session, sealed, wrapped } from "./cipher.ts";

const optional = Type.Optional;

/** The request of a phone to the endpoint of a flow, before its encryption. `version` default 3.0. */
export const FlowRequest = Type.Object({
  action: OneOf(["INIT", "BACK", "data_exchange", "ping"]),
  screen: optional(Text(0, 1000)),
  data: optional(Type.Record(Type.String(), Type.Unknown())),
  flow_token: optional(Text(0, 10_000)),
  version: optional(Text(0, 20)),
});
export type FlowRequest = Static<typeof FlowRequest>;

/**
 * The faults of an exchange. `signature`: like those of webhooks. `key`: `stale` encrypts for the key before the last
 * upload. `corrupt`: the part that was altered on the way, namely the text, the wrapped key or the vector. `plaintext`:
 * a text that is sent, well encrypted, in place of the request.
 */
export const FlowTrouble = Type.Object(
  {
    signature: optional(Signature),
    key: optional(OneOf(["current", "stale"])),
    corrupt: optional(OneOf(["data", "key", "iv"])),
    plaintext: optional(Type.String()),
  },
  { additionalProperties: false },
);
export type FlowTrouble = Static<typeof FlowTrouble>;

/**
 * The result. `answer`: the decrypted answer. Without it `fault` says why: unreadable, or no answer at all (`status`
 * null).
 */
export type FlowAnswer = {
  status: number | null;
  contentType: string | null;
  body: string;
  answer?: Fields;
  fault?: string;
};

/** A user's phone with a flow of this number open. */
export type FlowClient = { exchange(url: string, request: FlowRequest, trouble?: FlowTrouble): Promise<FlowAnswer> };

/** How long a phone waits for an endpoint. In real time, as it is the timeout of a socket. */
const TIMEOUT_MS = 10_000;

/**
 * Encrypts with the number's public key, signs with the app secret of the webhooks. An exchange throws without either,
 * and for a URL of another machine.
 */
export const flowClient = (state: State, webhooks: Webhooks, phoneNumberId: string): FlowClient => ({
  async exchange(
    url,
    request,
    { signature = "valid", key = "current", corrupt, plaintext = JSON.stringify({ version: "3.0", ...request }) } = {},
  ) {
    const { appSecret } = webhooks;
    if (appSecret === undefined) throw new Error("no app secret: configure the webhooks first");
    const session = newSession(state.random);
    const parts = {
      data: sealed(session, plaintext),
      key: wrapped(session, publicKeyOf(state, phoneNumberId, key)),
      iv: Buffer.from(session.iv),
    };
    if (corrupt) parts[corrupt].writeUInt8(parts[corrupt].readUInt8(0) ^ 1, 0);
    const body = JSON.stringify({
      encrypted_flow_data: parts.data.toString("base64"),
      encrypted_aes_key: parts.key.toString("base64"),
      initial_vector: parts.iv.toString("base64"),
    });
    return post(loopback(url), body, headersOf({ body, signature }, appSecret), session);
  },
});

const publicKeyOf = ({ numbers }: State, phoneNumberId: string, which: "current" | "stale"): string => {
  const keys: PhoneNumber["publicKeys"] = numbers.get(phoneNumberId)?.publicKeys ?? [];
  const key = keys.at(which === "current" ? -1 : -2);
  if (key === undefined) throw new Error(`${phoneNumberId} has no ${which} public key`);
  return key;
};

const post = async (
  url: string,
  body: string,
  headers: Record<string, string>,
  session: Session,
): Promise<FlowAnswer> => {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      contentType: answer.headers.get("content-type"),
      body: text,
      ...opened(session, text),
    };
  } catch (thrown) {
    return { status: null, contentType: null, body: "", fault: reasonOf(thrown) };
  }
};

const opened = (session: Session, text: string): Pick<FlowAnswer, "answer" | "fault"> => {
  try {
    return { answer: fieldsOf(JSON.parse(answered(session, text))) };
  } catch (thrown) {
    return { fault: reasonOf(thrown) };
  }
};
