import type { Chance } from "./chance.ts";
import type { Phone, Scene, Tenant } from "./scene.ts";
import { ADMIN_TOKEN, type Answer, type Call } from "./server.ts";
import type { World } from "./world.ts";

/** A send that somebody asked for. `mark`: its text, which no other has. */
export type Asked = {
  tenant: Tenant;
  phone: Phone;
  to: string;
  mark: string;
  key: string | undefined;
  scheduledAt: number | undefined;
  /** The ids that 2xx answers gave: of the message, or of its schedule. */
  ids: string[];
  /** The last status that was not 2xx; undefined for none. */
  refused: number | undefined;
  /** Some request of it got no answer. */
  isUnsure: boolean;
  isCancelled: boolean;
};

/** What people and programs did, and what they were shown. */
export type History = {
  asked: Asked[];
  /** Every status that was shown of a message, with the number of deaths of the server before. */
  shown: { messageId: string; status: string; deaths: number }[];
  /** Hosts whose webhook is disabled. */
  disabled: Set<string>;
  suspended: Set<Tenant>;
  /** Requests that must be answered some day. */
  open: number;
};

export type Operators = { history: History; act(): void; heal(): void };

const PEOPLE = ["5511999990001", "5511999990002", "5511999990003"];
const CODES_OF_REFUSAL = { from: 400, to: 500 };
const AGAIN_MS = 1500;

/** TABLE: what operators, customers and people do, by weight. */
const ACTS = {
  send: 40,
  sendKeyed: 14,
  repeatKeyed: 5,
  write: 14,
  schedule: 7,
  cancel: 3,
  show: 6,
  pry: 4,
  mood: 12,
  disable: 3,
  enable: 3,
  retry: 2,
  suspend: 1.5,
  reactivate: 2,
} as const;

type Env = { world: World; scene: Scene; history: History; chance: Chance };

export const createOperators = (world: World, scene: Scene): Operators => {
  const history: History = { asked: [], shown: [], disabled: new Set(), suspended: new Set(), open: 0 };
  const env: Env = { world, scene, history, chance: world.chance("operators") };
  return {
    history,
    act: () => acts[env.chance.weighted(ACTS)](env),
    heal() {
      for (const tenant of scene.tenants) {
        for (const { host } of tenant.hooks) world.customers.set(host, "good");
        if (history.suspended.has(tenant)) reactivate(env, tenant);
      }
      for (const host of [...history.disabled]) if (env.chance.isHit(2 / 3)) enable(env, host);
    },
  };
};

const own = ({ key }: Tenant): Record<string, string> => ({ "x-api-key": key });

