import { afterAll, afterEach, beforeAll } from "bun:test";
import { openBrowser, type Window } from "./browser.ts";
import { type People, seedPeople } from "./people.ts";
import { type Seeds, seedAccount } from "./seeds.ts";
import { type ConsoleOptions, type ConsoleServer, startConsole } from "./server.ts";
import { printTasks } from "./tasks.ts";

/** What the tests of a file share. Its fields are there once the tests run. */
export type ConsoleStage = { server: ConsoleServer; window: Window; people: People; seeds: Seeds };

/**
 * One server and one browser for the tests of a file, with people and a few messages; without, where `isEmpty`. After
 * each test its pages are closed, and their faults fail it.
 */
export const useConsole = ({
  isEmpty = false,
  ...options
}: ConsoleOptions & { isEmpty?: boolean } = {}): ConsoleStage => {
  const stage = {} as ConsoleStage;
  beforeAll(async () => {
    stage.server = await startConsole(options);
    // the sources bundle the program at the first request, which on a busy machine takes longer than a page may
    await (await fetch(stage.server.consoleUrl)).text();
    stage.window = await openBrowser(stage.server);
    if (isEmpty) return;
    stage.people = await seedPeople(stage.server);
    stage.seeds = await seedAccount(stage.server, stage.people);
  });
  afterEach(() => stage.window.closePages());
  afterAll(async () => {
    printTasks();
    await stage.window?.stop();
    await stage.server?.stop();
  });
  return stage;
};
