import type { Environment } from "../../src/kernel/reading.ts";
import { type Config, readConfig } from "../../src/kernel/settings/config.ts";

/** The configuration of an environment. Throws if it has faults. */
export const configOf = (env: Environment): Config => {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.faults.join("\n"));
  return read.config;
};

/** The faults of an environment; empty without faults. */
export const faultsOf = (env: Environment): string[] => {
  const read = readConfig(env);
  return read.ok ? [] : read.faults;
};

/** A master key in the form of its setting. */
export const KEY = Buffer.alloc(32, 0xfb).toString("base64");
/** A certificate without a known key. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBhDCCASmgAwIBAgIUT/e3oyRIqs0ShZ1pxe6l09nppYwwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLcmVjYWRvLXRlc3QwIBcNMjYxMTIwMTgyOTUwWhgPMjEyNjEw
MjcxODI5NTBaMBYxFDASBgNVBAMMC3JlY2Fkby10ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEwJNB1+dGzaEsEvEQ86LJi7WZp2a6sVL49cPedEdKMS6Ul74E
h/t0hfRSAuRVwVZhVnM2Xfu/gDP6ohKZ0IOaWKNTMFEwHQYDVR0OBBYEFAv2ptk3
Hnl0FI0Npqj21P7vqiTiMB8GA1UdIwQYMBaAFAv2ptk3Hnl0FI0Npqj21P7vqiTi
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAJE5lphI2Q+UxRwd
FAWGZ8AuKGgNb1g3cH4cOXT0f5VTAiEA8Ljue+2+97fqJ+InyIUEwqNfrEi67W8e
lxrCOvscIKg=
-----END CERTIFICATE-----
`;
