/** Reads of rows by each protocol, beside the writers of kill loops. */

import { rowAfterPrefix } from '../../../src/model/bytes.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { get, scan } from '../../../src/model/query.ts'
import { gathered, type ScannedResults } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { clientOf, FRAMED, THRIFT1, THRIFT2 } from '../kill/thrift-writers.ts'
import type { Cells } from '../kill/writing-door.ts'
import { openRpcStore } from '../rpc-store.ts'

/** Cells by row and column, as bytes. */
export type Rows = ReadonlyMap<string, Readonly<Record<string, Buffer>>>

export interface RowReader {
  /** The row, by a get; no row of the Map: there is none. */
  read(row: string): Promise<Rows>
  /** All rows with the prefix, by a scan. */
  scan(prefix: string): Promise<Rows>
  close(): void
}

interface RestCellSet {
  readonly Row: readonly {
    readonly key: string
    readonly Cell: readonly { readonly column: string; readonly $: string }[]
  }[]
}

function decoded(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

export function restReader(port: number, table: string): RowReader {
  const ask = async (path: string): Promise<Rows> => {
    const headers = { accept: 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}/${table}/${path}`, { headers })
    const text = await response.text()
    if (response.status === 404) return new Map()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    const entries = (JSON.parse(text) as RestCellSet).Row.map(({ key, Cell }) => {
      const cells = Cell.map(({ column, $ }) => [decoded(column).toString(), decoded($)] as const)
      return [decoded(key).toString(), Object.fromEntries(cells)] as const
    })
    return new Map(entries)
  }
  return { read: ask, scan: (prefix) => ask(`${prefix}*`), close: () => undefined }
}

interface Row1 {
  readonly row: Buffer
  readonly columns: Readonly<Record<string, { readonly value: Buffer }>>
}

function rowsOf1(rows: readonly Row1[]): [string, Record<string, Buffer>][] {
  return rows.map(({ row, columns }) => [
    row.toString(),
    Object.fromEntries(Object.entries(columns).map(([column, { value }]) => [column, value])),
  ])
}

export function thrift1Reader(port: number, table: string): RowReader {
  const { client, close } = clientOf(THRIFT1, port, FRAMED)
  return {
    read: async (row) => new Map(rowsOf1((await client['getRow']!(table, row, {})) as Row1[])),
    scan: async (prefix) => {
      const id = await client['scannerOpenWithPrefix']!(table, prefix, [], {})
      const rows: [string, Record<string, Buffer>][] = []
      for (;;) {
        const more = rowsOf1((await client['scannerGetList']!(id, 2)) as Row1[])
        if (more.length === 0) break
        rows.push(...more)
      }
      await client['scannerClose']!(id)
      return new Map(rows)
    },
    close,
  }
}

interface Row2 {
  readonly row: Buffer | null
  readonly columnValues: readonly {
    readonly family: Buffer
    readonly qualifier: Buffer
    readonly value: Buffer
  }[]
}

function rowsOf2(rows: readonly Row2[]): Rows {
  const found = rows.filter(({ columnValues }) => columnValues.length > 0)
  return new Map(
    found.map(({ row, columnValues }) => {
      const cells = columnValues.map(({ family, qualifier, value }) => [columnOf(family, qualifier), value])
      return [row!.toString(), Object.fromEntries(cells) as Record<string, Buffer>]
    }),
  )
}

function columnOf(family: Buffer, qualifier: Buffer): string {
  return `${family.toString()}:${qualifier.toString()}`
}

export function thrift2Reader(port: number, table: string): RowReader {
  const { client, close } = clientOf(THRIFT2, port, FRAMED)
  return {
    read: async (row) => rowsOf2([(await client['get']!(table, { row })) as Row2]),
    scan: async (prefix) => {
      const stopRow = rowAfterPrefix(Buffer.from(prefix))
      return rowsOf2(
        (await client['getScannerResults']!(table, { startRow: prefix, stopRow }, 1000)) as Row2[],
      )
    },
    close,
  }
}

export function rpcReader(port: number, name: string): RowReader {
  const table = parseTableName(name)
  const opened: Promise<Store> = openRpcStore(port, { retriesMax: 0 })
  opened.catch(() => undefined)
  const limits = { rows: 1000, bytes: 1 << 24, allowPartial: false }
  return {
    read: async (row) => {
      const { rows } = await opened
      const results = await rows.get(table, [get(Buffer.from(row))], { bytes: 1 << 24 }, OWN_CALL)
      return rowsOfCells(results)
    },
    scan: async (prefix) => {
      const { rows, handouts } = await opened
      const startRow = Buffer.from(prefix)
      const { id } = await rows.openScanner(
        table,
        scan({ startRow, stopRow: rowAfterPrefix(startRow) }),
        OWN_CALL,
      )
      const all = new Map<string, Readonly<Record<string, Buffer>>>()
      try {
        for (;;) {
          const { results, ended } = await handouts.next(id, limits, OWN_CALL)
          for (const [row, cells] of rowsOfCells(results)) all.set(row, cells)
          if (results.loan !== undefined) handouts.release(results.loan)
          if (ended === 'scan') return all
        }
      } finally {
        await handouts.closeScanner(id)
      }
    },
    close: () =>
      void opened.then(
        (store) => store.close(),
        () => undefined,
      ),
  }
}

function rowsOfCells(results: ScannedResults): Rows {
  const rows = new Map<string, Record<string, Buffer>>()
  for (const { row, family, qualifier, value } of cellsOf(gathered(results).cells)) {
    const cells = rows.get(row.toString()) ?? {}
    cells[columnOf(family, qualifier)] = Buffer.from(value)
    rows.set(row.toString(), cells)
  }
  return rows
}

/** The value of all cells of a row; torn where they differ. */
export function valueOf(cells: Readonly<Record<string, Buffer>> | undefined, isCounter: boolean): string {
  const values = new Set(
    Object.values(cells ?? {}).map((value) =>
      isCounter ? String(value.readBigInt64BE()) : value.toString(),
    ),
  )
  if (values.size > 1) return `torn: ${[...values].join(' and ')}`
  const [value = ''] = values
  return value
}

/** A row's cells of one value, in both families. */
export function pairOf(value: string): Cells {
  return { 'f:v': value, 'g:v': value }
}
