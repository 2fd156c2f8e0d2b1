import type { Found, LookupApi } from "../../contract/lookup.ts";
import { recipientDigits } from "../../kernel/phone-numbers.ts";
import type { ChannelRow } from "../../store/channels.ts";
import type { Environment } from "../../store/keys.ts";
import { simulatedConnectionOf } from "../channels/sandbox.ts";
import { isNumber } from "./bulk-input.ts";
import type { MessagingEnv } from "./env.ts";

/** A network that answers a few numbers at a time is asked so often at most, for somebody waits. */
const MAX_QUESTIONS = 10;

/** `unchecked`: the valid ones of which the network said nothing; absent where none was asked. */
export type Verdicts = {
  valid: string[];
  invalid: { number: string; reason: "invalid_format" | "not_on_network" }[];
  unchecked?: string[];
};

/**
 * Which of these could be written to, each as often and in the order as given: by its form, and where a channel is
 * named that can be asked and is connected as its caller sees it, by whether its network has it.
 */
export const validateNumbers = async (
  env: MessagingEnv,
  numbers: readonly string[],
  channel: ChannelRow | undefined,
  environment: Environment,
): Promise<Verdicts> => {
  const lookup =
    channel && isAsked(env, channel, environment) ? env.supervisor.linkOf(channel, environment)?.lookup : undefined;
  const found = lookup && (await ask(lookup, [...new Set(numbers.map(recipientDigits).filter(isNumber))]));
  const verdicts: Verdicts = { valid: [], invalid: [], ...(found ? { unchecked: [] } : {}) };
  for (const number of numbers) {
    const digits = recipientDigits(number);
    if (!isNumber(digits)) verdicts.invalid.push({ number, reason: "invalid_format" });
    else if (found?.get(digits)?.exists === false) verdicts.invalid.push({ number, reason: "not_on_network" });
    else {
      verdicts.valid.push(number);
      if (found?.has(digits) === false) verdicts.unchecked?.push(number);
    }
  }
  return verdicts;
};

const isAsked = ({ registry }: MessagingEnv, channel: ChannelRow, environment: Environment): boolean =>
  registry.declared(channel.kind)?.capabilities.lookups === true &&
  (channel.state === "CONNECTED" || (environment === "test" && simulatedConnectionOf(channel) !== undefined));

/** What is known of them, and what the network says now; nothing of those for which it has somebody wait. */
const ask = async (lookup: LookupApi, numbers: readonly string[]): Promise<Map<string, Found>> => {
  const found = new Map(await lookup.known(numbers));
  for (let questions = 0; questions < MAX_QUESTIONS; questions++) {
    const unknown = numbers.filter((number) => !found.has(number));
    const said = unknown.length > 0 ? await lookup.find(unknown) : undefined;
    if (!said?.ok || said.value.size === 0) break;
    for (const [number, one] of said.value) found.set(number, one);
  }
  return found;
};
