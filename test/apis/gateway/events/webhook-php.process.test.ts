import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { customerOf, rowsOf, TO } from "../../../support/customers/customer.ts";
import { processes, quietPort } from "../../../support/processes/process.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

// A stranger's receiver: PHP's own server, whose script answers first and works on. Tried where `php` is installed.

const { folder } = processes();
const w = useWorld();

const SCRIPT = `<?php
ignore_user_abort(true);
set_time_limit(60);
if ($_SERVER['REQUEST_METHOD'] === 'GET') { echo 'here'; return; }
file_put_contents('runs.txt', $_SERVER['HTTP_WEBHOOK_ID'] . "\\n", FILE_APPEND);
http_response_code(200);
echo 'ok';
flush();
sleep(17);
`;

const isInstalled = Bun.which("php") !== null;

test.skipIf(!isInstalled)(
  "GAP-G54 a script that flushes its answer and works on for longer than the limit runs once",
  async () => {
    const [cwd, port] = [folder(), await quietPort()];
    writeFileSync(join(cwd, "hook.php"), SCRIPT);
    const php = Bun.spawn(["php", "-S", `127.0.0.1:${port}`, "hook.php"], { cwd, stdout: "ignore", stderr: "ignore" });
    try {
      const url = `http://127.0.0.1:${port}/hook`;
      await untilTrue(() =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const { id: accountId, key } = await w.account();
      const c = customerOf(w, { accountId, key, phone: await w.wabaPhone(key), hook: w.receiver() });
      const hook = { label: "PHP", url, secret: WEBHOOK_SECRET, events: ["message:received"], allPhones: true };
      expect((await w.gateway("/v1/webhooks", { key, body: hook })).status).toBe(201);
      await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "Oi" });
      await w.settle();
      await w.advance(60_000);
      expect(readFileSync(join(cwd, "runs.txt"), "utf8").trim().split("\n")).toHaveLength(1);
      const deliveries = `SELECT d.status, d.attempts FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id
        WHERE s.url = ?1`;
      expect(await rowsOf(w, deliveries, [url])).toEqual([{ status: "DELIVERED", attempts: 1 }]);
    } finally {
      php.kill("SIGKILL");
      await php.exited;
    }
  },
);

test("what was not tried is said", () => {
  if (!isInstalled) console.log("a receiver in PHP was not tried: there is no php here");
  expect(isInstalled).toBe(Bun.which("php") !== null);
});
