/** Encryption of every door, and certificates of clients. */

import type { TlsSettings } from '../../gateway/identity/tls/tls-settings.ts'
import { UsageError } from '../failures/usage-error.ts'
import { addPaths } from '../flags/paths.ts'
import type { SettingsOf } from './setting.ts'

export interface TlsValues {
  /** Paths of certificates; empty: connections are not encrypted. */
  readonly tlsCertificate: readonly string[]
  /** Paths of the keys of the certificates, in their order. */
  readonly tlsKey: readonly string[]
  /** Paths of the authorities of clients' certificates; empty: clients show none. */
  readonly tlsClientCa: readonly string[]
  /** Paths of the authorities' lists of revoked certificates. */
  readonly tlsClientCrl: readonly string[]
  readonly tlsClientCertificates: 'required' | 'optional'
  /** Doors that take connections without TLS, too. */
  readonly tlsPlainToo: readonly string[]
}

export const TLS_SETTINGS: SettingsOf<TlsValues> = {
  tlsCertificate: {
    group: 'Encryption',
    takes: '<file>',
    about:
      'encrypt connections of every door with this certificate and its chain (PEM); may be repeated, for several server names',
    parse: addPaths,
    repeats: true,
    fallback: [],
  },
  tlsKey: {
    group: 'Encryption',
    takes: '<file>',
    about:
      'the key of the certificate (PEM); one for each --tls-certificate, in their order; may be repeated',
    parse: addPaths,
    repeats: true,
    fallback: [],
  },
  tlsClientCa: {
    group: 'Encryption',
    takes: '<file>',
    about: 'clients show a certificate of this authority (PEM), which names their user; may be repeated',
    parse: addPaths,
    repeats: true,
    fallback: [],
  },
  tlsClientCrl: {
    group: 'Encryption',
    takes: '<file>',
    about:
      'certificates of clients that an authority has revoked (CRL in PEM), one file for each authority; may be repeated',
    parse: addPaths,
    repeats: true,
    fallback: [],
  },
  tlsClientCertificates: {
    group: 'Encryption',
    takes: '<which>',
    about: 'whether every client must show a certificate',
    choices: ['required', 'optional'],
    fallback: 'required',
  },
  tlsPlainToo: {
    group: 'Encryption',
    takes: '<doors>',
    about: 'doors that take connections without TLS, too, such as web,zookeeper',
    parse: (text) => text.split(',').map((name) => name.trim()),
    fallback: [],
  },
}

/** The TLS settings; undefined without a certificate. Throws UsageError for settings that do not fit each other. */
export function tlsSettings(values: TlsValues, doors: readonly string[]): TlsSettings | undefined {
  const { tlsCertificate: certificates, tlsKey: keys, tlsPlainToo: plainToo } = values
  const { tlsClientCa: clientAuthorities, tlsClientCrl: clientRevocations } = values
  const isOptional = values.tlsClientCertificates === 'optional'
  if (keys.length !== certificates.length) {
    throw new UsageError(
      `each --tls-certificate needs its --tls-key, in the same order (certificates: ${certificates.length}, keys: ${keys.length})`,
    )
  }
  const stranger = plainToo.find((name) => !doors.includes(name))
  if (stranger !== undefined)
    throw new UsageError(`--tls-plain-too: "${stranger}" is no door; they are ${doors.join(', ')}`)
  if (clientRevocations.length > 0 && clientAuthorities.length === 0)
    throw new UsageError('--tls-client-crl needs --tls-client-ca: the authorities of those certificates')
  if (certificates.length === 0) {
    if (clientAuthorities.length > 0)
      throw new UsageError('--tls-client-ca needs --tls-certificate and --tls-key')
    if (plainToo.length > 0) throw new UsageError('--tls-plain-too needs --tls-certificate and --tls-key')
    return undefined
  }
  if (isOptional && clientAuthorities.length === 0)
    throw new UsageError(
      '--tls-client-certificates needs --tls-client-ca: the authorities of those certificates',
    )
  return {
    pairs: certificates.map((certificate, index) => ({ certificate, key: keys[index]! })),
    clientAuthorities,
    clientRevocations,
    areClientCertificatesOptional: isOptional,
    plainToo: new Set(plainToo),
  }
}
