import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SoundFile } from "../../../src/contract/ports/llm.ts";
import { toneWav } from "../../support/files/sounds.ts";
import { QUESTION, ANSWER as SPOKEN } from "../../support/files/speech.ts";
import { useLlmClient } from "../../support/llm/client.ts";
import {
  PROVIDER_KEY,
  PROVIDERS,
  type Sounds,
  type StartedProvider,
  soundPath,
  startProvider,
} from "../../support/llm/providers/index.ts";

const { llm } = useLlmClient();

const sounding = PROVIDERS.map(({ sounds, ...provider }) => {
  if (!sounds) throw new Error(`${provider.name} has no line in the table of sounds`);
  return [provider.name, { ...provider, sounds }] as const;
});

describe.each(sounding)("%s", (_, provider) => {
  const { sounds, paths, models } = provider;
  let started: StartedProvider;
  beforeAll(() => {
    started = startProvider(provider);
  });
  afterAll(() => started.stop());
  const named = () => ({ provider: { baseUrl: started.url, apiKey: PROVIDER_KEY }, model: models.chat });
  const refusals = (call: Parameters<typeof soundPath>[1]): number =>
    started.calls.filter(({ path, status }) => path === soundPath(paths, call) && status >= 400).length;

  test("X-103 a voice note is heard, or the account is told why not; its own form of a request is met once", async () => {
    const sound: SoundFile = { bytes: QUESTION.bytes, filename: "voice.ogg", contentType: "audio/ogg" };
    const wav: SoundFile = { bytes: toneWav(), filename: "voice.wav", contentType: "audio/wav" };
    const transcribe = () => llm.transcribe({ ...named(), sound, asWav: () => Promise.resolve(wav), language: "pt" });
    const first = await transcribe();
    if (sounds.transcribes !== true)
      return expect(first).toMatchObject({ ok: false, reason: expect.stringMatching(sounds.transcribes) });
    expect(first).toMatchObject({ ok: true, value: { text: QUESTION.words } });
    const before = refusals("transcriptions");
    expect(await transcribe()).toMatchObject({ ok: true });
    // a note that a provider cannot decode says nothing of the next
    expect(refusals("transcriptions") - before).toBe(provider.name === "llama.cpp" ? 1 : 0);
  });

  test("X-103 an answer is spoken, or the account is told why not; its own form of a request is met once", async () => {
    const say = () => llm.speak({ ...named(), voice: "alloy", text: SPOKEN.words });
    const first = await say();
    if (sounds.speaks !== true)
      return expect(first).toMatchObject({ ok: false, reason: expect.stringMatching(sounds.speaks) });
    expect(first).toEqual({ ok: true, value: SPOKEN.bytes });
    const before = refusals("speech");
    expect(await say()).toEqual({ ok: true, value: SPOKEN.bytes });
    expect(refusals("speech") - before).toBe(0);
  });
});

/** The line of a provider in the table of sounds: who hears, who speaks. */
const lineOf = (text: string, name: string): string[] =>
  (/^\| (?:Provider|Provedor) \| (?:hears|ouve)[^]*?\n\n/m.exec(text)?.[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith(`| ${name} |`))
    .flatMap((line) => line.split("|").slice(2, 4))
    .map((cell) => cell.trim());

const said = (does: Sounds["transcribes"], [yes, no]: readonly [string, string]): string => (does === true ? yes : no);

test.each([
  ["docs/agents.md", ["yes", "no"]],
  ["docs/pt-BR/agents.md", ["sim", "não"]],
] as const)("%s says who hears and who speaks", (page, words) => {
  const text = readFileSync(join(import.meta.dir, "../../..", page), "utf8");
  for (const [name, { sounds }] of sounding)
    expect([name, ...lineOf(text, name)]).toEqual([name, said(sounds.transcribes, words), said(sounds.speaks, words)]);
});
