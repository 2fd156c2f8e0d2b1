import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const ROUTES = resolve(import.meta.dir, "../../../../src/console/web/frame/routes.tsx");

/** The paths in the console's table of pages. It is read as text: the program of the browser cannot run here. */
export const ROUTED: readonly string[] = [...readFileSync(ROUTES, "utf8").matchAll(/^ {4}path: "([^"]+)"/gm)].flatMap(
  ([, path]) => path ?? [],
);
