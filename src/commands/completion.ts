import { type Command, command, EXIT } from "./command.ts";
import { SHELLS } from "./completion-scripts.ts";

/** Prints the completions of a shell for `recado`, made from the table of commands. */
export const completionCommand = (table: () => Promise<Readonly<Record<string, Command>>>): Command =>
  command(
    {
      name: "completion",
      about: "print a script by which a shell completes the words of this program",
      operands: [Object.keys(SHELLS).join("|")],
    },
    async ({ out, err }, { operands: [shell = ""] }) => {
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (!script) {
        err(`recado completion: expects ${Object.keys(SHELLS).join(", ")}, got ${shell}`);
        return EXIT.usage;
      }
      out(script(await table()));
      return EXIT.ok;
    },
  );
