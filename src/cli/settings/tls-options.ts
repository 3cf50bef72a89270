import { type Command, Option } from 'commander'
import type { TlsSettings } from '../../gateway/identity/tls/tls-settings.ts'
import { UsageError } from '../failures/usage-error.ts'
import { RepeatableOption } from '../flags/given-once.ts'
import { addPaths } from '../flags/path-list.ts'

export function tlsOptions(): readonly Option[] {
  return [
    new RepeatableOption(
      '--tls-certificate <file>',
      'connections of every door are encrypted, with this certificate and its chain (PEM); several, by server name, may be repeated',
    )
      .env('TIDEGATE_TLS_CERTIFICATE')
      .argParser(addPaths)
      .default([]),
    new RepeatableOption(
      '--tls-key <file>',
      'the key of the certificate (PEM); one for each --tls-certificate, in their order; may be repeated',
    )
      .env('TIDEGATE_TLS_KEY')
      .argParser(addPaths)
      .default([]),
    new RepeatableOption(
      '--tls-client-ca <file>',
      "clients show a certificate of this authority (PEM), whose name is then their user's; may be repeated",
    )
      .env('TIDEGATE_TLS_CLIENT_CA')
      .argParser(addPaths)
      .default([]),
    new RepeatableOption(
      '--tls-client-crl <file>',
      'certificates of clients that an authority has revoked (CRL in PEM), one for each authority; may be repeated',
    )
      .env('TIDEGATE_TLS_CLIENT_CRL')
      .argParser(addPaths)
      .default([]),
    new Option('--tls-client-certificates <which>', 'whether every client must show a certificate')
      .env('TIDEGATE_TLS_CLIENT_CERTIFICATES')
      .choices(['required', 'optional'])
      .default('required'),
    new Option(
      '--tls-plain-too <doors>',
      'doors that take connections without TLS, too, such as web,zookeeper',
    )
      .env('TIDEGATE_TLS_PLAIN_TOO')
      .argParser((text: string) => text.split(',').map((name) => name.trim()))
      .default([]),
  ]
}

/** Undefined without a certificate. Throws UsageError for settings that do not fit each other. */
export function readTlsSettings(command: Command, doors: readonly string[]): TlsSettings | undefined {
  const list = (name: string): readonly string[] => command.getOptionValue(name) as readonly string[]
  const [certificates, keys] = [list('tlsCertificate'), list('tlsKey')]
  const [clientAuthorities, plainToo] = [list('tlsClientCa'), list('tlsPlainToo')]
  const clientRevocations = list('tlsClientCrl')
  const isOptional = command.getOptionValue('tlsClientCertificates') === 'optional'
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
