import { untilTrue } from "../../../support/waiting.ts";
import { addWabaNumber } from "../../../support/world.ts";
import type { People } from "./people.ts";
import { ask, type ConsoleServer } from "./server.ts";

/** A little of everything that an account has. */
export type Seeds = {
  /** A connected phone. */
  phoneId: string;
  /** Its number, as the simulator gives it. */
  number: string;
  /** Messages that the simulated network took, delivered and read. */
  messageIds: string[];
};

/** Texts that attack a page: HTML, marks of the other direction, no blank, emoji alone. */
export const HOSTILE = {
  html: `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`,
  rtl: "\u202Eمرحبا\u202C ‏abc\u200F",
  long: "x".repeat(4000),
  emoji: "🎂🥐🍞👩‍👩‍👧‍👦🇧🇷",
} as const;

/** A call of the gateway API with the key of these people. */
export const gatewayOf =
  ({ gatewayUrl }: ConsoleServer, { key }: Pick<People, "key">) =>
  (path: string, body?: unknown, method?: string): Promise<any> =>
    ask(`${gatewayUrl}/v1/${path}`, {
      headers: { "x-api-key": key },
      ...(body ? { body } : {}),
      ...(method ? { method } : {}),
    });

/** What a new phone is: one of the simulator's, or an official number that the simulated network knows. */
const phoneFor = ({ graph }: ConsoleServer): object => {
  if (!graph) return { type: "SESSION", label: "Balcão" };
  const { number: _, ...credentials } = addWabaNumber(graph);
  return { type: "WABA", label: "Balcão", credentials };
};

/** Connects a simulated phone and sends a few texts, some of which attack the pages. */
export const seedAccount = async (server: ConsoleServer, people: Pick<People, "key">): Promise<Seeds> => {
  const gateway = gatewayOf(server, people);
  const { id: phoneId } = await gateway("phones", phoneFor(server));
  await untilTrue(async () => (await gateway(`phones/${phoneId}`)).status === "CONNECTED");
  const { phoneNumber } = await gateway(`phones/${phoneId}`);
  const messageIds: string[] = [];
  for (const [index, text] of ["Olá! Seu pedido saiu.", ...Object.values(HOSTILE)].entries()) {
    const to = `551199990000${index + 2}`;
    const sent = await gateway("messages", { phoneId, to, type: "text", content: { text } });
    messageIds.push(sent.messageId);
  }
  return { phoneId, number: phoneNumber, messageIds };
};
