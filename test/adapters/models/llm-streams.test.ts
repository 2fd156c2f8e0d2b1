import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bodyValue } from "../../../src/adapters/models/llm-body.ts";

const LIMITS = { bytes: 1024 * 1024, values: 10_000 };
const valueOf = (text: string): unknown => bodyValue(new TextEncoder().encode(text), LIMITS);

const between = fc.constantFrom("", ": keep-alive\n", "event: message\n", "id: 7\n", "retry: 10\n", "data:\n", "\n");
const lineEnd = fc.constantFrom("\n", "\r\n");
const words = fc.string({ unit: fc.constantFrom(...('aé🎂 \n"\\{}[]:,data'.match(/./gsu) ?? [])), maxLength: 8 });

describe("a stream that nobody asked for", () => {
  test("says all its words in order, whatever stands between its events", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(words, between, lineEnd), { minLength: 1, maxLength: 8 }), (parts) => {
        const events = parts.map(([content, noise, end]) => {
          const chunk = JSON.stringify({ choices: [{ delta: { content } }] });
          return `data: ${chunk}${end}${noise.replaceAll("\n", end)}${end}`;
        });
        expect(valueOf(`${events.join("")}data: [DONE]\n\n`)).toMatchObject({
          choices: [{ message: { content: parts.map(([content]) => content).join("") } }],
        });
      }),
    );
  });

  test("gives a value or nothing, and no fault, whatever it has", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "data:",
        "data: ",
        "[DONE]",
        "\n",
        "\r",
        "{",
        "}",
        '{"choices":',
        "[",
        "]",
        "null",
        "event:",
        ":",
        "\0",
        '"',
      ),
      fc.json({ maxDepth: 3 }),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(() => valueOf(pieces.join(""))).not.toThrow();
        expect(() => valueOf(`data: ${pieces.join("")}`)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});
