/** Certificates and keys in PEM. HBase: PemReader. */

import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { KeyStore } from './key-store.ts'

const CERTIFICATE =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g
const KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[^]*?-----END (?:[A-Z]+ )?PRIVATE KEY-----/g

/** `password`: of encrypted keys. Throws where a part is no certificate or key. */
export function readPem(bytes: Buffer, password: string): KeyStore {
  const text = bytes.toString('latin1')
  return {
    certificates: (text.match(CERTIFICATE) ?? []).map((block) => new X509Certificate(block)),
    keys: (text.match(KEY) ?? []).map((key) => createPrivateKey({ key, passphrase: password })),
  }
}
