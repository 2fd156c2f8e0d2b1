import { type CommandContext, EXIT } from "../command.ts";
import { InputFault, withClient } from "./connected.ts";
import { readText } from "./input.ts";

export type ConnectOptions = {
  url: string | undefined;
  json: boolean;
  phone: string;
  /** The address of the Chatwoot. */
  address: string;
  account: number;
  /** The file with the access token; `-` is stdin: other users of the machine can read command lines. */
  token: string;
  inbox: string | undefined;
  importDays: number | undefined;
  markRead: boolean | undefined;
  typing: boolean | undefined;
  batches: boolean | undefined;
};

/** `recado connect chatwoot`. */
export const connectChatwoot = (context: CommandContext, options: ConnectOptions): Promise<number> =>
  withClient(context, { name: "connect chatwoot", url: options.url }, async ({ recado }) => {
    const { json, phone, address, account, inbox, importDays, markRead, typing, batches } = options;
    const token = (await readText(options.token)).trim();
    if (token === "") throw new InputFault("the file has no token");
    const made = await recado.phones.setChatwoot(phone, {
      url: address,
      chatwootAccountId: account,
      token,
      ...(inbox === undefined ? {} : { inboxName: inbox }),
      ...(importDays === undefined ? {} : { importDays }),
      ...(markRead === undefined ? {} : { markRead }),
      ...(typing === undefined ? {} : { typing }),
      ...(batches === undefined ? {} : { batches }),
    });
    if (json) context.out(JSON.stringify(made));
    else {
      context.out(`${made.inboxName}: ${made.url}/app/accounts/${made.chatwootAccountId}/inbox/${made.inboxId}`);
      if (made.state === "IMPORTING") context.out(`the messages of ${made.importDays} days are imported`);
    }
    return EXIT.ok;
  });
