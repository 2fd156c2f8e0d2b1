// Prints what Recado knows of its networks, and which facts are older than 30 days: npm run networks
//   bun scripts/networks.ts            exit code 1 if a fact is old
import { tableText } from "./list.ts";
import { ageInDays, OBSERVATIONS, OLD_AFTER_DAYS, oldObservations } from "./networks/observations.ts";

const now = Date.now();
const old = oldObservations(now);
const rows = OBSERVATIONS.map((fact) => [
  fact.name,
  fact.value,
  fact.seenOn,
  fact.lookedOn,
  `${ageInDays(fact, now)} days`,
  old.includes(fact) ? "OLD" : "",
]);
console.log(tableText([["fact", "value", "seen on", "looked on", "age of the look", ""], ...rows]));
if (old.length > 0) {
  console.log(
    `\n${old.length} of ${rows.length} are older than ${OLD_AFTER_DAYS} days: docs/networks.md says what to do`,
  );
  process.exitCode = 1;
}
