/** A registry that checks by its servers' first answers whether they speak the protocol that their address names. */

import type { ServerName } from '../../../src/model/server-name.ts'
import type { Introduction } from '../../../src/store/introduction.ts'
import type { ConnectionRegistry, MetaLocation } from './connection-registry.ts'

export class IntroducedRegistry implements ConnectionRegistry {
  readonly #registry: ConnectionRegistry
  readonly #introduced: Introduction

  constructor(registry: ConnectionRegistry, introduced: Introduction) {
    this.#registry = registry
    this.#introduced = introduced
  }

  clusterId(): Promise<string> {
    return this.#introduced(() => this.#registry.clusterId())
  }

  activeMaster(): Promise<ServerName> {
    return this.#introduced(() => this.#registry.activeMaster())
  }

  metaLocation(): Promise<MetaLocation> {
    return this.#introduced(() => this.#registry.metaLocation())
  }

  close(): Promise<void> {
    return this.#registry.close()
  }
}
