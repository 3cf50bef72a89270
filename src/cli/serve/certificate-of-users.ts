/** By which name and with which authority a command on this machine trusts the server's certificate. */

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { TlsSettings } from '../../gateway/identity/tls/tls-settings.ts'
import { shellWord } from '../terminal/shell-word.ts'

export interface Encryption {
  /** A name of the certificate; undefined: it has none that could be read. */
  readonly name: string | undefined
  /** The option of curl that trusts the certificate; empty where curl trusts it without. */
  readonly curl: string
  /** The same of Tidegate's commands. */
  readonly shell: string
}

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** Reads the first certificate of the settings. `names`: of the server, the preferred first. */
export function encryptionOf({ pairs }: TlsSettings, names: readonly string[]): Encryption {
  const path = pairs[0]!.certificate
  let chain: readonly X509Certificate[] = []
  try {
    chain = (readFileSync(path, 'utf8').match(PEM) ?? []).map((text) => new X509Certificate(text))
  } catch {
    // The server has read it: it may be gone by now, and the user knows the names.
  }
  const [leaf] = chain
  const name = leaf && (names.find((wanted) => isFor(leaf, wanted)) ?? firstNameOf(leaf))
  const top = chain.at(-1)
  if (top !== undefined && isPublic(top)) return { name, curl: '', shell: '--tls' }
  const authority = top?.checkIssued(top) === true ? shellWord(path) : 'AUTHORITY'
  return { name, curl: `--cacert ${authority}`, shell: `--tls-ca ${authority}` }
}

function isFor(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined
}

function firstNameOf({ subjectAltName }: X509Certificate): string | undefined {
  return /\bDNS:([^,*\s]+)/.exec(subjectAltName ?? '')?.[1]
}

/** True where Node, and so most likely the system, knows the authority. */
function isPublic(top: X509Certificate): boolean {
  return rootCertificates.some((text) => top.checkIssued(new X509Certificate(text)))
}
