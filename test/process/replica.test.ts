import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { processes } from "../support/processes/process.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";
import { untilTrue } from "../support/world.ts";

const servers = libsqlServers();
const { serve, dataDir } = processes();

test("a server with a replica follows its database from a thread of its own, wherever the program's files lie", async () => {
  const { url } = await servers.server();
  const replica = join(servers.newFolder(), "made", "replica.db");
  // the library that follows wants a certificate authority to trust, also where it needs none
  const authorities = join(servers.newFolder(), "ca.pem");
  writeFileSync(authorities, rootCertificates[0] ?? "");
  const gateway = await serve({
    RECADO_DATA_DIR: dataDir(),
    RECADO_DATABASE_URL: url,
    RECADO_DATABASE_REPLICA: replica,
    SSL_CERT_FILE: authorities,
  });
  await untilTrue(() => existsSync(`${replica}-client_wal_index`));
  expect((await fetch(`${gateway.gatewayUrl.replace(/^http:\/\/[^/]+/, gateway.url)}/health/ready`)).status).toBe(200);
  gateway.signal("SIGTERM");
  const { code, err } = await gateway.ended;
  expect([code, err.includes("replica")]).toEqual([0, false]);
});
