import { type Tested, testAlerts } from "../core/alerts/sending.ts";
import { LOCAL } from "../core/tenancy/audit/audit.ts";
import { command, EXIT, JSON_FLAG } from "./command.ts";
import { onDatabase } from "./on-database.ts";
import { withConfig } from "./with-config.ts";

const shown = ({ way, isSent, reason }: Tested): string => (isSent ? `${way}: sent` : `${way}: not sent: ${reason}`);

/** `alerts test` sends a test message by every configured way. Works beside a running server, with its settings. */
export const alertsCommand = command(
  {
    name: "alerts",
    about: "send a test message to the operator's addresses; exit code 0 when all were sent, else 1",
    operands: ["test"],
    flags: { json: JSON_FLAG },
  },
  async (context, { flags: { json }, operands: [what] }) => {
    if (what !== "test") {
      context.err("recado alerts: use alerts test");
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      const sent = await onDatabase(config, {
        offline: (env) => testAlerts(env, LOCAL),
        served: async (ask) => (await ask("/alerts/test"))["sent"] as Tested[], // the server's own answer
      });
      if (json) context.out(JSON.stringify({ sent }));
      else for (const one of sent) context.out(shown(one));
      return sent.every(({ isSent }) => isSent) ? EXIT.ok : EXIT.fault;
    });
  },
);
