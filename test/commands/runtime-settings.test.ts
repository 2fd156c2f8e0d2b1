import { expect, test } from "bun:test";
import { runtimeSettings } from "../../src/commands/server/runtime-settings.ts";
import type { Config } from "../../src/kernel/settings/config.ts";

const ON_DISK = { media: { kind: "disk" } as Config["media"] };
const ON_S3 = { media: { kind: "s3" } as Config["media"] };
const MIB = 2 ** 20;

test("on a large machine the runtime keeps its own limits, but for media on S3", () => {
  expect(runtimeSettings(ON_DISK, {}, 2048 * MIB)).toEqual({});
  expect(runtimeSettings(ON_S3, {}, 2048 * MIB)).toEqual({ BUN_CONFIG_MAX_HTTP_REQUESTS: "4096" });
});

test("on a small machine the heap believes in half of the memory", () => {
  expect(runtimeSettings(ON_DISK, {}, 512 * MIB)).toEqual({ BUN_JSC_forceRAMSize: String(256 * MIB) });
  expect(Object.keys(runtimeSettings(ON_S3, {}, 1024 * MIB))).toHaveLength(2);
});

test("what the operator has set stays, so that a process is restarted once at most", () => {
  const made = runtimeSettings(ON_S3, {}, 512 * MIB);
  expect(runtimeSettings(ON_S3, made, 512 * MIB)).toEqual({});
  expect(runtimeSettings(ON_DISK, { BUN_JSC_forceRAMSize: "1" }, 512 * MIB)).toEqual({});
});
