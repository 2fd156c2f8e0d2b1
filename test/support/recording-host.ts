export { nextTurn, type RecordingHost, recordingHost } from "../../src/conformance/recording-host.ts";
