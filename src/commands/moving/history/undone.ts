import type { Config } from "../../../kernel/settings/config.ts";
import { ConfigFault } from "../../../setup.ts";
import { type CommandContext, EXIT } from "../../command.ts";
import { onDatabase } from "../../on-database.ts";
import { withConfig } from "../../with-config.ts";
import { faulty, problemOf } from "./reports.ts";
import { type HistoryPort, historyPortOn, historyPortThrough } from "./take.ts";

/** `requireDatabase` refuses a configuration without a database. */
type Given = { account: string | undefined; json: boolean; requireDatabase(config: Config): void };

/** Takes back the last import of messages, part after part. */
export const undone = (
  context: CommandContext,
  source: string | undefined,
  { account, json, requireDatabase }: Given,
): Promise<number> | number => {
  if (source !== undefined || account === undefined) {
    context.err("recado import: --undo takes no SOURCE; name the account with --account ID");
    return EXIT.usage;
  }
  return withConfig(context, async (config) => {
    requireDatabase(config);
    const all = { messages: 0, contacts: 0, conversations: 0, files: 0 };
    const run = async (port: HistoryPort): Promise<string | undefined> => {
      try {
        for (;;) {
          const { isDone, ...removed } = await port.undo(account);
          for (const name of ["messages", "contacts", "conversations", "files"] as const) all[name] += removed[name];
          if (isDone) return undefined;
          context.err(`${all.messages} messages removed so far`);
        }
      } catch (thrown) {
        if (thrown instanceof ConfigFault) throw thrown;
        return problemOf(thrown);
      }
    };
    const problem = await onDatabase(config, {
      offline: (env) => run(historyPortOn(env)),
      served: (ask, _, send) => run(historyPortThrough(ask, send)),
    });
    if (problem !== undefined) return faulty(context, problem);
    const { messages, contacts, conversations, files } = all;
    context.out(
      json
        ? JSON.stringify(all)
        : `removed: ${messages} messages, ${contacts} contacts, ${conversations} conversations${files > 0 ? `, ${files} files` : ""}`,
    );
    return EXIT.ok;
  });
};