/** Asks, and says what is wrong with an answer that no server may give. */
const ask = async ({ world }: Env, path: string, call: Call): Promise<Answer | undefined> => {
  const answer = await world.server.ask(`/gateway${path}`, call);
  // a failing disk is nobody's mistake
  if (answer && answer.status >= 500 && answer.status !== 503 && world.faults.failed === 0)
    world.wrong.push(`${call.method ?? ""} ${path} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer;
};

/** Asks until there is an answer other than 503. */
const insist = async (env: Env, path: string, call: Call, onSilence: () => void = () => {}): Promise<Answer> => {
  env.history.open++;
  for (;;) {
    const answer = await ask(env, path, call);
    if (answer && answer.status < 500) {
      env.history.open--;
      return answer;
    }
    if (!answer) onSilence();
    await new Promise<void>((resolve) => env.world.machine.after(AGAIN_MS, "asked again", resolve));
  }
};

const run = ({ world }: Env, work: () => Promise<unknown>): void => {
  work().catch((error: unknown) => world.wrong.push(`an act failed: ${String(error)}`));
};

const newAsked = ({ history, chance, scene }: Env, more: Partial<Asked> = {}): Asked => {
  const tenant = chance.pick(scene.tenants);
  const asked: Asked = {
    tenant,
    phone: chance.pick(tenant.phones),
    to: chance.pick(PEOPLE),
    mark: `m${history.asked.length + 1}`,
    key: undefined,
    scheduledAt: undefined,
    ids: [],
    refused: undefined,
    isUnsure: false,
    isCancelled: false,
    ...more,
  };
  history.asked.push(asked);
  return asked;
};

const bodyOf = ({ phone, to, mark, key }: Asked) => ({
  phoneId: phone.id,
  to,
  type: "text",
  content: { text: mark },
  ...(key === undefined ? {} : { idempotencyKey: key }),
});

/** Sends; with a key, until it is known what became of it. */
const send = (env: Env, asked: Asked) =>
  run(env, async () => {
    const call = { body: bodyOf(asked), headers: own(asked.tenant) };
    const onSilence = () => void (asked.isUnsure = true);
    const answer =
      asked.key === undefined
        ? await ask(env, "/v1/messages", call)
        : await insist(env, "/v1/messages", call, onSilence);
    note(asked, answer, answer?.body?.messageId);
  });

const note = (asked: Asked, answer: Answer | undefined, id: string | undefined): void => {
  if (!answer) asked.isUnsure = true;
  else if (answer.status < 300 && id !== undefined) asked.ids.push(id);
  else asked.refused = answer.status;
};

const reactivate = (env: Env, tenant: Tenant) =>
  run(env, async () => {
    env.history.suspended.delete(tenant);
    const call = { method: "PATCH", body: { status: "ACTIVE" }, headers: { "x-admin-token": ADMIN_TOKEN } };
    await insist(env, `/v1/admin/accounts/${tenant.id}`, call);
  });

const toggle = (env: Env, host: string, active: boolean) =>
  run(env, async () => {
    const tenant = env.scene.tenants.find(({ hooks }) => hooks.some((hook) => hook.host === host));
    const hook = tenant?.hooks.find((one) => one.host === host);
    if (!tenant || !hook) return;
    if (active) env.history.disabled.delete(host);
    else env.history.disabled.add(host);
    await insist(env, `/v1/webhooks/${hook.id}`, { method: "PATCH", body: { active }, headers: own(tenant) });
  });
const enable = (env: Env, host: string) => toggle(env, host, true);

const acts: Record<keyof typeof ACTS, (env: Env) => void> = {
  send: (env) => send(env, newAsked(env)),
  sendKeyed: (env) => send(env, newAsked(env, { key: `the-key-${env.history.asked.length + 1}` })),
  repeatKeyed(env) {
    const keyed = env.history.asked.filter(({ key }) => key !== undefined);
    if (keyed.length > 0) send(env, env.chance.pick(keyed));
  },
  write({ world, scene, chance, history }) {
    const { numberId } = chance.pick(chance.pick(scene.tenants).phones);
    world.graph.write(numberId, chance.pick(PEOPLE), `in ${history.asked.length} ${world.machine.count}`);
  },
  schedule(env) {
    const { world, chance } = env;
    const scheduledAt = world.machine.wall + 10_000 + chance.below(120_000);
    const asked = newAsked(env, { scheduledAt });
    run(env, async () => {
      const body = { scheduledAt: new Date(scheduledAt).toISOString(), payload: bodyOf(asked) };
      const answer = await ask(env, "/v1/messages/scheduled", { body, headers: own(asked.tenant) });
      note(asked, answer, answer?.body?.id);
    });
  },
  cancel(env) {
    const planned = env.history.asked.filter(({ scheduledAt, ids }) => scheduledAt !== undefined && ids.length > 0);
    if (planned.length === 0) return;
    const asked = env.chance.pick(planned);
    run(env, async () => {
      const call = { method: "DELETE", headers: own(asked.tenant) };
      const answer = await ask(env, `/v1/messages/scheduled/${asked.ids[0]}`, call);
      if (answer?.status === 204) asked.isCancelled = true;
    });
  },
  show(env) {
    const sent = env.history.asked.filter(({ ids, scheduledAt }) => ids.length > 0 && scheduledAt === undefined);
    if (sent.length === 0) return;
    const { tenant, ids } = env.chance.pick(sent);
    const messageId = ids[0] ?? "";
    run(env, async () => {
      const answer = await ask(env, `/v1/messages/${messageId}`, { headers: own(tenant) });
      const deaths = env.world.server.deaths.length;
      if (answer?.status === 200) env.history.shown.push({ messageId, status: answer.body.status, deaths });
    });
  },
  pry(env) {
    const sent = env.history.asked.filter(({ ids }) => ids.length > 0);
    if (sent.length === 0) return;
    const { tenant, ids, phone, scheduledAt } = env.chance.pick(sent);
    const stranger = env.scene.tenants.find((one) => one !== tenant);
    if (stranger)
      pry(env, stranger, { owner: tenant, id: ids[0] ?? "", phone, isScheduled: scheduledAt !== undefined });
  },
  mood({ world, scene, chance }) {
    const { host } = chance.pick(chance.pick(scene.tenants).hooks);
    world.customers.set(host, chance.weighted({ good: 4, slow: 2, hangs: 2, fails: 3, busy: 1, gone: 0.3, wild: 4 }));
  },
  disable(env) {
    const hooks = env.scene.tenants.flatMap((tenant) => tenant.hooks).filter(({ phoneId }) => phoneId === undefined);
    toggle(env, env.chance.pick(hooks).host, false);
  },
  enable(env) {
    for (const host of [...env.history.disabled].slice(0, 1)) enable(env, host);
  },
  retry(env) {
    const tenant = env.chance.pick(env.scene.tenants);
    const state = env.chance.pick(["FAILED", "WAITING"]);
    run(env, () => ask(env, "/v1/deliveries/retry", { body: { state }, headers: own(tenant) }));
  },
  suspend(env) {
    const tenant = env.chance.pick(env.scene.tenants);
    env.history.suspended.add(tenant);
    const call = { method: "PATCH", body: { status: "SUSPENDED" }, headers: { "x-admin-token": ADMIN_TOKEN } };
    run(env, () => insist(env, `/v1/admin/accounts/${tenant.id}`, call));
  },
  reactivate(env) {
    for (const tenant of [...env.history.suspended].slice(0, 1)) reactivate(env, tenant);
  },
};

type Target = { owner: Tenant; id: string; phone: Phone; isScheduled: boolean };

/** Tries to reach what belongs to another tenant. */
const pry = (env: Env, stranger: Tenant, { owner, id, phone, isScheduled }: Target): void => {
  const hook = owner.hooks.find(({ phoneId }) => phoneId === undefined)?.id;
  const headers = own(stranger);
  const tries: [string, Call][] = [
    [isScheduled ? `/v1/messages/scheduled/${id}` : `/v1/messages/${id}`, { headers }],
    [`/v1/phones/${phone.id}`, { headers }],
    [`/v1/webhooks/${hook}`, { headers, method: "PATCH", body: { active: false } }],
    [
      "/v1/messages",
      { headers, body: { phoneId: phone.id, to: "5511999990009", type: "text", content: { text: "x" } } },
    ],
    ...(isScheduled ? [[`/v1/messages/scheduled/${id}`, { headers, method: "DELETE" }] as [string, Call]] : []),
  ];
  const [path, call] = env.chance.pick(tries);
  run(env, async () => {
    const answer = await ask(env, path, call);
    if (answer && (answer.status < CODES_OF_REFUSAL.from || answer.status === 409))
      env.world.wrong.push(`${stranger.name} reached ${path} of ${owner.name}: ${answer.status}`);
  });
};
