/** Writers whose every change is known with its times, so that a restore of any moment can be compared: rows that come, change and go, and tables that do. */

import { type Change, TableHistory } from '../../test/harness/moments/table-history.ts'
import type { Findings } from '../chaos/findings.ts'
import { randomBelow, type StopSignal } from '../chaos/stop-signal.ts'
import { ThriftCalls } from '../chaos/thrift-call.ts'

const TABLES = 3
const ROWS = 300
const PAUSE_MS = 15
const DELETE_PART = 0.2
const PASSING_PAUSE_MS = 4000
const PASSING_ROWS = 20
const ROWS_A_PAGE = 500

export class Histories {
  readonly tables: TableHistory[] = []
  #changes = 0

  get changes(): number {
    return this.#changes
  }

  add(name: string): TableHistory {
    const table = new TableHistory(name)
    this.tables.push(table)
    return table
  }

  /** Does a change, and notes when it was acknowledged. */
  async note(begin: (begunAt: number) => Change, work: () => Promise<unknown>): Promise<void> {
    const change = begin(Date.now())
    await work()
    change.acknowledgedAt = Date.now()
    this.#changes++
  }
}

/** A client of Thrift 1 for tables of one family `f` with one column. */
export class HistoryClient {
  readonly #calls: ThriftCalls

  constructor(port: number) {
    this.#calls = new ThriftCalls('thrift1', port)
  }

  async createTable(name: string): Promise<void> {
    await this.#calls.call('createTable', {
      tableName: Buffer.from(name),
      columnFamilies: [{ name: Buffer.from('f:'), maxVersions: 3 }],
    })
  }

  async dropTable(name: string): Promise<void> {
    const tableName = Buffer.from(name)
    await this.#calls.call('disableTable', { tableName })
    await this.#calls.call('deleteTable', { tableName })
  }

  async tableNames(): Promise<string[]> {
    return (await this.#calls.call<Buffer[]>('getTableNames', {})).map(String)
  }

  /** Undefined: the row goes. */
  async set(table: string, row: string, value: string | undefined): Promise<void> {
    const common = { tableName: Buffer.from(table), row: Buffer.from(row), attributes: new Map() }
    if (value === undefined) {
      await this.#calls.call('deleteAllRow', common)
      return
    }
    const mutation = {
      isDelete: false,
      column: Buffer.from('f:a'),
      value: Buffer.from(value),
      writeToWAL: true,
    }
    await this.#calls.call('mutateRow', { ...common, mutations: [mutation] })
  }

  /** The values of all rows. */
  async rows(table: string): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    const id = await this.#calls.call<number>('scannerOpenWithScan', {
      tableName: Buffer.from(table),
      scan: { sortColumns: true, caching: ROWS_A_PAGE },
    })
    for (;;) {
      const page = await this.#calls.call<Thrift1Row[]>('scannerGetList', { id, nbRows: ROWS_A_PAGE })
      if (page.length === 0) break
      for (const { row, sortedColumns } of page)
        found.set(row.toString(), sortedColumns.map(({ cell }) => cell.value.toString()).join())
    }
    await this.#calls.call('scannerClose', { id })
    return found
  }

  close(): void {
    this.#calls.close()
  }
}

interface Thrift1Row {
  readonly row: Buffer
  readonly sortedColumns: readonly { readonly cell: { readonly value: Buffer } }[]
}

interface Context {
  readonly histories: Histories
  readonly findings: Findings
  readonly stop: StopSignal
}

/** Resolves once the tables are there; the writers go on until the end of the run. */
export async function beginHistories(thrift: number, context: Context): Promise<Promise<void>[]> {
  const writers: Promise<void>[] = []
  for (let number = 0; number < TABLES; number++) {
    const client = new HistoryClient(thrift)
    const table = context.histories.add(`history${number}`)
    await create(client, table, context)
    writers.push(closing(client, writeRows(client, table, context)))
  }
  const client = new HistoryClient(thrift)
  writers.push(closing(client, passTables(client, context)))
  return writers
}

async function closing(client: HistoryClient, work: Promise<void>): Promise<void> {
  try {
    await work
  } finally {
    client.close()
  }
}

async function create(client: HistoryClient, table: TableHistory, { histories }: Context): Promise<void> {
  await histories.note(
    (at) => table.existence.begin(at, table.name),
    () => client.createTable(table.name),
  )
}

async function writeRows(client: HistoryClient, table: TableHistory, context: Context): Promise<void> {
  const { histories, findings, stop } = context
  for (let count = 0; !stop.stopped; count++) {
    const key = `row${String(randomBelow(ROWS)).padStart(4, '0')}`
    const value = Math.random() < DELETE_PART ? undefined : `v${count}`
    try {
      await histories.note(
        (at) => table.row(key).begin(at, value),
        () => client.set(table.name, key, value),
      )
    } catch (error) {
      findings.fail('a change of a row', String(error).slice(0, 300))
    }
    // A delete hides a put of the same millisecond, as HBase's does.
    await stop.sleep(PAUSE_MS)
  }
}

/** Tables that are made, filled and dropped. */
async function passTables(client: HistoryClient, context: Context): Promise<void> {
  const { histories, findings, stop } = context
  for (let number = 0; !stop.stopped; number++) {
    const table = histories.add(`passing${number}`)
    try {
      await create(client, table, context)
      for (let row = 0; row < PASSING_ROWS; row++)
        await histories.note(
          (at) => table.row(`row${row}`).begin(at, `v${row}`),
          () => client.set(table.name, `row${row}`, `v${row}`),
        )
      await stop.sleep(PASSING_PAUSE_MS)
      await histories.note(
        (at) => table.existence.begin(at, undefined),
        () => client.dropTable(table.name),
      )
    } catch (error) {
      findings.fail('a passing table', String(error).slice(0, 300))
    }
    await stop.sleep(PASSING_PAUSE_MS / 2)
  }
}
