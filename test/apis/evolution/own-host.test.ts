import { expect, test } from "bun:test";
import { newSessionCustomer, sessionNetwork } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";
import { answerOf } from "../../support/world.ts";

const network = sessionNetwork();
const w = useWorld({ env: { RECADO_EVOLUTION_URL: "http://evolution.example.com" }, plugins: [network.plugin] });

test("with a host of its own the API is at the root, for clients that drop the path of its address", async () => {
  const c = await newSessionCustomer(w);
  const { origin } = new URL(w.app.gatewayUrl);
  const ask = async (host: string) =>
    answerOf(
      await fetch(`${origin}/instance/connectionState/${c.phone.id}`, {
        headers: { host, apikey: c.key },
      }),
    );
  expect((await ask("evolution.example.com")).body).toMatchObject({ instance: { state: "open" } });
  expect((await ask("other.example.com")).status).toBe(404);
});
