import { command, EXIT } from "../command.ts";

/** Shows a message from the request to its webhooks, on the simulator or through the operator's phone. */
export const demoCommand = command(
  {
    name: "demo",
    about: "show a message from request to webhooks, without a phone or an account; with --session through your phone",
    flags: {
      session: { about: "link your phone by the QR code that is shown" },
      to: { value: "NUMBER", about: "with --session: write to this number once the phone is linked" },
      once: { about: "end after the first round trip; with --session: once the number has answered" },
    },
  },
  async (context, { flags: { session, to, once } }) => {
    const problem = problemWith({ isSession: session, to, isOnce: once });
    if (problem !== undefined) {
      context.err(`recado demo: ${problem}`);
      return EXIT.usage;
    }
    // what writes the client's generated part must start while that part is missing or wrong
    if (session) return (await import("./session.ts")).sessionDemo(context, { to, isOnce: once });
    return (await import("./simulated.ts")).simulatedDemo(context, { isOnce: once });
  },
);

const problemWith = ({
  isSession,
  to,
  isOnce,
}: {
  isSession: boolean;
  to: string | undefined;
  isOnce: boolean;
}): string | undefined => {
  if (!isSession)
    return to === undefined ? undefined : "--to needs --session: a simulated phone writes to no real number";
  return isOnce && to === undefined
    ? "--once with --session needs --to: without a number no person can answer"
    : undefined;
};
