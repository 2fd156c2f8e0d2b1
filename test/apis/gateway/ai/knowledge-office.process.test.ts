import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { askedIn, type Chat, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { TO } from "../../../support/customers/customer.ts";
import { officeFile } from "../../../support/files/office.ts";
import { type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());
beforeEach(() => l.llm.reset());

/** Uploads a file and has the agent learn it. Its document when that has ended. */
const teachFile = async (c: Chat, name: string, contentType = "application/octet-stream"): Promise<any> => {
  const path = `/v1/phones/${c.phone.id}/ai-agent/knowledge`;
  const uploaded = await l.w.gateway(`${path}/files`, {
    key: c.key,
    method: "POST",
    raw: officeFile(name) as unknown as string,
    headers: { "content-type": contentType },
  });
  expect(uploaded.status).toBe(201);
  const { objectKey } = uploaded.body;
  const { body } = await l.w.gateway(path, { key: c.key, body: { source: "OBJECT_FILE", objectKey, title: name } });
  await l.w.settle();
  return (await l.w.gateway(`${path}/${body.id}`, { key: c.key })).body;
};

/** A model that answers with the table's row about what is asked, by the names of its columns. */
const answerFromTable = (product: string, column: string): void =>
  l.llm.answer(({ path }) => {
    if (!path.endsWith("/chat/completions")) return undefined;
    const lines = (askedIn(l)[0]?.content ?? "").split("\n").filter((line) => line.startsWith("|"));
    const cellsOf = (line = "") => line.split("|").map((cell) => cell.trim());
    const row = lines.findIndex((line) => line.includes(product));
    const names = lines.slice(0, row).findLast((line) => line.includes(column));
    return `${product}: ${cellsOf(lines[row])[cellsOf(names).indexOf(column)]}`;
  });

describe("a shop's price list", () => {
  test.each([
    ["price-list.xlsx", "Torta salgada", "R$ 89,90"],
    ["libreoffice.docx", "Bolo de fubá", "R$ 1.035,50"],
    ["libreoffice.pptx", "Bolo de fubá", "R$ 1.035,50"],
    ["libreoffice.odt", "Pão francês", "R$ 0,90"],
  ])("GAP-X20 X-042 in %s is what the agent answers from", async (name, product, price) => {
    const c = await newChat(l, { ragTopK: 4 });
    expect(await teachFile(c, name)).toMatchObject({ status: "READY", title: name, errorReason: null });
    answerFromTable(product, "Preço");
    await c.says(`quanto custa ${product}?`);
    expect(c.sent()).toEqual([`${TO}: ${product}: ${price}`]);
  });

  test("GAP-X20 X-057 in an old format is refused by name, and nothing is learnt", async () => {
    const c = await newChat(l);
    l.llm.journal.length = 0;
    expect(await teachFile(c, "libreoffice.xls", "application/vnd.ms-excel")).toMatchObject({
      status: "FAILED",
      chunkCount: 0,
      errorReason: "OLD_FORMAT: it is of an old format of an office program: save it as .docx, .xlsx, .pptx or .pdf",
    });
    expect(l.llm.embeddings()).toEqual([]);
  });
});
