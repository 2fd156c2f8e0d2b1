import { AppError } from "../../kernel/errors.ts";

/** Another tenant's channel is as unknown as one that never was. */
export const unknownChannel = () => new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel." });
