/** Reads rows for the checks of a kill loop, by a client that no writer uses. */

import { Thrift1Client } from '../demo/thrift1-client.ts'
import { type Cells, TABLE } from './writing-door.ts'

interface FoundRow {
  readonly row: Buffer
  readonly columns: Readonly<Record<string, { readonly value: Buffer }>>
}

/** The column that holds an int64; the others are text. */
const COUNTER = 'f:n'
const ROWS_A_CALL = 500

export class RowReader {
  readonly #client: Thrift1Client

  constructor(port: number) {
    this.#client = new Thrift1Client(port)
  }

  /** Those of the rows that are there. */
  async rows(names: readonly string[]): Promise<Map<string, Cells>> {
    const found = await this.#client.client['getRows']!(TABLE, names, {})
    return cellsOf(found as FoundRow[])
  }

  /** All rows of the table, in parts. */
  async *all(): AsyncIterable<Map<string, Cells>> {
    const { client } = this.#client
    const scanner = await client['scannerOpenWithScan']!(TABLE, {}, {})
    for (;;) {
      const found = (await client['scannerGetList']!(scanner, ROWS_A_CALL)) as FoundRow[]
      if (found.length === 0) break
      yield cellsOf(found)
    }
    await client['scannerClose']!(scanner)
  }

  close(): void {
    this.#client.close()
  }
}

function cellsOf(rows: readonly FoundRow[]): Map<string, Cells> {
  return new Map(
    rows.map(({ row, columns }) => {
      const cells = Object.entries(columns).map(([column, { value }]) => {
        return [column, column === COUNTER ? String(value.readBigInt64BE()) : value.toString()] as const
      })
      return [row.toString(), Object.fromEntries(cells)] as const
    }),
  )
}
