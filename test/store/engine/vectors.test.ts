import { expect, test } from "bun:test";
import Database from "libsql";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { openConnection } from "../../../src/store/engine/connection.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { nextSeed } from "../../support/seeds.ts";

const SEED = nextSeed();
const temp = tempDatabases();

test(`vectors have the same bytes and distances in a file as on a libSQL server (SEED=${SEED})`, () => {
  const random = seededRandom(SEED);
  const file = temp.keep(openConnection(temp.path(), []));
  const libsql = new Database(":memory:");
  temp.keep({ close: () => void libsql.close() });
  const vector = (dimensions: number) =>
    Buffer.from(Float32Array.from({ length: dimensions }, () => random.float() - 0.5).buffer);
  const SQL = `SELECT hex(vector1bit(?1)), vector_distance_cos(?1, ?2),
    vector_distance_cos(vector1bit(?1), vector1bit(?2)), vector_distance_cos(?1, ?1)`;
  for (const dimensions of [1, 2, 3, 7, 8, 9, 16, 20, 31, 64, 1536]) {
    const both = [vector(dimensions), vector(dimensions)];
    const [bits, distance, differing, none] = file.prepare(SQL).rows(both)[0] ?? [];
    const [theirBits, theirs, theirDiffering] = libsql.prepare(SQL).raw(true).get(both) as [string, number, number];
    expect([dimensions, bits, differing]).toEqual([dimensions, theirBits, theirDiffering]);
    expect(distance).toBeCloseTo(theirs, 5);
    expect(none).toBeCloseTo(0, 6);
  }
  expect(() => file.prepare("SELECT vector_distance_cos(?1, ?2)").rows([vector(8), vector(16)])).toThrow("same length");
});
