import m0 from "../../migrations/0000_init.sql" with { type: "text" };
import m1 from "../../migrations/0001_messaging.sql" with { type: "text" };
import m2 from "../../migrations/0002_session.sql" with { type: "text" };

/** Every migration, oldest first; written by scripts/new-migration.ts. */
export const MIGRATIONS: readonly { tag: string; sql: string }[] = [
  { tag: "0000_init", sql: m0 },
  { tag: "0001_messaging", sql: m1 },
  { tag: "0002_session", sql: m2 },
];
