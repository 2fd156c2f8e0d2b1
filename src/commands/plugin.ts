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

const add = command(
  {
    name: "plugin add",
    about: "install an adapter from an archive (.tgz) or a folder, and keep the version before",
    operands: ["FILE"],
    flags: {
      key: { value: "KEY", about: "minisign's public key, or its file: FILE.minisig must be a signature by it" },
      "no-test": { about: "do not test it against the laws of adapters" },
    },
  },
  async (context, { flags: { key, "no-test": isUntested }, operands: [file = ""] }) =>
    (await import("./plugins/packages.ts")).add(context, { source: resolve(file), key, isUntested }),
);

const rollback = command(
  { name: "plugin rollback", about: "bring back the version before of an adapter", operands: ["NAME"] },
  async (context, { operands: [name = ""] }) => (await import("./plugins/packages.ts")).rollback(context, name),
);

const remove = command(
  { name: "plugin remove", about: "remove an adapter, and its version before", operands: ["NAME"] },
  async (context, { operands: [name = ""] }) => (await import("./plugins/packages.ts")).removeAdapter(context, name),
);

/** Commands for channel adapters, and for their authors. None of them uses the database. */
export const pluginCommand = commandGroup(
  { name: "plugin", about: "list, install, write, check and test channel adapters" },
  { list, add, rollback, remove, new: make, check, test },
);
