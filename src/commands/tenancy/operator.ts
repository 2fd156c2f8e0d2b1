import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { createOperator, linkForOperator } from "../../core/tenancy/people/operators.ts";
import { iso } from "../../kernel/clock.ts";
import { ALWAYS_JSON_FLAG, command, EXIT } from "../command.ts";
import { onDatabase } from "../on-database.ts";
import { withConfig } from "../with-config.ts";

const USAGE = "recado operator: use operator create --email EMAIL --name NAME, or operator reset --email EMAIL";

/**
 * `operator create` makes a person who may do everything in the console, and prints a link by which they choose a
 * password. `operator reset` prints such a link for an operator who has lost the password or the phone: with the new
 * password their passkeys, codes and sessions end. The link works once, within an hour, and is not shown again. Works
 * beside a running server.
 */
export const operatorCommand = command(
  {
    name: "operator",
    about: "make an operator of the console, or a link by which one signs in anew",
    operands: ["create|reset"],
    flags: {
      email: { value: "EMAIL", about: "the operator's e-mail" },
      name: { value: "NAME", about: "with create: the operator's name" },
      json: ALWAYS_JSON_FLAG,
    },
  },
  async (context, { flags: { email, name }, operands: [verb] }) => {
    const isComplete = verb === "create" ? name : verb === "reset";
    if (!email || !isComplete) {
      context.err(USAGE);
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      const made = await onDatabase(config, {
        offline: async (env) => {
          const { expiresAt, ...rest } =
            verb === "create"
              ? await createOperator(env, LOCAL, { email, name: name ?? "" })
              : await linkForOperator(env, LOCAL, email);
          return { ...rest, expiresAt: iso(expiresAt) };
        },
        served: (ask) => (verb === "create" ? ask("/operators", { email, name }) : ask("/operators/reset", { email })),
      });
      context.out(JSON.stringify(made));
      return EXIT.ok;
    });
  },
);
