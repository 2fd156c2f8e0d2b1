import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import conformance from "../../../plugins/template/conformance.js" with { type: "text" };
import plugin from "../../../plugins/template/plugin.js" with { type: "text" };
import readme from "../../../plugins/template/README.md" with { type: "text" };
import { KIND_PATTERN } from "../../contract/kind.ts";
import { reasonOf } from "../../kernel/errors.ts";
import { NAME } from "../../loading/loader.ts";
import { type CommandContext, EXIT } from "../command.ts";

/** TABLE: the files of a new adapter. In their texts `@NAME@` and `@KIND@` stand for its words. */
const FILES: Readonly<Record<string, string>> = {
  "plugin.js": plugin,
  "conformance.js": conformance,
  "README.md": readme,
};

/** Writes a new adapter that keeps the laws into a folder of its name. Never changes a folder that is there. */
export const writeAdapter = (
  context: CommandContext,
  {
    name,
    kind = name.toUpperCase().replaceAll("-", "_"),
    dir,
  }: { name: string; kind: string | undefined; dir: string },
): number => {
  const faults = [
    ...(NAME.test(name) ? [] : ["NAME must be lower case letters, digits and -, a letter first, at most 32"]),
    ...(KIND_PATTERN.test(kind) ? [] : ["--kind must be 2 to 32 capital letters, digits and _, a letter first"]),
  ];
  if (faults.length > 0) {
    for (const fault of faults) context.err(`recado plugin new: ${fault}`);
    return EXIT.usage;
  }
  const folder = join(dir, name);
  if (existsSync(folder)) {
    context.err(`recado plugin new: ${folder} is there already`);
    return EXIT.fault;
  }
  try {
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(FILES))
      writeFileSync(join(folder, file), text.replaceAll("@NAME@", name).replaceAll("@KIND@", kind));
  } catch (thrown) {
    context.err(`recado plugin new: ${reasonOf(thrown)}`);
    return EXIT.fault;
  }
  context.out(`${folder} serves ${kind}. Next:`);
  context.out(`  recado plugin check ${folder}`);
  context.out(`  recado plugin test ${folder}`);
  return EXIT.ok;
};
