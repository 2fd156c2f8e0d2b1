import { expect, test } from "bun:test";
import { reachOf } from "../../src/console/web/parts/link-reach.ts";

test("a link says who can open it: this computer, its network, or everybody", () => {
  const reached = (reach: string, ...hosts: string[]) => {
    for (const host of hosts) expect([host, reachOf(`http://${host}:8080/console/pair/x`)]).toEqual([host, reach]);
  };
  reached("computer", "localhost", "a.localhost", "127.0.0.1", "127.8.9.1", "[::1]");
  reached("network", "10.0.0.1", "192.168.1.9", "172.16.0.1", "172.31.9.9", "169.254.1.1", "100.64.0.1");
  reached("network", "server", "recado.local", "box.lan", "a.internal", "x.home.arpa", "[fd00::1]", "[fe80::1]");
  reached("everybody", "recado.example.com", "8.8.8.8", "172.32.0.1", "100.128.0.1", "11.0.0.1", "[2001:db8::1]");
  reached("everybody", "10.example.com", "localhost.example.com");
});
