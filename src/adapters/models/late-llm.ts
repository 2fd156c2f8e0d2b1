import type { Http } from "../../contract/ports/http.ts";
import type { Llm } from "../../contract/ports/llm.ts";
import { lazily } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";

/** Models are asked by accounts that have agents: what asks them is loaded with the first question. */
export const lateLlm = (http: Pick<Http, "guarded">, clock: Clock): Llm => {
  const made = lazily(async () => (await import("./llm.ts")).createLlm(http, clock));
  return {
    complete: async (order) => (await made()).complete(order),
    transcribe: async (order) => (await made()).transcribe(order),
    speak: async (order) => (await made()).speak(order),
    embed: async (order) => (await made()).embed(order),
  };
};
