import { join, resolve } from "node:path";
import { JOBS } from "../../src/core/jobs.ts";
import type { JobKind } from "../../src/runtime/jobs.ts";

type AnyJob = JobKind<never, object>;

const root = resolve(import.meta.dir, "../..");

/** Every definition of a job in the core, with its file. */
export const definedJobs = async (): Promise<{ name: string; definition: AnyJob; file: string }[]> => {
  const files = [...new Bun.Glob("src/core/**/*jobs.ts").scanSync({ cwd: root })].sort();
  const modules = files
    .filter((file) => file !== "src/core/jobs.ts")
    .map(async (file) => {
      const exported = (await import(join(root, file))) as Record<string, Record<string, AnyJob>>;
      return Object.values(exported).flatMap((jobs) =>
        Object.entries(jobs).flatMap(([name, definition]) => ("run" in definition ? { name, definition, file } : [])),
      );
    });
  return (await Promise.all(modules)).flat();
};

/** A payload of the environment `live`. Each field has its own name in angle brackets as its value. */
const namedFields = new Proxy<Record<string, string>>(
  {},
  { get: (_, field) => (field === "environment" ? "live" : `<${String(field)}>`) },
);

/** The rows of `npm run list -- jobs`, below the names of their columns. */
export const jobRows = async (): Promise<string[][]> => {
  const fileOf = new Map((await definedJobs()).map(({ definition, file }) => [definition, file]));
  return [
    ["name", "queue", "ordering key", "concurrency limit", "priority", "file"],
    ...Object.entries<AnyJob>(JOBS).map(([name, definition]) => [
      name,
      definition.queue(namedFields).key,
      definition.orderingKey?.(namedFields) ?? "",
      String(definition.concurrencyLimit),
      definition.priority ?? "normal",
      fileOf.get(definition) ?? "",
    ]),
  ];
};
