import { erasePerson } from "../../core/people/erase.ts";
import { exportPerson } from "../../core/people/export.ts";
import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { ALWAYS_JSON_FLAG, type CommandContext, command, EXIT } from "../command.ts";
import { type OpenOnServer, onDatabase } from "../on-database.ts";
import { withConfig } from "../with-config.ts";

type Asked = { person: string; accountId: string | undefined };

const inCore = ({ person, accountId }: Asked) => ({ person, tenantId: accountId as TenantId | undefined });

/** Prints a stream of text line by line, without keeping all of it in memory. */
const linesFrom = async (pieces: AsyncIterable<string>, out: CommandContext["out"]): Promise<void> => {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(out);
  }
  if (rest !== "") out(rest);
};

const textOf = async function* (open: OpenOnServer, path: string, asked: object): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const body: ReadableStream<Uint8Array> | null = (await open(path, asked)).body;
  for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
};

/**
 * `person export|erase --person KEY` prints or erases all stored data of one person. Works beside a running server.
 * Without a server, an erasure begins when one starts.
 */
export const personCommand = command(
  {
    name: "person",
    about: "export or erase all that is stored of one person; exit code 0 when it was done or has begun, else 1",
    operands: ["export|erase"],
    flags: {
      person: { value: "KEY", about: "number, LID, user id, @username or canonical key such as pn:5511999990001" },
      account: { value: "ID", about: "only what this account or institution has of them" },
      json: ALWAYS_JSON_FLAG,
    },
  },
  async (context, { flags: { person, account }, operands: [verb] }) => {
    if ((verb !== "export" && verb !== "erase") || !person) {
      context.err("recado person: use person export --person KEY, or person erase --person KEY");
      return EXIT.usage;
    }
    const asked: Asked = { person, accountId: account };
    return withConfig(context, async (config) => {
      const path = `/people/${verb}`;
      await onDatabase(config, {
        offline: async (env) => {
          if (verb === "export") return linesFrom(await exportPerson(env, LOCAL, inCore(asked)), context.out);
          const { id } = await erasePerson(env, LOCAL, inCore(asked));
          context.out(JSON.stringify({ id, status: "RUNNING", note: "it begins when the server starts" }));
        },
        served: (_ask, open) => linesFrom(textOf(open, path, asked), context.out),
      });
      return EXIT.ok;
    });
  },
);
