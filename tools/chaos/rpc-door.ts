/** The DoorClients of native RPC: the adapter of clusters, which asks again by itself as HBase's own clients do. */

import { cellsOf } from '../../src/model/cell-block.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type RowMutation,
  type RowOperation,
  valueCondition,
} from '../../src/model/mutation.ts'
import { ColumnsBuilder, get, scan } from '../../src/model/query.ts'
import { gathered, type ScannedResults } from '../../src/model/results.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { openRpcStore } from '../../test/harness/rpc-store.ts'
import { Retryable } from './calls.ts'
import {
  dataCells,
  type OpenScan,
  type ScanDoor,
  type ScanSpec,
  type SeenCell,
  type SeenRow,
  type WriteDoor,
} from './door-client.ts'
import { Family, OPERATION_TIMEOUT_MS, TABLE } from './settings.ts'

const TARGET = parseTableName(TABLE)
const PAGE_BYTES = 2 * 1024 * 1024

/** Asks a store that opens meanwhile. Throws Retryable where the server says that the request may succeed later. */
class RpcStore {
  readonly #store: Promise<Store>

  constructor(port: number) {
    this.#store = openRpcStore(port, { operationTimeoutMs: OPERATION_TIMEOUT_MS })
    this.#store.catch(() => undefined)
  }

  async ask<T>(request: (store: Store) => Promise<T>): Promise<T> {
    try {
      return await request(await this.#store)
    } catch (error) {
      if (isHBaseError(error) && error.mayRetry)
        throw new Retryable(`${error.code}: ${error.message}`, { cause: error })
      throw error
    }
  }

  close(): void {
    this.#store.then(
      (store) => store.close(),
      () => undefined,
    )
  }
}

export class RpcWrites implements WriteDoor {
  readonly name = 'RPC'
  readonly #store: RpcStore

  constructor(port: number) {
    this.#store = new RpcStore(port)
  }

  async put(rows: readonly string[], version: number): Promise<void> {
    const batch = new MutationBatch()
    for (const row of rows) {
      addCells(batch, row, Family.data, dataCells(version), BigInt(version))
      batch.endMutation()
    }
    const failures = await this.#store.ask(({ rows: all }) => all.mutate(TARGET, batch, OWN_CALL))
    for (const { error } of failures) throw error.mayRetry ? new Retryable(error.message) : error
  }

  async increment(row: string, amount: number): Promise<void> {
    const value = Buffer.alloc(8)
    value.writeBigInt64BE(BigInt(amount))
    await this.#change(row, 'increment', Family.counter, [{ qualifier: 'n', value }])
  }

  async append(row: string, token: string): Promise<void> {
    await this.#change(row, 'append', Family.log, [{ qualifier: 'x', value: Buffer.from(token) }])
  }

  async get(row: string, family: string): Promise<readonly SeenCell[]> {
    const columns = new ColumnsBuilder().addFamily(Buffer.from(family)).build()
    const gets = [get(Buffer.from(row), { columns })]
    const found = await this.#store.ask(({ rows }) => rows.get(TARGET, gets, { bytes: PAGE_BYTES }, OWN_CALL))
    return seenRows(found).flatMap(({ cells }) => cells)
  }

  step(row: string, from: number, token: string): Promise<boolean> {
    const cells = [
      { qualifier: 'v', value: Buffer.from(String(from + 1)) },
      { qualifier: `h${from + 1}`, value: Buffer.from(token) },
    ]
    const family = Buffer.from(Family.chain)
    const condition = valueCondition(family, Buffer.from('v'), 'EQUAL', Buffer.from(String(from)))
    return this.#change(row, 'mutate', Family.chain, cells, condition)
  }

  close(): void {
    this.#store.close()
  }

  async #change(
    row: string,
    kind: RowOperation['kind'],
    family: string,
    cells: readonly SeenCell[],
    condition?: RowMutation['condition'],
  ): Promise<boolean> {
    const batch = new MutationBatch()
    addCells(batch, row, family, cells)
    batch.endMutation()
    const operations = [{ kind, cells: batch.blockOf(0) }]
    const change = { row: Buffer.from(row), operations, condition, options: DEFAULT_MUTATION_OPTIONS }
    return (await this.#store.ask(({ rows }) => rows.mutateRow(TARGET, change, OWN_CALL))).applied
  }
}

function addCells(
  batch: MutationBatch,
  row: string,
  family: string,
  cells: readonly SeenCell[],
  timestamp?: bigint,
): void {
  for (const { qualifier, value } of cells)
    batch.put(Buffer.from(row), Buffer.from(family), Buffer.from(qualifier), value, timestamp)
}

export class RpcScans implements ScanDoor {
  readonly name = 'RPC scanner'
  readonly resumes = true
  readonly deadlines = 2
  readonly #store: RpcStore

  constructor(port: number) {
    this.#store = new RpcStore(port)
  }

  supports(): boolean {
    return true
  }

  async open({ family, start, stop, reversed, batch, limit, page }: ScanSpec): Promise<OpenScan> {
    const spec = scan({
      columns: new ColumnsBuilder().addFamily(Buffer.from(family)).build(),
      startRow: Buffer.from(start),
      stopRow: Buffer.from(stop),
      reversed,
      batch: batch > 0 ? batch : -1,
      limit: limit > 0 ? limit : -1,
    })
    const limits = { rows: page, bytes: PAGE_BYTES, allowPartial: false }
    const { id } = await this.#store.ask(({ rows }) => rows.openScanner(TARGET, spec, OWN_CALL))
    let isOver = false
    return {
      next: async () => {
        while (!isOver) {
          const found = await this.#store.ask(({ handouts }) => handouts.next(id, limits, OWN_CALL))
          isOver = found.ended === 'scan'
          const rows = seenRows(found.results)
          if (rows.length > 0) return rows
        }
        return undefined
      },
      close: () => this.#store.ask(({ handouts }) => handouts.closeScanner(id)),
    }
  }

  close(): void {
    this.#store.close()
  }
}

/** Results without cells are left out. */
function seenRows(results: ScannedResults): SeenRow[] {
  const { cells, counts } = gathered(results)
  const all = cellsOf(cells)
  let at = 0
  return counts.flatMap((count) => {
    const own = all.slice(at, (at += count))
    const [first] = own
    if (first === undefined) return []
    return [
      {
        row: first.row.toString(),
        cells: own.map(({ qualifier, value }) => ({ qualifier: qualifier.toString(), value })),
      },
    ]
  })
}
