import type { HttpResult } from "../../../contract/ports/http.ts";
import { iso, SECOND_MS } from "../../../kernel/clock.ts";
import type { ChannelId, MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Json } from "../../../kernel/texts/json.ts";
import type { ToolCallRow, ToolRow } from "../../../store/tables/ai/tools.ts";
import { contactOfKey } from "../../domain-event.ts";
import { ownHeaders } from "../../events/own-headers.ts";
import type { AiEnv } from "../env.ts";
import { fitted } from "../words.ts";
import { secretRow, toolHeaders } from "./tool-secrets.ts";

/** The turn that a call is made for. The server sets all of it; a model names none. */
export type CalledFor = {
  tenantId: TenantId;
  channelId: ChannelId;
  contactKey: string;
  conversationId: string | null;
  messageId: MessageId | null;
};

/** The contact of a test: a number that no person has. */
export const NOBODY = "pn:5500000000000";

/** `id`: the same for a repeat of the call. `isTest`: the owner made it, for no contact's message. */
export type HttpToolCall = { id: string; given: Json; about: CalledFor; isTest: boolean };

/** What became of a call, and what the model is told. */
export type Called = Pick<ToolCallRow, "outcome" | "answer" | "httpStatus" | "durationMs">;

const TIMEOUT_MS = 10 * SECOND_MS;
const MAX_ANSWER_BYTES = 32 * 1024;
/** The longest text of an answer that a model gets, in code points. */
const MAX_POINTS = 8000;

type Asked = { url: string; headers: Record<string, string>; body: string };

/** The request of a call, signed like the deliveries of webhooks. */
const requestOf = (env: AiEnv, tool: ToolRow, { id, given, about, isTest }: HttpToolCall): Asked => {
  const { pn } = contactOfKey(about.contactKey);
  const body = JSON.stringify({
    id,
    type: "tool.call",
    accountId: about.tenantId,
    phoneId: about.channelId,
    timestamp: iso(env.clock.now()),
    data: {
      tool: tool.name,
      arguments: given,
      contact: { key: about.contactKey, phoneNumber: pn },
      conversationId: about.conversationId,
      messageId: about.messageId,
      isTest,
    },
  });
  const headers = {
    ...ownHeaders(env, toolHeaders(tool)),
    ...env.signed({ id, body, secret: env.secrets.open(secretRow(tool.id), tool.secret) }),
    "Idempotency-Key": id,
    ...(isTest ? { "X-Gateway-Test": "true" } : {}),
  };
  return { url: tool.url, headers, body };
};

/**
 * Calls an HTTP tool once. The address is guarded, no redirect is followed, and the answer is bounded. The tool's
 * secrets are in nothing that the answer repeats of them.
 */
export const callHttpTool = async (env: AiEnv, tool: ToolRow, call: HttpToolCall): Promise<Called> => {
  const result = await env.http.to("tool").guarded({
    ...requestOf(env, tool, call),
    method: "POST",
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    isRepeatable: true,
  });
  const secrets = [
    env.secrets.open(secretRow(tool.id), tool.secret),
    ...Object.values(ownHeaders(env, toolHeaders(tool))),
  ];
  return {
    ...toldBy(result, secrets),
    httpStatus: result.ok ? result.status : null,
    durationMs: Math.round(result.durationMs),
  };
};

type Told = Pick<Called, "outcome" | "answer">;

const failed = (answer: string): Told => ({ outcome: "FAILED", answer });

/** What the model is told of the result of a request. */
const toldBy = (result: HttpResult, secrets: readonly string[]): Told => {
  if (!result.ok) {
    const doubt = result.mayHaveArrived ? " Nobody knows whether it did its work: do not say that it did." : "";
    return failed(`The tool did not answer (${result.failure}).${doubt}`);
  }
  const { status } = result;
  if (status >= 300 && status < 400) return failed(`The tool answered HTTP ${status}, a redirect: it is not followed.`);
  if (status < 200 || status >= 500) return failed(`The tool failed with HTTP ${status}.`);
  const text = answerText(result, secrets);
  if (typeof text !== "string") return text;
  if (status < 300) return { outcome: "ANSWERED", answer: text.trim() === "" ? "Done; the tool said no more." : text };
  return { outcome: "REFUSED", answer: `The tool refused with HTTP ${status}: ${text}` };
};

const PAGE = /^\s{0,200}<(?:!doctype|html)\b/i;

/** The text of an answer without secrets; a page of HTML is made for people, and bytes are no text. */
const answerText = (
  { body, headers, isCut }: Extract<HttpResult, { ok: true }>,
  secrets: readonly string[],
): string | Told => {
  let text: string;
  try {
    // a cut answer may end within a character
    text = new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: isCut });
  } catch {
    return failed("The tool's answer is no text in UTF-8.");
  }
  if (/^text\/html\b/i.test(headers["content-type"] ?? "") || PAGE.test(text))
    return failed("The tool answered with a page of HTML instead of data.");
  const clean = withoutSecrets(text.replaceAll("\0", "").toWellFormed(), secrets); // before a cut may leave a part of one
  const kept = fitted(clean, { points: MAX_POINTS });
  return kept.length < clean.length || isCut ? `${kept}\n[the rest of the answer was too long]` : kept;
};

/** The shortest secret that is like no word. */
const LEAST_SECRET = 4;

/** A character, or its spelling within JSON: servers escape quotation marks, `/`, `+` or all that is not ASCII. */
const SPELLED = /\\(?:u[\da-fA-F]{4}|["\\/bfnrt])|[^]/g;

/** TABLE: the letters of JSON's escapes that do not stand for themselves. */
const LETTERS: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const unitOf = (spelled: string): string => {
  if (spelled.length === 1) return spelled;
  const [, letter = ""] = spelled;
  return letter === "u" ? String.fromCharCode(Number.parseInt(spelled.slice(2), 16)) : (LETTERS[letter] ?? letter);
};

/** A text without secrets that JSON spells in another way. Takes linear time. */
const withoutSpelled = (text: string, secrets: readonly string[]): string => {
  if (!text.includes("\\")) return text;
  const spelled: string[] = text.match(SPELLED) ?? [];
  let units = spelled.map(unitOf).join("");
  for (const secret of secrets)
    units = units.replaceAll(secret, (found, at: number) => {
      spelled.fill("", at, at + found.length)[at] = "***";
      return "\0".repeat(found.length);
    });
  return spelled.join("");
};

/** A text without secrets. The longest goes first: one may be part of another. */
const withoutSecrets = (text: string, own: readonly string[]): string => {
  const secrets = own
    .flatMap((secret) => [secret, secret.replace(/^(?:bearer|basic|token)\s+/i, "")])
    .filter(({ length }) => length >= LEAST_SECRET)
    .toSorted((one, other) => other.length - one.length);
  const hidden = secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text);
  return withoutSpelled(hidden, secrets);
};
