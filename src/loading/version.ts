import { CONTRACT_VERSION } from "../contract/kind.ts";
import { VERSION } from "../version.ts";

type Version = { major: number; minor: number };

const FORM = /^(\d{1,4})\.(\d{1,4})$/;

/** Contract 1 was declared by this number. */
const FIRST = 1;

/** A version of the contract; undefined for any other value. */
const versionIn = (given: unknown): Version | undefined => {
  if (given === FIRST) return { major: FIRST, minor: 0 };
  const [, major, minor] = typeof given === "string" ? (FORM.exec(given) ?? []) : [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
};

/**
 * The packages to install if the versions of an adapter and of Recado do not match. An adapter needs the same major
 * version, and at most this minor version.
 */
export const versionFaults = (declared: unknown, adapter: string): string[] => {
  const here = `Recado ${VERSION} loads adapters for contract ${CONTRACT_VERSION}`;
  const [needed, own] = [versionIn(declared), versionIn(CONTRACT_VERSION)];
  if (needed === undefined || own === undefined) {
    const wanted = `a version of ${adapter} that exports contract: "${CONTRACT_VERSION}"`;
    return [`it declares no contract version, and ${here}: install ${wanted}`];
  }
  if (needed.major === own.major && needed.minor <= own.minor) return [];
  const isNewer = needed.major >= own.major;
  const remedy = isNewer
    ? `install a newer Recado, or an older ${adapter} for contract ${CONTRACT_VERSION}`
    : `install a newer ${adapter} for contract ${CONTRACT_VERSION}, or an older Recado`;
  return [`it was written for contract ${String(declared)}, and ${here}: ${remedy}`];
};
