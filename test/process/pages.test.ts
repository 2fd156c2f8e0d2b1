import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { clientOf } from "../support/client.ts";
import { startGraph } from "../support/graph/index.ts";
import { fencesOf, PAGES, pageText, reasonNotToRun } from "../support/laws/pages.ts";
import { LLM_KEY, startLlm } from "../support/llm/index.ts";
import { type PageReport, runPage } from "../support/processes/page-run.ts";
import { processes, quietPort, type Settings } from "../support/processes/process.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { startWhatsApp } from "../support/whatsapp/index.ts";
import { ADMIN_TOKEN, APP_SECRET, addWabaNumber, WEBHOOK_SECRET } from "../support/world.ts";

setDefaultTimeout(600_000);
const { dataDir, folder, program, serve } = processes();
const [graph, llm, hook, net] = [startGraph(), startLlm(), startReceiver(), await startWhatsApp()];
afterAll(() => Promise.all([graph.stop(), llm.stop(), hook.stop(), net.stop()]));

/** Without it no page's commands can be run. */
const missing = ["bash", "curl"].filter((name) => Bun.which(name) === null);

const settingsFor = (port: number): Settings => ({
  RECADO_LISTEN: `127.0.0.1:${port}`,
  RECADO_DATA_DIR: dataDir(),
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_META_APP_SECRET: APP_SECRET,
  RECADO_META_GRAPH_URL: graph.url,
  RECADO_LLM_URL: llm.url,
  RECADO_WHATSAPP_WEB_URL: net.url,
  RECADO_WHATSAPP_WEB_ROOT: net.root,
  RECADO_OUTBOUND_ALLOW: "127.0.0.1,localhost",
});

/**
 * What a reader brings along: an endpoint, an official number, a key of a provider; for agents.md, brazil.md and chats.md, a
 * connected phone.
 */
const ownValues = async (path: string, url: string): Promise<Record<string, string>> => {
  const { number: _, phoneNumberId, businessAccountId, accessToken } = addWabaNumber(graph);
  const meta = {
    META_PHONE_NUMBER_ID: phoneNumberId,
    META_BUSINESS_ACCOUNT_ID: businessAccountId,
    META_ACCESS_TOKEN: accessToken,
  };
  const own = { HOOK: hook.url, HOOK_SECRET: WEBHOOK_SECRET, LLM_KEY, ...meta };
  if (!["docs/agents.md", "docs/brazil.md", "docs/chats.md"].includes(path)) return own;
  const client = clientOf({ url }, ADMIN_TOKEN);
  const { key } = await client.account();
  const credentials = { phoneNumberId, businessAccountId, accessToken };
  const { id } = await client.gateway<{ id: string }>("/v1/phones", key, { type: "WABA", label: "Shop", credentials });
  return { ...own, KEY: key, PHONE: `${url}/gateway/v1/phones/${id}` };
};

/** Once a page has asked for a QR code, somebody scans it. */
const scanning = () => {
  const device = net.phone("5511900000001");
  net.contact({ pn: "5511911110001", name: "Ana" });
  return async (text: string, { PHONE, KEY = "" }: Readonly<Record<string, string>>): Promise<void> => {
    if (!text.includes("/qrcode") || PHONE === undefined) return;
    const { qr } = (await (await fetch(`${PHONE}/qrcode`, { headers: { "x-api-key": KEY } })).json()) as { qr: string };
    await device.scan(qr);
  };
};

const runnableOf = (path: string) =>
  fencesOf(pageText(path)).filter((fence) => fence.language === "sh" && reasonNotToRun(fence) === undefined);

const runOne = async (path: string): Promise<PageReport> => {
  const settings = settingsFor(await quietPort());
  const { url } = await serve(settings);
  const env = { ...settings, ...(await ownValues(path, url)) };
  return runPage(path, {
    url,
    folder: folder(),
    program,
    env,
    ...(path === "docs/sessions.md" ? { after: scanning() } : {}),
  });
};

describe.skipIf(missing.length > 0)("the commands of a page, pasted from top to bottom, do what it says", () => {
  test.each(PAGES.filter((path) => runnableOf(path).length > 0))("%s", async (path) => {
    expect((await runOne(path)).run).toBe(runnableOf(path).length);
  });
});

test("blocks that are not run are counted and listed, each with its reason", () => {
  const shell = PAGES.flatMap((path) =>
    fencesOf(pageText(path)).flatMap((fence) => (fence.language === "sh" ? [{ path, ...fence }] : [])),
  );
  const leftOut = shell.flatMap((fence) => {
    const reason = reasonNotToRun(fence);
    return reason === undefined ? [] : [`${fence.path}:${fence.line}: ${reason}`];
  });
  console.log([`${leftOut.length} of ${shell.length} blocks of commands are not run:`, ...leftOut].join("\n  "));
  expect(leftOut.length).toBeLessThan(shell.length / 2);
});

test("what is needed to run the commands of the pages is said where it is missing", () => {
  if (missing.length > 0)
    console.log(`the commands of the pages were not run: there is no ${missing.join(", no ")} here`);
  expect(missing.every((name) => Bun.which(name) === null)).toBe(true);
});
