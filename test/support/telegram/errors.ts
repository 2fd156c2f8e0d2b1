/**
 * The refusals of the Bot API. The texts are those of its server's source (https://github.com/tdlib/telegram-bot-api,
 * version 10.0); a client must decide by `code` and `parameters` if it can.
 */
export class Refusal extends Error {
  readonly code: number;
  readonly parameters: Readonly<Record<string, number>> | undefined;
  constructor(code: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (what: string): Refusal => new Refusal(400, `Bad Request: ${what}`);
export const forbidden = (what: string): Refusal => new Refusal(403, `Forbidden: ${what}`);
export const conflict = (what: string): Refusal => new Refusal(409, `Conflict: ${what}`);
export const notFound = (): Refusal => new Refusal(404, "Not Found");
export const methodNotFound = (): Refusal => new Refusal(404, "Not Found: method not found");
export const unauthorized = (): Refusal => new Refusal(401, "Unauthorized");
export const migrated = (chatId: number): Refusal =>
  new Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: chatId });

/** The body of a refusal, as https://core.telegram.org/bots/api#making-requests describes it. */
export const bodyOf = ({ code, message, parameters }: Refusal): object => ({
  ok: false,
  error_code: code,
  description: message,
  ...(parameters ? { parameters } : {}),
});
