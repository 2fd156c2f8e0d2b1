export { SentByView } from "../../shared/docs/sent-by.ts";
