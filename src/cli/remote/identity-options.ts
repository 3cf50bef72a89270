/** The certificate that a command shows to servers: `--tls-certificate`, `--tls-key`. */

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import type { ClientIdentity } from '../../model/client-identity.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { UsageError } from '../failures/usage-error.ts'

export interface IdentityFlags {
  readonly tlsCertificate?: string
  readonly tlsKey?: string
}

export function identityOptions(): readonly [Option, Option] {
  return [
    new Option(
      '--tls-certificate <file>',
      'show this certificate with its chain (PEM) to servers that ask clients for one',
    ),
    new Option('--tls-key <file>', 'the key of the certificate (PEM)'),
  ]
}

/** Undefined without the flags. Throws UsageError. */
export function readIdentity({ tlsCertificate, tlsKey }: IdentityFlags): ClientIdentity | undefined {
  if (tlsCertificate === undefined && tlsKey === undefined) return undefined
  if (tlsCertificate === undefined || tlsKey === undefined)
    throw new UsageError('--tls-certificate and --tls-key need each other')
  const certificate = textOf('--tls-certificate', tlsCertificate)
  const key = textOf('--tls-key', tlsKey)
  const leaf = parsed('--tls-certificate', tlsCertificate, () => new X509Certificate(certificate))
  const secret = parsed('--tls-key', tlsKey, () => createPrivateKey(key))
  if (!leaf.checkPrivateKey(secret))
    throw new UsageError(`--tls-key ${tlsKey}: it is not the key of the certificate in ${tlsCertificate}`)
  return { certificate, key }
}

/** The user that a server takes the certificate for: its CN. Undefined where it has none, or several. */
export function userOf({ certificate }: ClientIdentity): string | undefined {
  const { CN: name } = new X509Certificate(certificate).toLegacyObject().subject as { readonly CN?: unknown }
  return typeof name === 'string' && name !== '' ? name : undefined
}

function textOf(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${reasonOf(error)}`)
  }
}

function parsed<T>(flag: string, path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(`${flag} ${path}: it cannot be used (${reasonOf(error)})`)
  }
}
