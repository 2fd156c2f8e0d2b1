import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { filesOfArchive, filesOfFolder, type PackageFiles } from "../../../src/commands/plugins/archive.ts";
import { isSignedBy } from "../../../src/commands/plugins/signature.ts";
import { minisignKey } from "../../support/files/minisign.ts";
import { type TarEntry, tarGz } from "../../support/files/tar.ts";

const textsOf = (files: PackageFiles) => [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]);
const PLUGIN: TarEntry = { path: "package/plugin.js", text: "export default {};" };

test("the files of an archive are found below its one folder, with long names of both forms", () => {
  const long = `${"a".repeat(120)}/b.js`;
  const pax = (path: string) => {
    const record = ` path=${path}\n`;
    const length = [2, 3]
      .map((digits) => record.length + digits)
      .find((one, place) => String(one).length === place + 2);
    return `${length}${record}`;
  };
  const files = filesOfArchive(
    tarGz([
      { path: "package/", type: "5" },
      PLUGIN,
      { path: "c.js", prefix: "package/lib", text: "c" },
      { path: "x", type: "x", text: pax(`package/${long}`) },
      { path: "short", text: "b" },
      { path: "x", type: "g", text: "ignored" },
      { path: "x", type: "L", text: "package/gnu.js\0" },
      { path: "short", text: "g" },
    ]),
  );
  expect(textsOf(files)).toEqual([
    ["plugin.js", "export default {};"],
    ["lib/c.js", "c"],
    [long, "b"],
    ["gnu.js", "g"],
  ]);
  expect(
    textsOf(
      filesOfArchive(
        tarGz([
          { path: "./plugin.js", text: "p" },
          { path: "lib/a.js", text: "a" },
        ]),
      ),
    ),
  ).toEqual([
    ["plugin.js", "p"],
    ["lib/a.js", "a"],
  ]);
});

test.each<[string, TarEntry[], string]>([
  ["a path that leads out", [{ path: "package/../../evil.js" }], "which is not installed"],
  ["an absolute path", [{ path: "/etc/cron.d/evil" }], "which is not installed"],
  ["a path with a backslash", [{ path: "package\\..\\evil.js" }], "which is not installed"],
  ["a path with a line break", [{ path: "package/a\nb" }], "which is not installed"],
  [
    "a path that leads out by a long name",
    [{ path: "x", type: "L", text: "../evil.js" }, PLUGIN],
    "which is not installed",
  ],
  ["an empty path", [{ path: "./" }], "which is not installed"],
  ["a symbolic link", [{ path: "package/link", type: "2" }], "which is no file and no folder"],
  ["a hard link", [{ path: "package/link", type: "1" }], "which is no file and no folder"],
  ["a device", [{ path: "package/null", type: "3" }], "which is no file and no folder"],
  ["a file twice", [PLUGIN, PLUGIN], "twice"],
  ["a file larger than the archive", [{ path: "package/plugin.js", size: "00000777777\0" }], "ends too early"],
  ["a size that is no number", [{ path: "package/plugin.js", size: "-0000000001\0" }], "no archive of tar"],
  [
    "too many files",
    Array.from({ length: 5001 }, (_, place) => ({ path: `package/${place}.js` })),
    "more than 5000 files",
  ],
])("an archive with %s is refused", (_, entries, reason) => {
  expect(() => filesOfArchive(tarGz(entries))).toThrow(reason);
});

test("what is no archive, or unpacks to far more, is refused before it fills the memory", () => {
  expect(() => filesOfArchive(Buffer.from("PK"))).toThrow("no archive of gzip");
  expect(() => filesOfArchive(gzipSync(Buffer.alloc(512, 65)))).toThrow("no archive of tar");
  expect(() => filesOfArchive(gzipSync(Buffer.alloc(129 * 1024 * 1024)))).toThrow("more than 128 MiB unpacked");
});

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "recado-package-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("a folder is taken with the files below it, and refused with a link in it", () => {
  mkdirSync(join(dir, "lib"));
  writeFileSync(join(dir, "plugin.js"), "p");
  writeFileSync(join(dir, "lib/a.js"), "a");
  expect(Object.fromEntries(textsOf(filesOfFolder(dir)))).toEqual({ "lib/a.js": "a", "plugin.js": "p" });
  symlinkSync("/etc", join(dir, "lib/etc"));
  expect(() => filesOfFolder(dir)).toThrow("lib/etc, which is no file and no folder");
});

test("links to the commands of packages are left out of a package, wherever they lie", () => {
  mkdirSync(join(dir, "node_modules/loft/node_modules/.bin"), { recursive: true });
  mkdirSync(join(dir, "node_modules/.bin"));
  writeFileSync(join(dir, "node_modules/loft/cli.js"), "l");
  symlinkSync("../loft/cli.js", join(dir, "node_modules/.bin/loft"));
  symlinkSync("../../cli.js", join(dir, "node_modules/loft/node_modules/.bin/loft"));
  expect(textsOf(filesOfFolder(dir))).toEqual([["node_modules/loft/cli.js", "l"]]);
  const entries = [PLUGIN, { path: "package/node_modules/.bin/loft", type: "2" }];
  expect(textsOf(filesOfArchive(tarGz(entries)))).toEqual([["plugin.js", "export default {};"]]);
  symlinkSync("loft", join(dir, "node_modules/bin"));
  expect(() => filesOfFolder(dir)).toThrow("put a copy in the place of a link, or bundle plugin.js");
});

test("a signature of minisign is of its bytes and its key alone, in both of its forms", () => {
  const [key, other, bytes] = [minisignKey(), minisignKey(), Buffer.from("the package")];
  for (const isWhole of [false, true]) {
    const signature = key.signatureOf(bytes, { isWhole });
    expect([isSignedBy(bytes, signature, key.text), isSignedBy(bytes, signature, key.line)]).toEqual([true, true]);
    expect(isSignedBy(Buffer.from("the packages"), signature, key.text)).toBe(false);
    expect(isSignedBy(bytes, signature, other.text)).toBe(false);
    expect(isSignedBy(bytes, "", key.text)).toBe(false);
    expect(isSignedBy(bytes, signature, "no key")).toBe(false);
  }
});

test("a file that minisign itself has signed is verified by its key", () => {
  const key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
  const signature = `untrusted comment: signature from minisign secret key
RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=
trusted comment: timestamp:1556193335	file:test
y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==`;
  expect(isSignedBy(Buffer.from("test"), signature, key)).toBe(true);
  expect(isSignedBy(Buffer.from("Test"), signature, key)).toBe(false);
});
