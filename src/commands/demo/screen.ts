import { qrTerminal } from "../../apis/shared/qr.ts";
import type { CommandContext } from "../command.ts";

/**
 * Where QR codes are shown: each drawn in the place of the one before in a terminal, and elsewhere written as the text
 * that it stands for.
 */
export type Screen = {
  /** Showing the same code again changes nothing. */
  show(qr: string): Promise<void>;
  /** A line below the code, which in a terminal goes with it. Saying the same again changes nothing. */
  say(line: string): void;
};

export const createScreen = ({ out, isTerminal }: Pick<CommandContext, "out" | "isTerminal">): Screen => {
  let shown: string | undefined;
  let said: string | undefined;
  let height = 0;
  const print = (text: string) => {
    out(text);
    height += text.split("\n").length;
  };

  return {
    async show(qr) {
      if (qr === shown) return;
      shown = qr;
      said = undefined;
      if (!isTerminal) return out(`  QR code      ${qr}`);
      const picture = await qrTerminal(qr);
      const erased = height > 0 ? `\u001b[${height}A\u001b[J` : "";
      height = 0;
      print(erased + picture);
    },
    say(line) {
      if (line !== said) print(line);
      said = line;
    },
  };
};
