import { DAY_MS, HOUR_MS } from "../../src/kernel/clock.ts";
import { agentTalks, makeAgent, retireProvider } from "./agent.ts";
import { emptyDirectory } from "./directory.ts";
import { makeAccount, makeInstitution } from "./people.ts";
import { makePhones } from "./phones.ts";
import { makeCall, makeGroups, makeInvoices, payments, retireWebhooks } from "./rest.ts";
import { batch, makeTemplates, orderUpdates, scheduleReminder } from "./sends.ts";
import { onStage, type Stage } from "./stage.ts";
import { type Company, type Moment, makeContacts, talks, tidy } from "./talk.ts";

/** `seed` decides the events, `endMs` the end of the 30 days. */
export type Wanted = { dataDir: string; seed: number; endMs: number };

const DAYS = 30;

/**
 * Fills the directory with a small company and 30 days of its work.
 * One seed and one end give the same company; its ids and secrets are new each time.
 * @throws as `emptyDirectory`.
 */
export const seedCompany = async ({ dataDir, seed, endMs }: Wanted): Promise<Company> => {
  emptyDirectory(dataDir, { seed, endMs });
  const startMs = endMs - DAYS * DAY_MS;
  return onStage({ dataDir, seed, startMs }, async (stage) => {
    const institution = await makeInstitution(stage);
    const account = await makeAccount(stage);
    const phones = await makePhones(stage, institution, account);
    await makeContacts(stage, institution);
    await makeTemplates(stage, account, phones);
    await makeAgent(stage, account, phones);
    await live(stage, [
      ...talks(stage, { institution, account, phones }, startMs),
      ...orderUpdates(stage, account, phones, { firstMs: startMs + 9 * HOUR_MS, days: DAYS }),
      ...payments(stage, account, { firstMs: startMs + 10 * HOUR_MS, days: DAYS - 1 }),
      ...agentTalks(stage, phones, startMs + 12 * DAY_MS),
      ...batch(stage, institution, phones, startMs + 20 * DAY_MS),
    ]);
    await stage.until(Math.max(endMs, stage.env.clock.now()));
    await makeInvoices(stage, account);
    await makeGroups(stage, account, phones);
    await makeCall(stage, account, phones);
    await scheduleReminder(stage, account, phones);
    await tidy(stage, institution);
    await stage.until(stage.env.clock.now());
    await retireProvider(stage, account, phones);
    await retireWebhooks(stage, institution, account, phones);
    return { institution, account, phones };
  });
};

/** Plays all moments in the order of their times. Between them, at least twice a day, due work runs. */
const live = async (stage: Stage, moments: readonly Moment[]): Promise<void> => {
  for (const { at, play } of moments.toSorted((a, b) => a.at - b.at)) {
    while (stage.env.clock.now() + 12 * HOUR_MS < at) await stage.until(stage.env.clock.now() + 12 * HOUR_MS);
    await stage.until(Math.max(at, stage.env.clock.now()));
    await play();
  }
};
