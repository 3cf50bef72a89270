/** The DoorClients of Thrift 1 and 2. */

import type { ThriftObject } from '../../src/wire/thrift/value-codec.ts'
import {
  dataCells,
  type OpenScan,
  type ScanDoor,
  type ScanSpec,
  type SeenCell,
  type SeenRow,
  type WriteDoor,
} from './door-client.ts'
import { Family, TABLE } from './settings.ts'
import { ThriftCalls } from './thrift-call.ts'

const TABLE_BYTES = Buffer.from(TABLE)

interface Thrift1Row {
  readonly row: Buffer
  readonly columns?: ReadonlyMap<Buffer, { readonly value: Buffer }>
  readonly sortedColumns?: readonly {
    readonly columnName: Buffer
    readonly cell: { readonly value: Buffer }
  }[]
}

interface Thrift2Row {
  readonly row?: Buffer
  readonly columnValues: readonly { readonly qualifier: Buffer; readonly value: Buffer }[]
}

export class Thrift1Writes implements WriteDoor {
  readonly name = 'Thrift 1'
  readonly #calls: ThriftCalls

  constructor(port: number) {
    this.#calls = new ThriftCalls('thrift1', port)
  }

  async put(rows: readonly string[], version: number): Promise<void> {
    const mutations = dataCells(version).map(({ qualifier, value }) => ({
      isDelete: false,
      column: Buffer.from(`${Family.data}:${qualifier}`),
      value,
      writeToWAL: true,
    }))
    const rowBatches = rows.map((row) => ({ row: Buffer.from(row), mutations }))
    const common = { tableName: TABLE_BYTES, timestamp: BigInt(version), attributes: new Map() }
    if (rowBatches.length === 1) await this.#calls.call('mutateRowTs', { ...common, ...rowBatches[0]! })
    else await this.#calls.call('mutateRowsTs', { ...common, rowBatches })
  }

  async increment(row: string, amount: number): Promise<void> {
    const column = Buffer.from(`${Family.counter}:n`)
    const args = { tableName: TABLE_BYTES, row: Buffer.from(row), column, value: BigInt(amount) }
    await this.#calls.call('atomicIncrement', args)
  }

  async append(row: string, token: string): Promise<void> {
    const columns = [Buffer.from(`${Family.log}:x`)]
    const append = { table: TABLE_BYTES, row: Buffer.from(row), columns, values: [Buffer.from(token)] }
    await this.#calls.call('append', { append })
  }

  async get(row: string, family: string): Promise<readonly SeenCell[]> {
    const rows = await this.#calls.call<Thrift1Row[]>('getRowWithColumns', {
      tableName: TABLE_BYTES,
      row: Buffer.from(row),
      columns: [Buffer.from(family)],
      attributes: new Map(),
    })
    return [...(rows[0]?.columns ?? [])].map(([name, { value }]) => ({ qualifier: qualifierOf(name), value }))
  }

  step(): Promise<boolean> {
    throw new Error('its checkAndPut has one column only')
  }

  close(): void {
    this.#calls.close()
  }
}

export class Thrift2Writes implements WriteDoor {
  readonly name = 'Thrift 2'
  readonly #calls: ThriftCalls

  constructor(port: number) {
    this.#calls = new ThriftCalls('thrift2', port)
  }

  async put(rows: readonly string[], version: number): Promise<void> {
    const cells = dataCells(version)
    const tputs = rows.map((row) => putOf(row, cells, Family.data, BigInt(version)))
    if (tputs.length === 1) await this.#calls.call('put', { table: TABLE_BYTES, tput: tputs[0]! })
    else await this.#calls.call('putMultiple', { table: TABLE_BYTES, tputs })
  }

  async increment(row: string, amount: number): Promise<void> {
    const columns = [
      { family: Buffer.from(Family.counter), qualifier: Buffer.from('n'), amount: BigInt(amount) },
    ]
    const tincrement = { row: Buffer.from(row), columns }
    await this.#calls.call('increment', { table: TABLE_BYTES, tincrement })
  }

  async append(row: string, token: string): Promise<void> {
    const columns = [
      { family: Buffer.from(Family.log), qualifier: Buffer.from('x'), value: Buffer.from(token) },
    ]
    await this.#calls.call('append', { table: TABLE_BYTES, tappend: { row: Buffer.from(row), columns } })
  }

