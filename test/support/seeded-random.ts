export { seededRandom } from "../../src/conformance/seeded-random.ts";
