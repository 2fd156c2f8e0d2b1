import { serverOf } from "../../doctor/server.ts";
import { command, EXIT } from "../command.ts";
import { withConfig } from "../with-config.ts";

/**
 * Asks the server of this data directory whether it is ready, as the health check of a container does. Exit code 1
 * while no server runs, does not answer or is not ready.
 */
export const healthCommand = command(
  { name: "health", about: "ask the running server whether it is ready; exit code 1 when it is not" },
  (context) =>
    withConfig(context, async (config) => {
      const health = (await serverOf(config))?.health;
      if (health?.ok) {
        context.out("the server is ready");
        return EXIT.ok;
      }
      const reason = health ? `the server ${health.reason}` : "no server runs on this data directory";
      context.err(`recado health: ${reason}`);
      return EXIT.fault;
    }),
);
