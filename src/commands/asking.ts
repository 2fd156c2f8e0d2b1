import type { Interface } from "node:readline/promises";

/** Asks the person at the terminal. The input is read from the first question on, until `close`. */
export const terminalAsking = () => {
  let lines: Interface | undefined;
  let hasEnded = false;
  return {
    async ask(question: string): Promise<string | undefined> {
      if (hasEnded) return undefined;
      const { createInterface } = process.getBuiltinModule("node:readline/promises");
      lines ??= createInterface({ input: process.stdin, output: process.stdout });
      const ended = new Promise<undefined>((resolve) => {
        lines?.once("close", () => {
          hasEnded = true;
          resolve(undefined);
        });
      });
      return Promise.race([lines.question(question), ended]);
    },
    close: () => lines?.close(),
  };
};
