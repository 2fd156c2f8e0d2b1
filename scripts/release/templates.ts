import { join } from "node:path";

/** Ways to run the image, by the names of their files in a release. */
export const TEMPLATES = [
  "compose.yaml",
  "Caddyfile",
  "recado.container",
  "coolify.yaml",
  "easypanel.json",
  "casaos.yaml",
] as const;

/** A template with the image that it runs. Throws if a placeholder stays. */
export const templateText = async (
  name: (typeof TEMPLATES)[number],
  values: { image: string; version: string },
): Promise<string> => {
  let text = await Bun.file(join(import.meta.dir, "templates", name)).text();
  for (const [place, value] of Object.entries(values)) text = text.replaceAll(`__${place.toUpperCase()}__`, value);
  if (/__[A-Z]+__/.test(text)) throw new Error(`${name} has a place that nothing fills`);
  return text;
};
