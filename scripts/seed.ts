// Fills a database with a small company, to look at and to develop with.
//   bun scripts/seed.ts --data-dir DIR [--seed N]     makes the company, in a directory that is empty or its own
//   bun scripts/seed.ts --data-dir DIR --serve        serves it, its phones on the simulator
//   bun scripts/seed.ts --data-dir DIR --load         fills the institution of a seeded directory with a load for the
//                                                     console: 100,000 messages, 5,000 conversations, 500 phones
//   bun scripts/seed.ts --data-dir DIR --year [--messages N]
//                                                     makes a year of a large company: 5,000,000 messages
import { parseArgs } from "node:util";
import { composeOffline, startApp } from "../src/app.ts";
import { untilSignal } from "../src/commands/signals.ts";
import { accountsPage } from "../src/core/tenancy/accounts/accounts.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { createLog } from "../src/kernel/log.ts";
import { DatabaseInUse } from "../src/store/engine/db.ts";
import { seedCompany } from "./seed/company.ts";
import { configOf } from "./seed/config.ts";
import { DirectoryInUse, emptyDirectory, isSeeded } from "./seed/directory.ts";
import { seedLoad } from "./seed/load.ts";
import { INSTITUTION, PASSWORD } from "./seed/people.ts";
import type { Company } from "./seed/talk.ts";
import { seedYear, YEAR_MESSAGES } from "./seed/year.ts";
import { YEAR_INSTITUTION } from "./seed/year-people.ts";

const USAGE = "usage: npm run seed -- --data-dir DIR [--seed N | --serve | --load | --year [--messages N]]";
const USAGE_CODE = 2;

const linesOf = ({ institution, account }: Company, dataDir: string): string[] => [
  `institution ${institution.name} (${institution.scope.tenantId})`,
  ...institution.users.map(({ email, role }) => `  ${role.padEnd(6)} ${email}  password ${PASSWORD}`),
  `  live key ${institution.key}`,
  `  test key ${institution.testKey}`,
  `gateway account ${account.name} (${account.scope.tenantId})`,
  `  key      ${account.key}`,
  "",
  "Serve it with its phones on the simulator; no message reaches anybody:",
  `  npm run seed -- --data-dir ${dataDir} --serve`,
  "With its plain adapters, which ask the real networks about invented phones:",
  `  RECADO_DATA_DIR=${dataDir} npm start`,
];

/** Serves the directory until a signal comes. */
const serve = async (dataDir: string): Promise<void> => {
  const config = configOf(dataDir, { RECADO_LISTEN: process.env["RECADO_LISTEN"] ?? "127.0.0.1:8080" });
  const app = await startApp(config, { log: createLog("info"), simulated: true });
  console.log(`gateway API ${app.gatewayUrl}\nplatform API ${app.platformUrl}`);
  await untilSignal();
  await app.stop();
};

/** Fills the first institution of the directory with a load. */
const fill = async (dataDir: string): Promise<void> => {
  const { env, close } = await composeOffline(configOf(dataDir), createLog("info"));
  try {
    const { items } = await accountsPage(env, { status: undefined, cursor: undefined, limit: 200 });
    const institution = items.find(({ name }) => name === INSTITUTION);
    if (!institution) throw new Error(`${dataDir} has no account`);
    await seedLoad(env, institution.id);
    console.log(`${institution.name} (${institution.id}) has the load`);
  } finally {
    await close();
  }
};

const PROGRESS_EVERY = 100_000;

/** Makes a year in a directory that is empty or the seed's own. */
const makeYear = async (dataDir: string, messages: number): Promise<void> => {
  const endMs = systemClock().now();
  emptyDirectory(dataDir, { seed: messages, endMs });
  const { env, close } = await composeOffline(configOf(dataDir), createLog("error"));
  try {
    const { all, key, platformKey } = await seedYear(env, { messages, endMs }, (written) => {
      if (written % PROGRESS_EVERY === 0) console.log(`${written} messages`);
    });
    console.log(`${YEAR_INSTITUTION} (${all[0]?.tenantId})\n  gateway key  ${key}\n  platform key ${platformKey}`);
  } finally {
    await close();
  }
};

const seed = async (dataDir: string, number: number): Promise<void> => {
  const company = await seedCompany({ dataDir, seed: number, endMs: systemClock().now() });
  for (const line of linesOf(company, dataDir)) console.log(line);
};

type Wanted = { dataDir: string; number: number; isServing: boolean; isLoad: boolean; year: number | undefined };

/** The options of the arguments. Throws if they are wrong. */
const wantedFrom = (args: string[]): Wanted => {
  const flags = { serve: { type: "boolean" }, load: { type: "boolean" }, year: { type: "boolean" } } as const;
  const texts = { "data-dir": { type: "string" }, seed: { type: "string" }, messages: { type: "string" } } as const;
  const { values } = parseArgs({ args, options: { ...texts, ...flags } });
  const [number, messages] = [Number(values.seed ?? "1"), Number(values.messages ?? YEAR_MESSAGES)];
  if (!values["data-dir"] || !Number.isSafeInteger(number) || !(messages >= 1)) throw new Error(USAGE);
  const isServing = values.serve ?? false;
  const isLoad = values.load ?? false;
  if ((isServing || isLoad) && !isSeeded(values["data-dir"]))
    throw new Error(`${values["data-dir"]} holds no seeded company: make one first`);
  return { dataDir: values["data-dir"], number, isServing, isLoad, year: values.year ? messages : undefined };
};

const run = async (args: string[]): Promise<number> => {
  let wanted: ReturnType<typeof wantedFrom>;
  try {
    wanted = wantedFrom(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return USAGE_CODE;
  }
  try {
    if (wanted.isServing) await serve(wanted.dataDir);
    else if (wanted.isLoad) await fill(wanted.dataDir);
    else if (wanted.year !== undefined) await makeYear(wanted.dataDir, wanted.year);
    else await seed(wanted.dataDir, wanted.number);
    return 0;
  } catch (error) {
    if (!(error instanceof DirectoryInUse || error instanceof DatabaseInUse)) throw error;
    console.error(error.message);
    return USAGE_CODE;
  }
};

process.exit(await run(process.argv.slice(2)));
