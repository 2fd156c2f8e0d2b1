import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { createUser, linkForReset } from "../../core/tenancy/sign-in/recovery.ts";
import { iso } from "../../kernel/clock.ts";
import { ALWAYS_JSON_FLAG, command, EXIT } from "../command.ts";
import { onDatabase } from "../on-database.ts";
import { withConfig } from "../with-config.ts";

const USAGE = "recado user: use user reset --email EMAIL, or user create --email EMAIL --name NAME --institution NAME";

/**
 * `user reset` prints a link with which a user of the platform sets a new password. `user create` makes a user with an
 * institution and prints such a link. The link works once, within an hour, and is not shown again. Works beside a
 * running server.
 */
export const userCommand = command(
  {
    name: "user",
    about: "make a link by which a user chooses a new password, or make a user",
    operands: ["reset|create"],
    flags: {
      email: { value: "EMAIL", about: "the user's e-mail" },
      name: { value: "NAME", about: "with create: the user's name" },
      institution: { value: "NAME", about: "with create: the name of the user's institution" },
      json: ALWAYS_JSON_FLAG,
    },
  },
  async (context, { flags: { email, name, institution }, operands: [verb] }) => {
    const isComplete = verb === "create" ? name && institution : verb === "reset";
    if (!email || !isComplete) {
      context.err(USAGE);
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      const made = await onDatabase(config, {
        offline: async (env) => {
          const { expiresAt, ...rest } =
            verb === "create"
              ? await createUser(env, LOCAL, { email, name: name ?? "", institutionName: institution ?? "" })
              : await linkForReset(env, LOCAL, email);
          return { ...rest, expiresAt: iso(expiresAt) };
        },
        served: (ask) =>
          verb === "create"
            ? ask("/users", { email, name, institutionName: institution })
            : ask("/users/reset", { email }),
      });
      context.out(JSON.stringify(made));
      return EXIT.ok;
    });
  },
);
