import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { renewAdminToken } from "../../core/tenancy/keys/admin-token.ts";
import { command, EXIT, JSON_FLAG } from "../command.ts";
import { onDatabase } from "../on-database.ts";
import { withConfig } from "../with-config.ts";

/**
 * `admin token` makes and prints an admin token, which is not shown again. The previous token becomes void. Works
 * beside a running server.
 */
export const adminCommand = command(
  {
    name: "admin",
    about: "make a new admin token, which voids the one made before",
    operands: ["token"],
    flags: { json: JSON_FLAG },
  },
  async (context, { flags: { json }, operands: [what] }) => {
    if (what !== "token") {
      context.err("recado admin: use admin token");
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      const token = await onDatabase(config, {
        offline: (env) => renewAdminToken(env, LOCAL),
        served: async (ask) => String((await ask("/token"))["token"]),
      });
      context.out(json ? JSON.stringify({ token }) : token);
      return EXIT.ok;
    });
  },
);