  async get(row: string, family: string): Promise<readonly SeenCell[]> {
    const tget = { row: Buffer.from(row), columns: [{ family: Buffer.from(family) }] }
    return seenByThrift2(await this.#calls.call<Thrift2Row>('get', { table: TABLE_BYTES, tget })).cells
  }

  step(row: string, from: number, token: string): Promise<boolean> {
    const cells = [
      { qualifier: 'v', value: Buffer.from(String(from + 1)) },
      { qualifier: `h${from + 1}`, value: Buffer.from(token) },
    ]
    return this.#calls.call('checkAndPut', {
      table: TABLE_BYTES,
      row: Buffer.from(row),
      family: Buffer.from(Family.chain),
      qualifier: Buffer.from('v'),
      value: Buffer.from(String(from)),
      tput: putOf(row, cells, Family.chain),
    })
  }

  close(): void {
    this.#calls.close()
  }
}

export function putOf(
  row: string,
  cells: readonly SeenCell[],
  family: string,
  timestamp?: bigint,
): ThriftObject {
  return {
    row: Buffer.from(row),
    columnValues: cells.map(({ qualifier, value }) => ({
      family: Buffer.from(family),
      qualifier: Buffer.from(qualifier),
      value,
    })),
    ...(timestamp !== undefined && { timestamp }),
  }
}

export class Thrift1Scans implements ScanDoor {
  readonly name = 'Thrift 1 scanner'
  readonly resumes = true
  readonly deadlines = 2
  readonly #calls: ThriftCalls

  constructor(port: number) {
    this.#calls = new ThriftCalls('thrift1', port)
  }

  supports({ limit }: ScanSpec): boolean {
    return limit === 0
  }

  async open({ family, start, stop, reversed, batch, page }: ScanSpec): Promise<OpenScan> {
    const scan = {
      ...(start !== '' && { startRow: Buffer.from(start) }),
      ...(stop !== '' && { stopRow: Buffer.from(stop) }),
      ...(batch > 0 && { batchSize: batch }),
      columns: [Buffer.from(family)],
      caching: Math.max(1, Math.floor(page / 2)),
      sortColumns: true,
      reversed,
    }
    const id = await this.#calls.call<number>('scannerOpenWithScan', { tableName: TABLE_BYTES, scan })
    return {
      next: async () => {
        const rows = await this.#calls.call<Thrift1Row[]>('scannerGetList', { id, nbRows: page })
        return rows.length === 0 ? undefined : rows.map(seenByThrift1)
      },
      close: () => this.#calls.call('scannerClose', { id }),
    }
  }

  close(): void {
    this.#calls.close()
  }
}

function seenByThrift1({ row, sortedColumns = [] }: Thrift1Row): SeenRow {
  const cells = sortedColumns.map(({ columnName, cell }) => ({
    qualifier: qualifierOf(columnName),
    value: cell.value,
  }))
  return { row: row.toString(), cells }
}

function qualifierOf(column: Buffer): string {
  return column.subarray(column.indexOf(':') + 1).toString()
}

export class Thrift2Scans implements ScanDoor {
  readonly name = 'Thrift 2 scanner'
  readonly resumes = true
  readonly deadlines = 2
  readonly #calls: ThriftCalls

  constructor(port: number) {
    this.#calls = new ThriftCalls('thrift2', port)
  }

  supports(): boolean {
    return true
  }

  async open({ family, start, stop, reversed, batch, limit, page }: ScanSpec): Promise<OpenScan> {
    const tscan = {
      ...(start !== '' && { startRow: Buffer.from(start) }),
      ...(stop !== '' && { stopRow: Buffer.from(stop) }),
      ...(batch > 0 && { batchSize: batch }),
      ...(limit > 0 && { limit }),
      columns: [{ family: Buffer.from(family) }],
      caching: page,
      reversed,
    }
    const scannerId = await this.#calls.call<number>('openScanner', { table: TABLE_BYTES, tscan })
    return {
      next: async () => {
        const rows = await this.#calls.call<Thrift2Row[]>('getScannerRows', { scannerId, numRows: page })
        return rows.length === 0 ? undefined : rows.map(seenByThrift2)
      },
      close: () => this.#calls.call('closeScanner', { scannerId }),
    }
  }

  close(): void {
    this.#calls.close()
  }
}

function seenByThrift2({ row, columnValues }: Thrift2Row): SeenRow {
  const cells = columnValues.map(({ qualifier, value }) => ({ qualifier: qualifier.toString(), value }))
  return { row: row?.toString() ?? '', cells }
}
