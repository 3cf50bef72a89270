/** Tidegate servers in this process that replicate to each other, and the cells of their tables. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, toBinary } from '@bufbuild/protobuf'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../src/library/start-tidegate.ts'
import { cellsOf } from '../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type MutationOptions } from '../../src/model/mutation.ts'
import { ALL_VERSIONS, scan } from '../../src/model/query.ts'
import { gathered } from '../../src/model/results.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { ReplicationPeerSchema } from '../../src/wire/rpc/gen/replication_pb.ts'
import { keptPort } from '../harness/kept-port.ts'
import { loadedFile } from '../harness/readers/loaded-file.ts'
import { openRpcStore } from '../harness/rpc-store.ts'

export const T: TableName = parseTableName('t')
const BATCH = { rows: 1000, bytes: 1024 * 1024, allowPartial: false }
/** The longest pause between two looks at a table. */
const LOOK_MS = 20

export class Server {
  #folder: string | undefined
  readonly #options: TidegateOptions
  #ports: { readonly rpc: number; readonly zookeeper: number; readonly web: number } | undefined
  #server: Tidegate | undefined
  #store: Store | undefined

  constructor(options: TidegateOptions = {}) {
    this.#options = options
  }

  /** Starts on the ports of its first start. */
  async start(): Promise<this> {
    this.#ports ??= { rpc: await keptPort(), zookeeper: await keptPort(), web: await keptPort() }
    this.#folder ??= mkdtempSync(join(tmpdir(), 'replicated-'))
    const store = `native:${this.#folder}`
    this.#server = await startTidegate({
      ...this.#options,
      ...this.#ports,
      rest: 'off',
      thrift: 'off',
      store,
    })
    this.#store = await openRpcStore(this.#ports.rpc, {}, 'tester', '127.0.0.1', true)
    return this
  }

  async stop(): Promise<void> {
    await this.#store?.close()
    await this.#server?.stop()
    this.#server = undefined
  }

  /** Stops the server and deletes its data. */
  async remove(): Promise<void> {
    await this.stop()
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }

  get store(): Store {
    return this.#store!
  }

  /** The server's store for another user; the caller closes it. */
  openAs(user: string): Promise<Store> {
    return openRpcStore(this.#ports!.rpc, {}, user)
  }

  get clusterKey(): string {
    return `127.0.0.1:${this.#ports!.zookeeper}:/hbase`
  }

  async page(path: string): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.#ports!.web}${path}`)).text()
  }

  async makeTable(name: TableName = T): Promise<void> {
    const family = familyDescriptor('f', [
      ['REPLICATION_SCOPE', '1'],
      ['VERSIONS', '100'],
      ['KEEP_DELETED_CELLS', 'TRUE'],
    ])
    await this.store.catalog.createTable(tableDescriptor(name, [family]), [], OWN_CALL)
  }

  async follow(id: string, peer: Server | string): Promise<void> {
    const clusterkey = typeof peer === 'string' ? peer : peer.clusterKey
    const message = create(ReplicationPeerSchema, { clusterkey, replicateAll: true })
    const config = Buffer.from(toBinary(ReplicationPeerSchema, message))
    await this.store.upkeep.peers!.changePeer(id, { kind: 'ADD', config, isEnabled: true }, OWN_CALL)
  }

  /** Loads a file of these rows into the only region of the table. */
  async load(rows: readonly string[], value: string, table: TableName = T): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'loads-'))
    try {
      const path = join(folder, 'file')
      writeFileSync(path, await loadedFile('f', rows, value))
      const { catalog, upkeep } = this.store
      const [{ encodedName } = { encodedName: '' }] = await catalog.regions(table, OWN_CALL)
      const files = [{ family: bytes('f'), path: `file:${path}` }]
      if (!(await upkeep.bulkLoads!.bulkLoad({ table, encodedName }, files, OWN_CALL)))
        throw new Error('the file has rows of other regions')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  async put(row: string, value: string, time?: bigint, table: TableName = T): Promise<void> {
    await this.mutate((batch) => batch.put(bytes(row), bytes('f'), bytes('q'), bytes(value), time), {}, table)
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

  /** Every cell of the table as text, deletes among them. */
  cells(table: TableName = T): Promise<string[]> {
    return cellsIn(this.store, table)
  }

  /** Resolves once the table has the cells. Fails by the test's deadline. */
  async has(cells: readonly string[], table: TableName = T): Promise<void> {
    while ((await this.cells(table)).join('\n') !== cells.join('\n')) await look()
  }

  /** Resolves once the server's metrics say that the peer is behind. Fails by the test's deadline. */
  async lags(peer: string): Promise<void> {
    const lags = ['bytes', 'seconds'].map(
      (unit) => new RegExp(`replication_lag_${unit}\\{peer="${peer}"\\} (?!0\\n)`),
    )
    for (let metrics = ''; !lags.every((lag) => lag.test(metrics)); ) metrics = await this.page('/metrics')
  }

  async hasValue(value: string, table: TableName = T): Promise<void> {
    while (!(await this.cells(table)).some((cell) => cell.includes(`=${value} `))) await look()
  }
}

export function bytes(text: string): Buffer {
  return Buffer.from(text)
}

function look(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

export async function cellsIn({ rows, handouts }: Store, table: TableName): Promise<string[]> {
  const call = { ...OWN_CALL, withTags: true }
  const all = scan({ maxVersions: ALL_VERSIONS, raw: true, withTags: true })
  const { id } = await rows.openScanner(table, all, call)
  const found: string[] = []
  for (let ended = 'batch'; ended !== 'scan'; ) {
    const batch = await handouts.next(id, BATCH, call)
    ended = batch.ended
    for (const cell of cellsOf(gathered(batch.results).cells)) {
      const [row, family, qualifier, value] = [cell.row, cell.family, cell.qualifier, cell.value].map(String)
      const tags = Buffer.from(cell.tags ?? []).toString('hex')
      found.push(`${row}/${family}:${qualifier}@${cell.timestamp}#${cell.type}=${value} ${tags}`)
    }
    if (batch.results.loan !== undefined) handouts.release(batch.results.loan)
  }
  return found
}
