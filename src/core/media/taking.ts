import type { TempFile } from "../../contract/ports/files.ts";
import { deadlineIn } from "../../kernel/async.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { requireStorage } from "../tenancy/accounts/collections.ts";
import type { MediaEnv } from "./env.ts";

/** How long a client may take to send a file. */
const TIMEOUT_MS = 10 * MINUTE_MS;

type Taken = { body: AsyncIterable<Uint8Array>; maxBytes: number };

/**
 * Receives a file from a client and passes it to `use` whole. The file is on our disk only until then.
 * @throws AppError UPLOAD_LIMIT_REACHED, STORAGE_QUOTA_EXCEEDED for an account whose storage is full, BODY_TOO_LARGE,
 *   VALIDATION for a body that breaks off, and what `use` throws
 */
export const takeFile = async <Result>(
  env: MediaEnv,
  scope: TenantScope,
  taken: Taken,
  use: (file: TempFile) => Promise<Result>,
): Promise<Result> => {
  if (env.uploads.isFull(scope.tenantId))
    throw new AppError("UPLOAD_LIMIT_REACHED", {
      message: "Too many files of this account are being uploaded at this moment.",
      retryAfterSeconds: 5,
    });
  // a caller that stores the file checks again, in the write that stores it
  await env.db.read((reader) => requireStorage(env, reader, scope.tenantId, 1));
  return env.uploads.run(scope.tenantId, async () => {
    const tempFile = await wholeOf(env, taken);
    try {
      return await use(tempFile);
    } finally {
      await tempFile.dispose();
    }
  });
};

const wholeOf = async ({ files, clock }: MediaEnv, { body, maxBytes }: Taken): Promise<TempFile> => {
  const deadline = deadlineIn(clock, TIMEOUT_MS);
  const tempFile = await files.writeTempFile(deadline.cut(body), { maxBytes }).finally(deadline.end);
  if (tempFile.ok) return tempFile;
  throw tempFile.failure === "too-large"
    ? new AppError("BODY_TOO_LARGE", { message: `The file has more than ${maxBytes} bytes.` })
    : invalid(issue("", "format", "the body broke off before it was whole"));
};
