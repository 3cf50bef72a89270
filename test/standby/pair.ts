/** Tidegate servers in this process, a leader and its standby, and the content of their stores. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../src/library/start-tidegate.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type MutationOptions } from '../../src/model/mutation.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Standby, StandbyState } from '../../src/store/standby.ts'
import type { Store } from '../../src/store/store.ts'
import { keptPort } from '../harness/kept-port.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { bytes } from '../replication/two-servers.ts'
import { contentOf, makeTable } from './contents.ts'

export const T: TableName = parseTableName('t')
/** The longest pause between two looks. */
const LOOK_MS = 20

export class PairServer {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'standby-'))
  readonly #options: TidegateOptions
  port = 0
  #server: Tidegate | undefined
  #store: Store | undefined

  constructor(options: TidegateOptions = {}) {
    this.#options = options
  }

  /** Starts on the ports of its first start. */
  async start(more: TidegateOptions = {}): Promise<this> {
    if (this.port === 0) this.port = await keptPort()
    const store = `native:${this.folder}`
    const ports = { rpc: this.port, web: 0, rest: 'off', thrift: 'off' } as const
    this.#server = await startTidegate({ ...this.#options, ...more, ...ports, store })
    this.#store = await openRpcStore(this.port, { retriesMax: 2 }, 'tester', '127.0.0.1', true)
    return this
  }

  async stop(): Promise<void> {
    await this.#store?.close()
    await this.#server?.stop()
    this.#store = undefined
    this.#server = undefined
  }

  /** Stops the server and deletes its data. */
  async remove(): Promise<void> {
    await this.stop()
    this.empty()
  }

  empty(): void {
    for (const folder of [this.folder, `${this.folder}.first-copy`])
      rmSync(folder, { recursive: true, force: true })
  }

  get store(): Store {
    return this.#store!
  }

  get address(): string {
    return `127.0.0.1:${this.port}`
  }

  get standby(): Standby {
    return this.store.upkeep.standby!
  }

  state(): Promise<StandbyState> {
    return this.standby.standbyState(OWN_CALL)
  }

  async health(): Promise<{ status: string; standby?: Record<string, unknown>; troubles?: string[] }> {
    const answer = await fetch(`http://127.0.0.1:${this.#server!.ports.web}/health`)
    return (await answer.json()) as { status: string }
  }

  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.#server!.ports.web}/metrics`)).text()
  }

  makeTable(
    name: TableName = T,
    families: readonly string[] = ['f'],
    splits: readonly string[] = [],
  ): Promise<void> {
    return makeTable(this.store.catalog, name, families, splits)
  }

  async dropTable(name: TableName = T): Promise<void> {
    const { catalog } = this.store
    if ((await catalog.tableState(name, OWN_CALL)) === 'ENABLED') await catalog.disableTable(name, OWN_CALL)
    await catalog.deleteTable(name, OWN_CALL)
  }

  async put(row: string, value: string, table: TableName = T, family = 'f'): Promise<void> {
    await this.mutate((batch) => batch.put(bytes(row), bytes(family), bytes('q'), bytes(value)), {}, table)
  }

  async mutate(
    fill: (batch: MutationBatch) => void,
    options: Partial<MutationOptions> = {},
    table: TableName = T,
  ): Promise<void> {
    const batch = new MutationBatch()
    fill(batch)
    batch.endMutation({ ...DEFAULT_MUTATION_OPTIONS, ...options })
    const [failure] = await this.store.rows.mutate(table, batch, { ...OWN_CALL, withTags: true })
    if (failure !== undefined) throw failure.error
  }

  content(): Promise<string[]> {
    return contentOf(this.store)
  }
}

/** Resolves once the standby has all that the leader has, which takes no writes meanwhile. Fails by the test's deadline. */
export async function caughtUp(leader: PairServer, standby: PairServer): Promise<string[]> {
  const wanted = await leader.content()
  for (;;) {
    const found = await standby.content().catch(() => [])
    if (found.join('\n') === wanted.join('\n')) return wanted
    await look()
  }
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await look()
}

function look(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
