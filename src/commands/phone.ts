import { command, commandGroup, EXIT, JSON_FLAG } from "./command.ts";
import { URL_FLAG } from "./remote.ts";
import { sendCommand } from "./send.ts";

// each command loads the client when it runs: the others start without it

const add = command(
  {
    name: "phone add",
    about: "make a phone; a phone that its owner's device links is linked at once",
    flags: {
      type: { value: "TYPE", about: "the kind of phone, as POST /v1/phones takes it" },
      label: { value: "LABEL", about: "a name for the account's own people" },
      credentials: { value: "FILE", about: "the credentials of an official number, as JSON; - reads stdin" },
      "no-link": { about: "do not go on to link" },
      url: URL_FLAG,
      json: { about: "print JSON, a line for each step" },
    },
  },
  async (context, { flags: { type, label, credentials, url, json, "no-link": isUnlinked } }) => {
    if (!type || !label) {
      context.err("recado phone add: use phone add --type TYPE --label LABEL");
      return EXIT.usage;
    }
    const { addPhone } = await import("./client/phones.ts");
    return addPhone(context, { url, json, type, label, credentials, isLinked: !isUnlinked });
  },
);

const link = command(
  {
    name: "phone link",
    about: "draw the QR code that links the owner's device, until the phone is connected",
    operands: ["ID"],
    flags: {
      code: { value: "NUMBER", about: "print a code to type on the device with this number, in place of a QR code" },
      url: URL_FLAG,
      json: { about: "print JSON, a line for each step" },
    },
  },
  async (context, { flags: { url, json, code }, operands: [id = ""] }) => {
    const { linkCommand } = await import("./client/link.ts");
    return linkCommand(context, { url, json, code, id });
  },
);

const list = command(
  {
    name: "phone list",
    about: "list the account's phones with their states",
    flags: { url: URL_FLAG, json: JSON_FLAG },
  },
  async (context, { flags }) => {
    const { listPhones } = await import("./client/phones.ts");
    return listPhones(context, flags);
  },
);

/** The phones of the account whose key is set. `phone send` is the same as `send`. */
export const phoneCommand = commandGroup(
  { name: "phone", about: "make, link and list the phones of an account, or send through one" },
  { add, link, list, send: sendCommand },
);
