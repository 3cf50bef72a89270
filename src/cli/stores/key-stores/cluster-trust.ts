/**
 * TLS to the servers of a cluster, by the files of its options. Each new connection looks whether a file has changed: certificates are
 * exchanged without a restart. Where a changed file cannot be used, the earlier content stays in use.
 */

import type { SecureVersion } from 'node:tls'
import type { Logger } from 'pino'
import type { HostCheck, TlsTrust } from '../../../../adapters/hbase/rpc/open-socket.ts'
import { fileStates } from '../../../gateway/identity/files/file-states.ts'
import type { ClientIdentity } from '../../../model/client-identity.ts'
import type { ClusterTlsOptions, KeyStoreFile } from '../../settings/cluster-tls-options.ts'
import { authoritiesOf, identityOf } from './key-store.ts'
import { KeyStoreError } from './key-store-error.ts'
import { readKeyStore } from './read-key-store.ts'

interface Contents {
  readonly authorities: string | undefined
  readonly identity: ClientIdentity | undefined
}

export class ClusterTrust implements TlsTrust {
  readonly hostCheck: HostCheck
  readonly handshakeTimeoutMs: number
  readonly minVersion: SecureVersion | undefined
  readonly maxVersion: SecureVersion | undefined
  readonly ciphers: string | undefined
  readonly isOfCluster = true
  readonly #options: ClusterTlsOptions
  readonly #paths: readonly string[]
  readonly #logger: Logger
  #state: string
  #contents: Contents

  /** Throws KeyStoreError. */
  constructor(options: ClusterTlsOptions, logger: Logger) {
    const { truststore, keystore, checksHost } = options
    this.hostCheck = checksHost ? 'name-or-address' : 'none'
    this.handshakeTimeoutMs = options.handshakeTimeoutMs
    this.minVersion = options.minVersion
    this.maxVersion = options.maxVersion
    this.ciphers = options.ciphers
    this.#options = options
    this.#paths = [truststore, keystore].flatMap((file) => (file === undefined ? [] : [file.path]))
    this.#logger = logger
    // A change during the first reading is read again.
    this.#state = fileStates(this.#paths)
    this.#contents = contentsOf(options)
  }

  get authorities(): string | undefined {
    this.#look()
    return this.#contents.authorities
  }

  get identity(): ClientIdentity | undefined {
    this.#look()
    return this.#contents.identity
  }

  #look(): void {
    const state = fileStates(this.#paths)
    if (state === this.#state) return
    this.#state = state
    try {
      this.#contents = contentsOf(this.#options)
      this.#logger.info({ files: this.#paths }, 'certificates for the cluster read again')
    } catch (error) {
      if (!(error instanceof KeyStoreError)) throw error
      this.#logger.error(
        { err: error },
        `the certificates for the cluster stay as they were: ${error.key}: ${error.message}`,
      )
    }
  }
}

function contentsOf({ truststore, keystore }: ClusterTlsOptions): Contents {
  return {
    authorities: truststore && authoritiesIn(truststore),
    identity: keystore && identityIn(keystore),
  }
}

function authoritiesIn(file: KeyStoreFile): string {
  const authorities = authoritiesOf(readKeyStore(file))
  if (authorities !== '') return authorities
  throw new KeyStoreError(file.key, `${file.path} has no certificate of an authority`)
}

function identityIn(file: KeyStoreFile): ClientIdentity {
  const identity = identityOf(readKeyStore(file))
  if (identity !== undefined) return identity
  throw new KeyStoreError(file.key, `${file.path} has no private key with its certificate`)
}
