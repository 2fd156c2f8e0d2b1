const AT = "2026-11-22T12:00:00.000Z";
const CHARGE = { category: "UTILITY", state: "DUE", currency: "BRL", count: 20, amountMicros: 800000 };

/** Fields of the machine, of the audit log and of money over all accounts. */
export const MACHINE_FIELDS = {
  checkedAt: { example: AT },
  "Examination.ok": { example: true },
  "DoctorCheck.outcome": { description: "`fault`: it does not work, or soon will not", example: "ok" },
  remedy: { description: "What to do about it; null where nothing is to be done", example: null },
  isChecked: { description: "It was opened and compared with the database", example: true },
  isConfigured: { description: "Whether `RECADO_BACKUP` is set", example: true },
  progress: { description: "How far it is; null while this process makes none", example: null },
  last: { description: "The last try; null before the first", example: null },
  lastMade: { description: "The last one that was made; null before the first", example: null },
  fault: { description: "Why the stored ones could not be listed; null where they could", example: null },
  addresses: {
    description: "Where it is reached, and where its data is",
    example: { gatewayUrl: "https://recado.example/gateway", listen: "127.0.0.1:8080", dataDir: "/var/lib/recado" },
  },
  disk: { example: { freeBytes: 44238000128, totalBytes: 85899345920, fullAt: null } },
  clients: { description: "The versions spoken to networks", example: [] },
  updates: {
    description: "What is known of newer releases; `RECADO_UPDATE_URL` says where the server looks",
    example: { isOn: true, readAt: AT, failure: null, newer: null },
  },
  isLive: { description: "Whether its lease is valid", example: true },
  isSelf: { description: "Whether it is the one that answers", example: true },
  announcedAt: { description: "When the operator was notified; null before", example: null },
  ways: { description: "How the operator is notified", example: { mail: true, url: false, telegram: false } },
  overdue: { description: "The part whose day for paying has passed", example: { count: 1, cents: 12990 } },
  institutionPlan: { description: "The plan of an institution; null for another account", example: null },
  "Takings.unpaid": { description: "What waits to be paid", example: { count: 2, cents: 25980 } },
  "Takings.months": {
    description: "The oldest first",
    example: [
      {
        month: "2026-11",
        isOver: false,
        messagesSent: 120,
        messagesReceived: 95,
        networkCharges: [CHARGE],
        invoicedCents: 0,
        paidCents: 0,
      },
    ],
  },
  "AccountAuditEntry.at": { description: "When it was done", example: AT },
  "System.startedAt": { description: "When this process was started", example: AT },
  "System.database": {
    description: "The database",
    example: { isShared: false, sizeBytes: 209715200, logBytes: 4194304 },
  },
  "System.media": { description: "The store of files", example: { place: "disk", sizeBytes: 10485760 } },
  "Node.url": { description: "Where other nodes reach it; null where they cannot", example: null },
  "Node.startedAt": { description: "When it was started", example: AT },
  "MonthOfAccount.activePhones": { description: "Phones that sent at least one message", example: 1 },
} as const;
