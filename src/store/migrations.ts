import m0 from "../../migrations/0000_init.sql" with { type: "text" };
import m1 from "../../migrations/0001_messaging.sql" with { type: "text" };
import m2 from "../../migrations/0002_session.sql" with { type: "text" };
import m3 from "../../migrations/0003_platform.sql" with { type: "text" };
import m4 from "../../migrations/0004_extensions.sql" with { type: "text" };
import m5 from "../../migrations/0005_appliance.sql" with { type: "text" };
import m6 from "../../migrations/0006_charge_windows.sql" with { type: "text" };
import m7 from "../../migrations/0007_late_group_news.sql" with { type: "text" };
import m8 from "../../migrations/0008_hardening.sql" with { type: "text" };
import m9 from "../../migrations/0009_tmp_kinds.sql" with { type: "text" };

/** Every migration, oldest first; written by scripts/new-migration.ts. */
export const MIGRATIONS: readonly { tag: string; sql: string }[] = [
  { tag: "0000_init", sql: m0 },
  { tag: "0001_messaging", sql: m1 },
  { tag: "0002_session", sql: m2 },
  { tag: "0003_platform", sql: m3 },
  { tag: "0004_extensions", sql: m4 },
  { tag: "0005_appliance", sql: m5 },
  { tag: "0006_charge_windows", sql: m6 },
  { tag: "0007_late_group_news", sql: m7 },
  { tag: "0008_hardening", sql: m8 },
  { tag: "0009_tmp_kinds", sql: m9 },
];
