import { systemClock } from "../../kernel/clock.ts";
import { databaseLocation } from "../../setup.ts";
import { migrateStore } from "../../store/engine/open.ts";
import { command, EXIT, JSON_FLAG } from "../command.ts";
import { withConfig } from "../with-config.ts";

/** Applies the missing migrations without serving; refused while a server runs on the database. */
export const migrateCommand = command(
  { name: "migrate", about: "bring the database up to date without serving", flags: { json: JSON_FLAG } },
  (context, { flags }) =>
    withConfig(context, async (config) => {
      const { applied, total } = await migrateStore(databaseLocation(config), systemClock().now());
      if (flags.json) context.out(JSON.stringify({ applied, total }));
      else context.out(applied.length === 0 ? `up to date: ${total} migrations` : `applied ${applied.join(", ")}`);
      return EXIT.ok;
    }),
);
