import { join, resolve } from "node:path";
import { type Library, librariesIn } from "./inside.ts";
import { legalTexts, type Part } from "./parts.ts";

const root = resolve(import.meta.dir, "../..");
const RULE = "=".repeat(100);

const read = async (path: string): Promise<string> => (await Bun.file(path).text()).trim();

const idOf = ({ name, version }: Part): string => `${name} ${version}`;

const listed = (parts: readonly Part[]): string => parts.map((part) => `  ${idOf(part)}: ${part.licence}`).join("\n");

/** Packages with the same text share it. */
const sharedTexts = async (parts: readonly Part[]): Promise<Map<string, Part[]>> => {
  const sharing = new Map<string, Part[]>();
  for (const part of parts)
    for (const text of await legalTexts(part)) sharing.set(text, [...(sharing.get(text) ?? []), part]);
  return sharing;
};

/** The libraries inside the packages of one kind: listed once, and not once per target. */
const librariesText = async (parts: readonly Part[], prefix: string): Promise<string> => {
  const part = parts.find(({ name }) => name.startsWith(prefix));
  const line = ({ name, version, licence }: Library): string =>
    `  ${[name, version].filter(Boolean).join(" ")}: ${licence ?? "see its package"}`;
  return part ? (await librariesIn(part)).map(line).join("\n") : "";
};

/** One text with the licences of everything inside the binaries: the packages of each licence, and its words. */
export const licencesText = async (parts: readonly Part[]): Promise<string> => {
  const shared = [...(await sharedTexts(parts))].map(([text, sharing]) => `${sharing.map(idOf).join(", ")}\n\n${text}`);
  const lesser = await Promise.all(
    ["LGPL-2", "LGPL-2.1", "LGPL-3"].map((name) => read(join(import.meta.dir, "licences", `${name}.txt`))),
  );
  const sections = [
    `${await read(join(root, "NOTICE"))}\n\nThe text of the GPL-3.0 stands below, under libsignal.`,
    `What is inside the binaries, and the licence that each package declares\n\n${listed(parts)}`,
    `Libraries inside Bun\n\n${await librariesText(parts, "@oven/bun-")}\n\nBun's sources, and how it is linked anew with another JavaScriptCore: https://github.com/oven-sh/bun/blob/main/LICENSE.md`,
    `Libraries inside @img/sharp-libvips, whose sources are at https://github.com/lovell/sharp-libvips\n\n${await librariesText(parts, "@img/sharp-libvips-")}`,
    `Recado\n\n${await read(join(root, "LICENSE"))}`,
    ...shared,
    ...lesser,
  ];
  return `${sections.join(`\n\n${RULE}\n\n`)}\n`;
};
