import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** The words that must not come back, with the field's word for each. src/README.md is the dictionary. */
const GONE: readonly [RegExp, string][] = [
  [/\b(told|tell|tells|telling|hear|hears|heard|news)\b/i, "published, notified, received, update"],
  [/\b(bury|buries|buried)\b/i, "discard, discarded"],
  [/\b(stray|suspects?|acquit|acquits|acquitted)\b/i, "orphaned, poison candidate, clear"],
  [/\b(spool|spools|spooled|spooling)\b/i, "temp file"],
  [/\btrail\b/i, "audit log"],
  [/\b(farewell|let ?go)\b/i, "disconnect options, release"],
  [/\bfaces?\b/i, "API, APIs"],
  [/\bboots?\b/i, "process, process id, owner"],
  [/\b(?<!write |remote )lanes?\b/i, "queue, partition key"],
  [/\b(seizes?|seized|holdings?)\b/i, "acquire, lease"],
  [/\b(parked|unpark|unparks|unparked)\b/i, "paused, resume"],
  [/\b(pulses?|bustle|inlet)\b/i, "heartbeat, status summary, inbound context"],
  [/\b(whoever|as well as it goes)\b/i, "a named subject"],
  [/\b(native key|native id of a message)\b/i, "provider message id"],
  [/\bkey rings?\b/i, "key store"],
  [/\bfacts?\b/i, "domain event, metadata, details"],
];

/** Where each of these words is something else: the quotation in its line, and why. Others must not use it. */
const MEANT: readonly [path: RegExp, line: RegExp, why: string][] = [
  [/^test\/words\.test\.ts$/, /./, "this table"],
  [/^scripts\/release\/deb\.ts$/, /NEWS\.gz/, "a file of Debian's policy"],
  [/^(src\/README\.md|CHANGELOG\.md)$/, /./, "the dictionary names them; the changelog quotes what was"],
];

const files = (
  await Bun.$`git ls-files src plugins clients scripts test docs systemd README.md CONTRIBUTING.md`.cwd(root).text()
)
  .split("\n")
  .filter((path) => /\.(ts|mjs|js|md|sql|json|service|conf|yaml|yml)$/.test(path))
  .filter(
    (path) => !/^(test\/snapshots|scripts\/release\/licences|migrations|clients\/\w+\/src\/generated)\//.test(path),
  );

/** The words of a line, with those that a name in camel case is made of. */
const wordsOf = (line: string): string => `${line} ${line.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/_/g, " ")}`;

describe("the field's words", () => {
  test("the words that were replaced are gone", async () => {
    const found: string[] = [];
    for (const path of files) {
      const lines = (await Bun.file(join(root, path)).text()).split("\n");
      for (const [index, line] of lines.entries()) {
        const gone = GONE.find(([word]) => word.test(wordsOf(line)));
        if (!gone || MEANT.some(([at, text]) => at.test(path) && text.test(line))) continue;
        found.push(`${path}:${index + 1}: ${line.trim().slice(0, 100)} (${gone[1]})`);
      }
    }
    expect(found).toEqual([]);
  });
});
