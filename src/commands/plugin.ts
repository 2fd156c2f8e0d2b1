import { resolve } from "node:path";
import { command, commandGroup, JSON_FLAG } from "./command.ts";

// each command loads its parts when it runs: the others start without them

const list = command(
  { name: "plugin list", about: "list the adapters of the plugin folder", flags: { json: JSON_FLAG } },
  async (context, { flags: { json } }) => (await import("./plugins/checking.ts")).list(context, json),
);

const make = command(
  {
    name: "plugin new",
    about: "write a small adapter that works, with its simulated network: begin yours from it",
    operands: ["NAME"],
    flags: {
      kind: { value: "KIND", about: "the kind of channel that clients name; default: the name in capitals" },
      dir: { value: "FOLDER", about: "where its folder is made; default: the working directory" },
    },
  },
  async (context, { flags: { kind, dir = "." }, operands: [name = ""] }) =>
    (await import("./plugins/new.ts")).writeAdapter(context, { name, kind, dir: resolve(dir) }),
);

const check = command(
  {
    name: "plugin check",
    about: "load one adapter as the server would, and print everything that is wrong with it",
    operands: ["FOLDER"],
    flags: { json: JSON_FLAG },
  },
  async (context, { flags: { json }, operands: [folder = ""] }) =>
    (await import("./plugins/checking.ts")).check(context, resolve(folder), json),
);

const test = command(
  {
    name: "plugin test",
    about: "test one adapter against the laws of adapters, with the simulated network beside it",
    operands: ["FOLDER"],
    flags: { json: JSON_FLAG },
  },
  async (context, { flags: { json }, operands: [folder = ""] }) =>
    (await import("./plugins/checking.ts")).examine(context, resolve(folder), json),
);

/** Commands for channel adapters, and for their authors. None of them uses the database. */
export const pluginCommand = commandGroup(
  { name: "plugin", about: "list, write, check and test channel adapters" },
  { list, new: make, check, test },
);
