import { command, EXIT } from "./command.ts";
import { URL_FLAG } from "./remote.ts";

/** Sends a message through a phone of the account whose key is set. */
export const sendCommand = command(
  {
    name: "send",
    about: "send a message: TEXT, the text on stdin for -, a file, or any other content",
    operands: ["[TEXT]"],
    flags: {
      phone: { value: "ID", about: "the phone that sends" },
      to: { value: "NUMBER", about: "who gets it: digits with the country code, or a chat of a group" },
      type: { value: "TYPE", about: "the type of the message, text by default; of a file what the file is" },
      content: { value: "JSON", about: "the content, as POST /v1/messages takes it for the type" },
      file: { value: "PATH", about: "upload this file and send it, with TEXT as its caption" },
      key: { value: "KEY", about: "the idempotency key: with the same key nothing is sent twice" },
      "dry-run": { about: "check everything and send nothing" },
      wait: { about: "end when the message is delivered, or with 1 when it has failed" },
      url: URL_FLAG,
      json: { about: "print JSON, a line for each step" },
    },
  },
  async (context, { flags, operands: [text] }) => {
    const { phone, to, content, file } = flags;
    const problem =
      !phone || !to
        ? "use send --phone ID --to NUMBER TEXT"
        : content !== undefined && (text !== undefined || file !== undefined)
          ? "--content is the whole content: leave TEXT and --file out"
          : content === undefined && text === undefined && file === undefined
            ? "there is nothing to send: name TEXT, --file or --content"
            : content !== undefined && flags.type === undefined
              ? "--content needs --type"
              : undefined;
    if (problem !== undefined || !phone || !to) {
      context.err(`recado send: ${problem}`);
      return EXIT.usage;
    }
    const { sendMessage } = await import("./client/send.ts");
    const { url, json, type, key, wait, "dry-run": isDry } = flags;
    return sendMessage(context, { url, json, phone, to, type, content, file, text, key, isDry, isWaiting: wait });
  },
);
