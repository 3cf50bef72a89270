/** Tidegate on its engine, in a process of its own, with a client of its native RPC. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/store/store.ts'
import type { ChildServer } from '../../test/harness/child-server.ts'
import { openRpcStore } from '../../test/harness/rpc-store.ts'
import { serve } from '../compare/target.ts'

export class GrowthServer {
  readonly folder: string
  #server: ChildServer
  #store: Store

  private constructor(folder: string, server: ChildServer, store: Store) {
    this.folder = folder
    this.#server = server
    this.#store = store
  }

  static async start(): Promise<GrowthServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tidegate-growth-'))
    const server = await serve(`native:${folder}`)
    return new GrowthServer(folder, server, await openRpcStore(server.port('rpc')))
  }

  get store(): Store {
    return this.#store
  }

  get thriftPort(): number {
    return this.#server.port('thrift')
  }

  residentBytes(): number {
    return this.#server.residentBytes()
  }

  /** Ends the process by the signal, starts it again on the same folder, and resolves to the milliseconds until it is ready. */
  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    await this.#store.close()
    await this.#server.stop(signal)
    const startedAt = performance.now()
    this.#server = await serve(`native:${this.folder}`)
    const ms = performance.now() - startedAt
    this.#store = await openRpcStore(this.#server.port('rpc'))
    return ms
  }

  async stop(): Promise<void> {
    await this.#store.close()
    await this.#server.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
