import { command, commandGroup, EXIT, JSON_FLAG } from "./command.ts";
import { URL_FLAG } from "./remote.ts";

const NUMBER = /^\d{1,9}$/;

const isSwitch = (word: string | undefined): boolean => word === undefined || word === "on" || word === "off";
/** Undefined for a switch that was not given: it stays as it is. */
const isOn = (word: string | undefined): boolean | undefined => (word === undefined ? undefined : word === "on");

const chatwoot = command(
  {
    name: "connect chatwoot",
    about: "make an inbox in a Chatwoot and keep it in step with a phone",
    flags: {
      phone: { value: "ID", about: "the phone" },
      chatwoot: { value: "URL", about: "the address of the Chatwoot" },
      account: { value: "NUMBER", about: "the number of the account there, as in the address of its pages" },
      token: { value: "FILE", about: "a file with the access token of an administrator there; - reads stdin" },
      inbox: { value: "NAME", about: "the name of the inbox; by default the phone's" },
      days: { value: "NUMBER", about: "import the messages of so many days first" },
      read: { value: "on|off", about: "mark as read at the network what agents have seen" },
      typing: { value: "on|off", about: "show agents and people that the other one types" },
      batches: { value: "on|off", about: "let the messages of batches begin conversations" },
      url: URL_FLAG,
      json: JSON_FLAG,
    },
  },
  async (context, { flags }) => {
    const { phone, chatwoot: address, account, token, inbox, days, url, json, read, typing, batches } = flags;
    const isComplete = phone && address && account && token;
    if (!isComplete || !NUMBER.test(account) || !NUMBER.test(days ?? "0")) {
      context.err("recado connect chatwoot: use --phone ID --chatwoot URL --account NUMBER --token FILE");
      return EXIT.usage;
    }
    if (![read, typing, batches].every(isSwitch)) {
      context.err("recado connect chatwoot: --read, --typing and --batches are on or off");
      return EXIT.usage;
    }
    const { connectChatwoot } = await import("./client/chatwoot.ts");
    const importDays = days === undefined ? undefined : Number(days);
    return connectChatwoot(context, {
      url,
      json,
      phone,
      address,
      account: Number(account),
      token,
      inbox,
      importDays,
      markRead: isOn(read),
      typing: isOn(typing),
      batches: isOn(batches),
    });
  },
);

/** Programs that a phone is connected with. */
export const connectCommand = commandGroup(
  { name: "connect", about: "connect a phone with a program of others, such as Chatwoot" },
  { chatwoot },
);
