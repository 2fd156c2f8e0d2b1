import { type Child, startChild } from "./process.ts";
import { answerOf } from "./recado.ts";

/** The addresses of the simulated network of WhatsApp Web. `control`: the address that takes orders. */
export type NetworkAddress = { url: string; root: string; control: string };

/** Some of its figures about its clients. */
export type NetworkStat = { logins: number; stanzas: Record<string, number>; unhandled: string[]; refused: string[] };

/** Gives the network an order. @throws if it refuses. */
export const callNetwork = async <Result = unknown>(
  { control }: Pick<NetworkAddress, "control">,
  operation: string,
  args: object = {},
): Promise<Result> => {
  const { result } = await answerOf<{ result: Result }>(`${control}/_sim/${operation}`, {
    method: "POST",
    body: JSON.stringify(args),
  });
  return result;
};

/** It runs in a process of its own. */
export const startNetwork = async (): Promise<{ child: Child; place: NetworkAddress }> => {
  const child = await startChild("test/support/whatsapp/main.ts");
  return { child, place: child.ready as NetworkAddress };
};
