/** The registry of a cluster whose address does not name the kind of its servers. The first answer shows the kind. */

import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { ServerAddress } from '../config/cluster-address.ts'
import { FinalFailure } from '../retry/final-failure.ts'
import type { ConnectionRegistry, MetaLocation } from './connection-registry.ts'
import type { FoundRegistry } from './registry-probe.ts'

export class EitherRegistry implements ConnectionRegistry {
  readonly #servers: readonly ServerAddress[]
  readonly #probe: (server: ServerAddress) => Promise<FoundRegistry>
  readonly #open: (kind: FoundRegistry) => ConnectionRegistry
  #registry: Promise<ConnectionRegistry> | undefined
  #closed = false

  constructor(
    servers: readonly ServerAddress[],
    probe: (server: ServerAddress) => Promise<FoundRegistry>,
    open: (kind: FoundRegistry) => ConnectionRegistry,
  ) {
    this.#servers = servers
    this.#probe = probe
    this.#open = open
  }

  async clusterId(): Promise<string> {
    return (await this.#found()).clusterId()
  }

  async activeMaster(): Promise<ServerName> {
    return (await this.#found()).activeMaster()
  }

  async metaLocation(): Promise<MetaLocation> {
    return (await this.#found()).metaLocation()
  }

  async close(): Promise<void> {
    this.#closed = true
    const registry = await this.#registry?.catch(() => undefined)
    await registry?.close()
  }

  #found(): Promise<ConnectionRegistry> {
    this.#registry ??= this.#find()
    return this.#registry
  }

  /** Throws UNAVAILABLE, or FinalFailure where no server can be trusted; the next question probes again. */
  async #find(): Promise<ConnectionRegistry> {
    try {
      const kind = await Promise.any(this.#servers.map((server) => this.#probe(server)))
      if (this.#closed) throw new HBaseError('UNAVAILABLE', 'The store is closed')
      return this.#open(kind)
    } catch (error) {
      this.#registry = undefined
      if (!(error instanceof AggregateError)) throw error
      const reasons = error.errors.map((reason: Error) => reason.message)
      const failure = new HBaseError(
        'UNAVAILABLE',
        `No server of the cluster answers: ${reasons.join('; ')}`,
        { cause: error },
      )
      throw error.errors.every((reason) => reason instanceof FinalFailure)
        ? new FinalFailure(failure)
        : failure
    }
  }
}
