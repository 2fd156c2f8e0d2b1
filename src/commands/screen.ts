import { qrTerminal } from "../apis/shared/qr.ts";
import type { CommandContext } from "./command.ts";

/** Shows QR codes: in a terminal each replaces the previous one; elsewhere the text of the code is written. */
export type Screen = {
  /** Shows a code. Does nothing if the code is already shown. */
  show(qr: string): Promise<void>;
  /** Prints a line below the code; in a terminal the next code replaces it. Does nothing when it is repeated. */
  say(line: string): void;
};

export const createScreen = ({ out, isTerminal }: Pick<CommandContext, "out" | "isTerminal">): Screen => {
  let shown: string | undefined;
  let lastLine: string | undefined;
  let height = 0;
  const print = (text: string) => {
    out(text);
    height += text.split("\n").length;
  };

  return {
    async show(qr) {
      if (qr === shown) return;
      shown = qr;
      lastLine = undefined;
      if (!isTerminal) return out(`  QR code      ${qr}`);
      const picture = await qrTerminal(qr);
      const erased = height > 0 ? `\u001b[${height}A\u001b[J` : "";
      height = 0;
      print(erased + picture);
    },
    say(line) {
      if (line !== lastLine) print(line);
      lastLine = line;
    },
  };
};
