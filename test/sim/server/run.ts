import type { Chance } from "./chance.ts";
import { GOOD_MOOD, TIDY } from "./graph.ts";
import { check, isAtRest } from "./model.ts";
import { CLEAR_WAY } from "./network.ts";
import { createOperators, type Operators } from "./operators.ts";
import type { Scene } from "./scene.ts";
import { createWorld, type World } from "./world.ts";

/** What a run found. `trace` is the same whenever this seed runs on this program. */
export type Outcome = {
  seed: number;
  wrong: readonly string[];
  trace: number;
  steps: number;
  deaths: number;
  world: World;
};

const LONGEST_SETTLING_MS = 4 * 24 * 3_600_000;
const MOST_STEPS = 60_000;
const LOOK_AGAIN_MS = 20_000;

/** One seed: a while with faults, then a while without, then the checks. */
export const runSeed = async (seed: number, scene: Scene, folder: string): Promise<Outcome> => {
  const world = createWorld(seed, { folder, image: scene.image });
  const operators = createOperators(world, scene);
  const { machine, server, wrong } = world;
  const steps = async (untilMs: number) => {
    await machine.stepsUntil(
      () => (machine.nextAt() ?? untilMs) >= untilMs || wrong.length > 0 || machine.count >= MOST_STEPS,
    );
  };
  server.start();
  await machine.quiet();
  const endsAt = plan(world, operators, world.chance("plan"));
  await steps(endsAt);
  heal(world, operators);
  const latest = machine.now + LONGEST_SETTLING_MS;
  let isDone = false;
  while (!isDone && wrong.length === 0 && machine.now < latest && machine.count < MOST_STEPS) {
    await steps(machine.now + LOOK_AGAIN_MS);
    isDone = await hasSettled(world, operators);
    if (!isDone && machine.nextAt() !== undefined) await machine.step();
  }
  if (wrong.length === 0) {
    if (!isDone) wrong.push(`it does not come to rest within ${machine.count} steps`);
    if (server.isUp) wrong.push(...(await check(world, scene, operators.history)));
  }
  server.abandon();
  return { seed, wrong, trace: machine.trace, steps: machine.count, deaths: server.deaths.length, world };
};

const hasSettled = async (world: World, { history }: Operators): Promise<boolean> =>
  world.server.isUp && history.open === 0 && world.graph.unposted === 0 && (await isAtRest(world));

/** How much goes wrong in this run: some have only one kind of trouble. */
const plan = (world: World, operators: Operators, chance: Chance): number => {
  const { machine, server, faults, network, graph } = world;
  const kinds = {
    dies: chance.isHit(0.65),
    disk: chance.isHit(0.35),
    way: chance.isHit(0.5),
    clock: chance.isHit(0.25),
  };
  let at = 5;
  for (let count = chance.between(5, 16); count > 0; count--) {
    at += chance.pick([0, 1, chance.below(20), chance.below(400), chance.below(5000), chance.below(40_000)]);
    machine.after(at, "act", operators.act);
  }
  const some = (count: number, act: () => void) => {
    for (let left = count; left > 0; left--) machine.after(chance.below(at + 2000), "trouble", act);
  };
  if (kinds.dies)
    some(chance.between(1, 3), () => server.planDeath(chance.between(1, 90), chance.pick(["killed", "power cut"])));
  if (kinds.disk) {
    some(chance.below(2), () => {
      faults.isFull = true;
      machine.after(
        chance.pick([chance.below(3000), chance.below(40_000)]),
        "room on the disk",
        () => void (faults.isFull = false),
      );
    });
    some(chance.below(2), () => void (faults.failing = chance.between(1, 30)));
    some(chance.below(2), () => void (faults.failsSync = true));
    faults.onFailedSync = () => server.planDeath(chance.between(1, 40), "power cut");
    some(chance.below(2), () => {
      const usual = faults.syncMs;
      faults.syncMs = () => 20 + usual() * 100;
      machine.after(chance.below(5000), "a fast disk", () => void (faults.syncMs = usual));
    });
  }
  if (kinds.way) {
    network.way = {
      isCut: chance.pick([0, 0.1, 0.3]),
      losesRequest: chance.pick([0, 0.05]),
      losesAnswer: chance.pick([0, 0.1, 0.2]),
      slowestMs: chance.pick([20, 300, 3000]),
    };
    graph.mood = {
      taken: 10,
      refused: chance.below(2),
      limited: chance.below(2),
      pairLimited: chance.below(2),
      troubled: chance.below(3),
      takenSilently: chance.below(2),
      takenWith500: chance.below(2),
      gateway: chance.below(2),
    };
    graph.posting = { repeats: 0.2, isShuffled: chance.isHit(0.6), saysFailed: 0.1, saysRead: 0.4, isLate: 0.15 };
  }
  if (kinds.clock)
    some(chance.between(1, 3), () =>
      machine.jump(
        chance.pick([-1, 1]) * chance.pick([chance.below(2000), chance.below(600_000), chance.below(8_000_000)]),
      ),
    );
  return at + 2500;
};

const heal = ({ server, faults, network, graph }: World, operators: Operators): void => {
  server.cancelDeath();
  faults.isFull = false;
  faults.failing = 0;
  faults.failsSync = false;
  faults.onFailedSync = () => {};
  network.way = CLEAR_WAY;
  graph.mood = GOOD_MOOD;
  graph.posting = TIDY;
  operators.heal();
};
