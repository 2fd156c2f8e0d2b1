export { CONTENTS, SAMPLES } from "../../src/conformance/samples.ts";
