/** Certificates and keys of a JKS file, the key store of Java 8 and older. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as Jks from 'jks-js'
import type { KeyStore } from './key-store.ts'

let loaded: typeof Jks | undefined

/** `password`: of the file and of its keys. Throws where it is wrong, or the file is damaged. */
export function readJks(bytes: Buffer, password: string): KeyStore {
  loaded ??= createRequire(import.meta.url)('jks-js') as typeof Jks
  const keys: KeyObject[] = []
  const certificates: X509Certificate[] = []
  for (const entry of loaded.parseJks(bytes, password)) {
    if ('cert' in entry) {
      certificates.push(new X509Certificate(entry.cert.value))
      continue
    }
    keys.push(createPrivateKey(loaded.decrypt(entry.protectedPrivateKey, password)))
    certificates.push(...entry.chain.map(({ value }) => new X509Certificate(value)))
  }
  return { keys, certificates }
}
