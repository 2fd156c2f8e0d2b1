import { type Child, startChild } from "./process.ts";
import { answerOf } from "./recado.ts";

/** Where the simulated network of WhatsApp Web is. `control`: the address that takes orders. */
export type NetworkAddress = { url: string; root: string; control: string };

/** Some of the figures that it counts of its clients. */
export type NetworkStat = { logins: number; stanzas: Record<string, number>; unhandled: string[]; refused: string[] };

/** Orders something from the network. @throws where it refuses. */
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
