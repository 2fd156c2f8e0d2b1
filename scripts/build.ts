// Compiles Recado into one file, dist/recado, for the machine this runs on.
//   bun scripts/build.ts [entry]      entry: src/main.ts
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import manifest from "../package.json" with { type: "json" };

type Rewrite = { filter: RegExp; addon: string; file: string; change: (source: string, addon: string) => string };

const root = resolve(import.meta.dir, "..");
const entry = resolve(process.argv[2] ?? join(root, "src", "main.ts"));
const outfile = join(root, "dist", process.platform === "win32" ? "recado.exe" : "recado");

/** This machine as the packages of native add-ons name it. */
const machine = (): string => {
  const { platform, arch } = process;
  if (platform === "win32") return `win32-${arch}-msvc`;
  if (platform !== "linux") return `${platform}-${arch}`;
  const isMusl = !("glibcVersionRuntime" in (process.report.getReport() as { header: object }).header);
  return `linux-${arch}-${isMusl ? "musl" : "gnu"}`;
};

/** `text` with the one place that `expected` finds replaced. Throws when it finds none or several. */
const replaceOnce = (text: string, expected: RegExp, replacement: string): string => {
  const found = [...text.matchAll(new RegExp(expected, "gm"))];
  if (found.length !== 1) throw new Error(`${expected.source} was found ${found.length} times, not once: the package has changed, look at this rewrite again`);
  return text.replace(new RegExp(expected, "m"), () => replacement);
};

/** Both packages look for their add-on by a path that is not known before run time, so the bundler cannot see it. */
const REWRITES: Rewrite[] = [
  {
    filter: /[\\/]node_modules[\\/]libsql[\\/]index\.js$/,
    addon: "libsql",
    file: `@libsql/${machine()}/index.node`,
    change: (source, addon) => replaceOnce(source, /^function requireNative\(\) \{\n[\s\S]*?\n\}$/, `function requireNative() {\n  return require("${addon}").default;\n}`),
  },
  {
    filter: /[\\/]node_modules[\\/]@node-rs[\\/]argon2[\\/]index\.js$/,
    addon: "argon2",
    file: `@node-rs/argon2-${machine()}/argon2.${machine()}.node`,
    change: (source, addon) => {
      replaceOnce(source, /^module\.exports\.verify = nativeBinding\.verify$/, "");
      return `module.exports = require("${addon}").default;\n`;
    },
  },
];

const NATIVE = "recado-native";

const addonModule = async ({ addon, file }: Rewrite): Promise<string> => {
  const path = join(root, "node_modules", file);
  const sha256 = new Bun.CryptoHasher("sha256").update(await Bun.file(path).bytes()).digest("hex");
  const loader = join(root, "scripts", "native-loader.ts");
  return [
    `import embedded from ${JSON.stringify(path)} with { type: "file" };`,
    `import { loadAddon } from ${JSON.stringify(loader)};`,
    `export default loadAddon({ name: "${addon}", sha256: "${sha256}", embedded });`,
  ].join("\n");
};

/** Puts the add-ons into the binary. `applied` collects what was rewritten. */
const nativeAddons = (applied: Set<string>): BunPlugin => ({
  name: "native-addons",
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${NATIVE}:`) }, ({ path }) => ({ path: path.slice(NATIVE.length + 1), namespace: NATIVE }));
    build.onLoad({ filter: /./, namespace: NATIVE }, async ({ path }) => {
      const rewrite = REWRITES.find(({ addon }) => addon === path);
      if (!rewrite) throw new Error(`no add-on is named ${path}`);
      return { contents: await addonModule(rewrite), loader: "js" };
    });
    for (const { filter, addon, change } of REWRITES) {
      build.onLoad({ filter }, async ({ path }) => {
        const contents = change(await Bun.file(path).text(), `${NATIVE}:${addon}`);
        applied.add(addon);
        return { contents, loader: "js" };
      });
    }
  },
});

const commit = (): string => {
  const asked = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], { cwd: root, stderr: "ignore" });
  return asked.success ? asked.stdout.toString().trim() : "unknown";
};

/** Elysia asks for NODE_ENV at run time, as it is imported; what `define` inlines does not reach it. */
const start = join(root, "dist", "start.ts");
const startText = `process.env["NODE_ENV"] ??= "production";\nawait import(${JSON.stringify(entry)});\n`;

const compile = (applied: Set<string>) =>
  Bun.build({
    entrypoints: [start],
    files: { [start]: startText },
    target: "bun",
    format: "esm",
    splitting: true,
    bytecode: true,
    // Elysia reads the text of its handlers: their names must stay as they are
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: "linked",
    define: { "process.env.NODE_ENV": '"production"', RECADO_VERSION: JSON.stringify(manifest.version), RECADO_COMMIT: JSON.stringify(commit()) },
    plugins: [nativeAddons(applied)],
    throw: true,
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false, autoloadTsconfig: false, autoloadPackageJson: false },
  });

/** The maps are inside the binary; the copies beside it serve nobody. */
const removeMaps = async () => {
  const names = await readdir(dirname(outfile));
  await Promise.all(names.filter((name) => name.endsWith(".map")).map((name) => rm(join(dirname(outfile), name))));
};

const applied = new Set<string>();
await rm(outfile, { force: true });
await compile(applied);
await removeMaps();
const missed = REWRITES.filter(({ addon }) => !applied.has(addon)).map(({ addon }) => addon);
if (missed.length > 0) {
  await rm(outfile, { force: true });
  throw new Error(`${missed.join(", ")} never came by: the rewrite's path no longer matches, and the binary would look for node_modules`);
}
console.log(`${basename(outfile)} ${manifest.version} (${commit()}) for ${machine()}: ${(Bun.file(outfile).size / 1e6).toFixed(0)} MB`);
