import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeMigrated } from "../../support/databases/migrated.ts";
import type { Image } from "./disk.ts";
import { ADMIN_TOKEN, type Answer, type Call } from "./server.ts";
import { createWorld, until, type World } from "./world.ts";

/** A webhook of a tenant, and the host of its endpoint. */
export type Hook = { id: string; host: string; phoneId: string | undefined; isOrdered: boolean };
export type Phone = { id: string; numberId: string };
export type Tenant = { name: string; id: string; key: string; phones: Phone[]; hooks: Hook[] };

/** What every run begins with: two tenants with phones and webhooks, in a database that is closed in good order. */
/** `lastSeq`: the newest event in it. */
export type Scene = { image: Image; tenants: readonly Tenant[]; lastSeq: number };

const SECRET = "the-secret-of-a-webhook";

const empty = (folder: string): Image => {
  const path = join(mkdtempSync(join(folder, "empty-")), "recado.db");
  makeMigrated(path);
  return { db: readFileSync(path), wal: new Uint8Array() };
};

const asking =
  (world: World, headers: Record<string, string>) =>
  async (path: string, body: unknown): Promise<any> => {
    const call: Call = { headers, body };
    const answer: Answer | undefined = await world.server.ask(`/gateway${path}`, call);
    if (answer === undefined || answer.status >= 300) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
    return answer.body;
  };

const makeTenant = async (world: World, name: string, first: number): Promise<Tenant> => {
  const admin = asking(world, { "x-admin-token": ADMIN_TOKEN });
  const { id } = await admin("/v1/admin/accounts", { name });
  const { key } = await admin(`/v1/admin/accounts/${id}/api-keys`, { name: "key" });
  const own = asking(world, { "x-api-key": key });
  const tenant: Tenant = { name, id, key, phones: [], hooks: [] };
  for (const index of [0, 1]) {
    const numberId = `1555${first + index}`;
    const host = `${name}-${index}.example`;
    const phone = await own("/v1/phones", {
      type: "WABA",
      label: `Phone ${index}`,
      credentials: { phoneNumberId: numberId, businessAccountId: `1022${numberId}`, accessToken: `EAA${numberId}` },
      webhook: { url: `https://${host}/hook`, secret: SECRET },
    });
    tenant.phones.push({ id: phone.id, numberId });
    tenant.hooks.push({ id: "", host, phoneId: phone.id, isOrdered: false });
  }
  const host = `${name}-all.example`;
  const shared = await own("/v1/webhooks", {
    label: "All",
    url: `https://${host}/hook`,
    secret: SECRET,
    allPhones: true,
    ordering: "chat",
  });
  tenant.hooks.push({ id: shared.id, host, phoneId: undefined, isOrdered: true });
  return tenant;
};

const SOURCES = join(import.meta.dir, "../../../src");

/**
 * Makes the scene through the APIs of a server without any faults. A program loads modules when it first needs them: that
 * takes real time, in which a varying number of things would happen. So all are loaded first, and the scene is made twice.
 */
export const makeScene = async (folder: string): Promise<Scene> => {
  for (const path of new Bun.Glob("{core,apis}/**/*.ts").scanSync(SOURCES))
    if (!path.endsWith(".d.ts")) await import(join(SOURCES, path));
  await makeOnce(folder);
  return makeOnce(folder);
};

const makeOnce = async (folder: string): Promise<Scene> => {
  const world = createWorld(0, { folder, image: empty(folder) });
  world.server.start();
  await world.machine.quiet();
  await world.machine.stepsUntil(() => world.server.isUp);
  const make = async () => [await makeTenant(world, "ana", 10), await makeTenant(world, "bia", 20)];
  const tenants = await until(world, make());
  const endsAt = world.machine.now + 60_000;
  await world.machine.stepsUntil(() => (world.machine.nextAt() ?? endsAt) >= endsAt);
  const subscriptions = (await world.server.app?.env.db.read((reader) =>
    reader.rows<{ id: string; url: string }>("SELECT id, url FROM subscriptions"),
  )) as { id: string; url: string }[];
  for (const hook of tenants.flatMap(({ hooks }) => hooks))
    hook.id = subscriptions.find(({ url }) => url === `https://${hook.host}/hook`)?.id ?? "";
  const newest = await world.server.app?.env.db.read((reader) =>
    reader.rows<{ seq: number }>("SELECT max(seq) AS seq FROM events"),
  );
  const image = await until(world, world.server.stop());
  return { image, tenants, lastSeq: newest?.[0]?.seq ?? 0 };
};
