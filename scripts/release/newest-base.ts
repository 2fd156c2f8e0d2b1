import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Architecture, Pin } from "./base.ts";
import { run } from "./run.ts";

/** The release of Debian whose packages the images have. */
export const DEBIAN = "13";
const SUITE = "trixie";
/** The C library, the two of the compiler that add-ons are linked with and their licence, and the authorities of TLS. */
const NAMES = ["ca-certificates", "gcc-14-base", "libc6", "libgcc-s1", "libstdc++6"];
const KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg";

const SOURCES = [
  `deb [signed-by=${KEYS}] http://deb.debian.org/debian ${SUITE} main`,
  `deb [signed-by=${KEYS}] http://deb.debian.org/debian-security ${SUITE}-security main`,
  "",
].join("\n");

/** Lines of `'address' file size SHA256:hash`. */
const pinIn = (line: string): Pin => {
  const [, url, file = "", sha256] = /^'([^']+)' (\S+) \d+ SHA256:([\da-f]{64})$/.exec(line) ?? [];
  const [name = "", version = ""] = file.split("_");
  if (!url || !sha256) throw new Error(`apt says ${line}`);
  return { name, version: decodeURIComponent(version), url, sha256 };
};

/** The packages that apt would install today. Uses its own lists. */
export const newestPins = async (architecture: Architecture): Promise<Pin[]> => {
  const folder = mkdtempSync(join(tmpdir(), "recado-apt-"));
  try {
    for (const made of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(folder, made), { recursive: true });
    writeFileSync(join(folder, "sources.list"), SOURCES);
    const options = {
      "Dir::State::lists": join(folder, "lists"),
      "Dir::State::status": "/dev/null",
      "Dir::Cache": join(folder, "cache"),
      "Dir::Etc::sourcelist": join(folder, "sources.list"),
      "Dir::Etc::sourceparts": "-",
      "APT::Architecture": architecture,
      "APT::Architectures": architecture,
      "Acquire::Languages": "none",
    };
    const apt = [
      "apt-get",
      "--quiet",
      ...Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]),
    ];
    await run([...apt, "update"]);
    const printed = await run([...apt, "--print-uris", "download", ...NAMES]);
    return printed
      .trim()
      .split("\n")
      .map(pinIn)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
