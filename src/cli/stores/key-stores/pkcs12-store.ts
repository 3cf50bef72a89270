/**
 * Certificates and keys of a PKCS #12 file. Node reads only files with a key, and a truststore has none; node-forge reads both.
 */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as Forge from 'node-forge'
import type { KeyStore } from './key-store.ts'

let loaded: typeof Forge | undefined

/** Throws where the password is wrong, or the bytes are no such file. */
export function readPkcs12(bytes: Buffer, password: string): KeyStore {
  loaded ??= createRequire(import.meta.url)('node-forge') as typeof Forge
  const { asn1, pkcs12, pki } = loaded
  const store = pkcs12.pkcs12FromAsn1(asn1.fromDer(bytes.toString('latin1')), password)
  const keys: KeyObject[] = []
  const certificates: X509Certificate[] = []
  const derOf = (value: Forge.asn1.Asn1): Buffer => Buffer.from(asn1.toDer(value).getBytes(), 'latin1')
  for (const bag of store.safeContents.flatMap(({ safeBags }) => safeBags)) {
    const { cert, key, asn1: other } = bag
    if (bag.type === pki.oids['certBag']) {
      const certificate = cert ? pki.certificateToAsn1(cert) : other
      certificates.push(new X509Certificate(derOf(certificate)))
    } else if (bag.type === pki.oids['keyBag'] || bag.type === pki.oids['pkcs8ShroudedKeyBag']) {
      // node-forge knows keys of RSA, and leaves all others as they are.
      keys.push(
        key
          ? createPrivateKey({ key: derOf(pki.privateKeyToAsn1(key)), format: 'der', type: 'pkcs1' })
          : createPrivateKey({ key: derOf(other), format: 'der', type: 'pkcs8' }),
      )
    }
  }
  return { keys, certificates }
}
