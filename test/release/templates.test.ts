import { expect, test } from "bun:test";
import { TEMPLATES, templateText } from "../../scripts/release/templates.ts";
import { SETTING_NAMES } from "../../src/kernel/settings/settings.ts";

const VALUES = { image: "registry.example.com/recado:1.2.3", version: "1.2.3" };
const texts = Object.fromEntries(
  await Promise.all(TEMPLATES.map(async (name) => [name, await templateText(name, VALUES)] as const)),
) as Record<(typeof TEMPLATES)[number], string>;

/** What a way to run the image says, in the same words for all. */
type Way = {
  image: unknown;
  settings: Record<string, string>;
  volumes: string[];
  health: unknown;
  isReadOnly: boolean;
  port: unknown;
};

const HEALTH = {
  test: ["CMD", "/usr/bin/recado", "health"],
  interval: "30s",
  timeout: "10s",
  start_period: "300s",
  retries: 3,
};
const PROXIES = "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16";

const pairs = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));

const composeWay = (text: string): Way => {
  const { services } = Bun.YAML.parse(text) as any;
  const { image, environment = {}, volumes, healthcheck, read_only, ports } = services.recado;
  const settings = Array.isArray(environment)
    ? pairs(environment.filter((line: string) => line.includes("=")))
    : environment;
  return {
    image,
    settings,
    volumes: volumes.map((one: string) => one.split(":")[1]),
    health: healthcheck,
    isReadOnly: read_only,
    port: ports?.[0]?.target,
  };
};

const quadletWay = (text: string): Way => {
  const all = (name: string) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
  const [test = ""] = all("HealthCmd");
  return {
    image: all("Image")[0],
    settings: pairs(all("Environment")),
    volumes: all("Volume").map((one) => one.split(":")[1] ?? ""),
    health: {
      test: test.split(" "),
      interval: all("HealthInterval")[0],
      timeout: all("HealthTimeout")[0],
      start_period: all("HealthStartPeriod")[0],
      retries: Number(all("HealthRetries")[0]),
    },
    isReadOnly: all("ReadOnly")[0] === "true",
    port: Number(all("PublishPort")[0]?.split(":").at(-1)),
  };
};

const ways: [string, Way][] = [
  ["compose.yaml", composeWay(texts["compose.yaml"])],
  ["recado.container", quadletWay(texts["recado.container"])],
  ["coolify.yaml", composeWay(texts["coolify.yaml"])],
  ["casaos.yaml", composeWay(texts["casaos.yaml"])],
];

test.each(ways)(
  "%s runs the image of the release with its volumes, its health check and a read-only root",
  (_, way) => {
    expect(way).toMatchObject({ image: VALUES.image, health: HEALTH, isReadOnly: true });
    expect(way.volumes).toEqual(["/data", "/cache"]);
    expect([undefined, 8080]).toContain(way.port as number);
  },
);

test("easypanel.json runs the same image with the same volumes and settings; its health check is the image's", () => {
  const { services } = JSON.parse(texts["easypanel.json"]);
  expect(services).toHaveLength(1);
  const [{ type, data }] = services;
  expect([type, data.source, data.domains[0].port]).toEqual(["app", { type: "image", image: VALUES.image }, 8080]);
  expect(data.mounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(["/data", "/cache"]);
  expect(pairs(data.env.split("\n"))).toEqual({
    RECADO_PUBLIC_URL: "https://$(PRIMARY_DOMAIN)",
    RECADO_TRUSTED_PROXIES: PROXIES,
  });
});

test("the settings that the templates give exist; proxies are trusted only where nobody else reaches the port", () => {
  for (const [name, { settings }] of ways) {
    expect(Object.keys(settings).filter((one) => !SETTING_NAMES.some((known) => known === one))).toEqual([]);
    const isOpen = name === "casaos.yaml";
    expect([name, settings["RECADO_TRUSTED_PROXIES"]]).toEqual([name, isOpen ? undefined : PROXIES]);
  }
  const { services } = Bun.YAML.parse(texts["compose.yaml"]) as any;
  expect(services.recado.ports).toBeUndefined();
  expect(texts["recado.container"]).toMatch(/^PublishPort=127\.0\.0\.1:/m);
});

test("compose.yaml declares every volume, and Caddy passes requests on to the service under its domain", () => {
  const { services, volumes } = Bun.YAML.parse(texts["compose.yaml"]) as any;
  const used = Object.values<{ volumes: string[] }>(services).flatMap((one) =>
    one.volumes.flatMap((volume) => (volume.startsWith("./") ? [] : [volume.split(":")[0] ?? ""])),
  );
  expect(used.sort()).toEqual(Object.keys(volumes).sort());
  expect(services.caddy.volumes).toContain("./Caddyfile:/etc/caddy/Caddyfile:ro");
  expect(texts.Caddyfile).toMatch(/^\{\$DOMAIN\} \{\n\treverse_proxy recado:8080 /);
});

test("casaos.yaml opens the console at the port that it publishes", () => {
  const { services, "x-casaos": app } = Bun.YAML.parse(texts["casaos.yaml"]) as any;
  expect(services.recado.ports[0]).toMatchObject({ target: 8080, published: app.port_map });
  expect([app.main, app.index]).toEqual(["recado", "/console/"]);
});

test("a place that nothing fills is refused", async () => {
  const refusal = await templateText("compose.yaml", { image: "__OTHER__", version: "1" }).catch(String);
  expect(refusal).toContain("compose.yaml has a place that nothing fills");
});
