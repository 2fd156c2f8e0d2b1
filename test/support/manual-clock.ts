export { type ManualClock, manualClock } from "../../src/conformance/manual-clock.ts";
