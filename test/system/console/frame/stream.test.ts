import { afterAll, expect, test } from "bun:test";
import { quietPort } from "../../../support/processes/process.ts";
import { gatewayOf } from "../support/seeds.ts";
import { useConsole } from "../support/use-console.ts";
import { startWire } from "../support/wire.ts";

const port = await quietPort();
const wire = await startWire(port);
afterAll(() => wire.close());
const s = useConsole({ env: { RECADO_LISTEN: `127.0.0.1:${port}`, RECADO_PUBLIC_URL: wire.url } });

/** A call of a program that does not take the way of the browser. */
const gateway = (path: string, body?: unknown, method?: string) =>
  gatewayOf({ ...s.server, gatewayUrl: `http://127.0.0.1:${port}/gateway` }, s.people)(path, body, method);
const PROMPT = "Você atende os clientes da padaria. Seja breve.";

test("with the connection cut the page says so, and goes on by itself, without a reload", async () => {
  await gateway(`phones/${s.seeds.phoneId}/ai-agent`, { systemPrompt: PROMPT, enabled: false }, "PUT");
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_SOCKET|ERR_NETWORK/);
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByText("It knows nothing about you yet").waitFor();
  await page.evaluate("window.isTheSame = true");
  wire.cut();
  await page.getByText("Connection lost. Trying again.").waitFor({ timeout: 40_000 });
  await page.getByText("It knows nothing about you yet").waitFor(); // what is known stays to be read
  const text = "A padaria abre de segunda a sábado, das 6h às 20h.";
  await gateway(`phones/${s.seeds.phoneId}/ai-agent/knowledge`, { source: "TEXT_INLINE", title: "Meanwhile", text });
  wire.mend();
  await page.getByText("Live", { exact: true }).waitFor({ timeout: 40_000 });
  await page.getByText("Meanwhile").waitFor({ timeout: 40_000 });
  expect(await page.evaluate("window.isTheSame")).toBe(true);
});

test("an event changes the page by itself", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/messages`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
  const { phoneId } = s.seeds;
  await gateway("messages", { phoneId, to: "5511977776666", type: "text", content: { text: "Chegou sem recarregar" } });
  await page.getByText("Chegou sem recarregar").first().waitFor();
});
