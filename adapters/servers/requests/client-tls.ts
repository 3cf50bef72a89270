/** TLS options of connections to a server of REST or Thrift, and the failures that TLS causes. */

import type { SecureContextOptions } from 'node:tls'
import { identityRefusal } from '../../../src/model/client-identity.ts'
import { reasonOf } from '../../../src/model/error-reason.ts'
import type { Trust } from './server-options.ts'

export function clientTls({ authorities: ca, identity }: Trust): SecureContextOptions {
  return {
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca }),
    ...(identity !== undefined && { cert: identity.certificate, key: identity.key }),
  }
}

/** The reason why another attempt would fail as well; undefined where it might succeed. `trust`: undefined without TLS. */
export function lastingFailure(error: NodeJS.ErrnoException, trust: Trust | undefined): string | undefined {
  if (trust === undefined) return undefined
  const refusal = identityRefusal(error, trust.identity)
  if (refusal !== undefined) return refusal
  return /CERT|SELF_SIGNED|VERIFY/.test(error.code ?? '')
    ? `${reasonOf(error)}: trust the certificate of the server's authority (tidegate: --tls-ca FILE)`
    : undefined
}
