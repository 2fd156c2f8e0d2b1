import { verifyChain } from "../../core/tenancy/audit/audit-chain.ts";
import { type Check, fault, ok } from "../check.ts";
import { onDatabase } from "./database.ts";

/** The audit log of administrative acts is unchanged. */
export const auditLog: Check = {
  name: "audit-log",
  isLong: true,
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      const report = await verifyChain({ read: (body) => body(reader) });
      if (report.isWhole)
        return ok(
          report.head === undefined
            ? "nothing has been recorded yet"
            : `${report.entries} acts, the last with the hash ${report.head}`,
        );
      const where =
        report.brokenAt === "end" ? "its last entries are missing" : `it is broken at entry ${report.brokenAt}`;
      return fault(
        `somebody has changed the audit log: ${where}`,
        'compare it with the hashes in the server\'s log ("an administrative act"), and change the admin token',
      );
    }),
};
