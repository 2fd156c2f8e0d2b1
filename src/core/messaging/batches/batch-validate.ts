import type { Found, LookupApi } from "../../../contract/abilities/lookup.ts";
import { isOpenState } from "../../../contract/events.ts";
import { recipientDigits } from "../../../kernel/numbers/phone-numbers.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { simulatedConnectionOf } from "../../channels/sandbox.ts";
import type { MessagingEnv } from "../env.ts";
import { isNumber } from "./batch-input.ts";

/** The maximum number of questions to a network that answers a few numbers at a time, because a client waits. */
const MAX_QUESTIONS = 10;

/** `unchecked`: the valid numbers without an answer of the network; absent if the network was not asked. */
export type Verdicts = {
  valid: string[];
  invalid: { number: string; reason: "invalid_format" | "not_on_network" }[];
  unchecked?: string[];
};

/**
 * Which of these numbers can be written to; the order and the repeats stay. Every number is checked by its form. The
 * network's answer counts too, if a connected channel can ask it.
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
  (isOpenState(channel.state) || (environment === "test" && simulatedConnectionOf(channel) !== undefined));

/** The known numbers, and the network's answers. A number whose answer would need a wait has no answer. */
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
