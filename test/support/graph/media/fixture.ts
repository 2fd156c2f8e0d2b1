import { type Bench, NUMBER_ID, TOKEN } from "../fixture.ts";
import { type Fields, fieldsOf } from "../shape.ts";

/** A multipart upload in the form of clients. `patch` replaces or removes the usual parts. */
export const upload = async (
  { graph }: Pick<Bench, "graph">,
  file: Blob,
  patch: Record<string, string | undefined> = {},
): Promise<{ status: number; body: Fields }> => {
  const form = new FormData();
  const parts: Record<string, string | undefined> = { messaging_product: "whatsapp", type: file.type, ...patch };
  for (const [name, value] of Object.entries(parts)) if (value !== undefined) form.set(name, value);
  form.set("file", file, "a file");
  const answer = await fetch(`${graph.url}/v25.0/${NUMBER_ID}/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}` },
    body: form,
  });
  return { status: answer.status, body: fieldsOf(await answer.json()) };
};

export const fileOf = (bytes: number | string, type: string): Blob =>
  new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)], { type });
