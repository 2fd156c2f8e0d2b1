import { serverOf } from "../doctor/server.ts";
import { command, EXIT } from "./command.ts";
import { withConfig } from "./with-config.ts";

/**
 * Asks the server of this data directory whether it is ready, as the health check of a container does. Exit code 1
 * while no server runs, does not answer or is not ready.
 */
export const healthCommand = command(
  { name: "health", about: "ask the running server whether it is ready; exit code 1 when it is not" },
  (context) =>
    withConfig(context, async (config) => {
      const running = await serverOf(config);
      if (running?.health.ok) {
        context.out("the server is ready");
        return EXIT.ok;
      }
      context.err(`recado health: ${saidOf(running?.health)}`);
      return EXIT.fault;
    }),
);

const saidOf = (health: { ok: false; reason: string } | undefined): string =>
  health === undefined ? "no server runs on this data directory" : `the server ${health.reason}`;
