import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { useSdkPackage } from "../support/apis/sdk-package.ts";
import { newCustomer, sendsOf, TO } from "../support/customers/customer.ts";
import { fencesOf, pageText } from "../support/laws/pages.ts";
import { useWorld } from "../support/use-world.ts";
import { untilTrue } from "../support/waiting.ts";

const sdk = useSdkPackage();
const w = useWorld();

const bot = fencesOf(pageText("docs/clients.md")).find(({ info }) => info === "bot.mjs")?.text ?? "";

/** Starts the bot of the page by Node.js; it ends with the scope. */
const startBot = (key: string) => {
  writeFileSync(join(sdk.folder, "bot.mjs"), bot);
  const env = { PATH: process.env["PATH"] ?? "", GATEWAY_URL: w.app.gatewayUrl, API_KEY: key };
  const child = Bun.spawn(["node", "bot.mjs"], {
    cwd: sdk.folder,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  return {
    child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
};

test("the bot of the page has at most 35 lines, answers ping and nothing else, and answers none twice after a restart", async () => {
  expect(bot.trim().split("\n").length).toBeLessThanOrEqual(35);
  const c = await newCustomer(w);
  const receive = (text: string) => w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
  const answers = () => sendsOf(w, c).length;
  const isFollowed = () => w.app.env.stream.count(c.accountId as never) > 0;
  const settled = async (count: number) => {
    await untilTrue(async () => {
      await w.settle();
      return answers() === count;
    });
  };
  {
    await using first = startBot(c.key);
    await untilTrue(isFollowed);
    await receive("hello");
    await receive("Ping");
    await settled(1);
    expect(first.child.exitCode).toBeNull();
  }
  await untilTrue(() => !isFollowed());
  await receive("ping while it was away");
  await receive("ping");
  await using second = startBot(c.key);
  await settled(2);
  await receive("ping");
  await settled(3);
  expect(second.child.exitCode).toBeNull();
});
