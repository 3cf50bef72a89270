/** Exports tables to files of cells, and imports such files. */

import { type CellBlock, CellCursor } from '../model/cell-block.ts'
import { HBaseError } from '../model/errors.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import { coveredByScan } from './covered-rows.ts'
import type { CellReader, CellWriter, ReadCells } from './formats/cell-format.ts'
import { LOSS_OF_TAGS_IN_FILE, lossOfReading } from './losses.ts'
import type { MadeTable } from './made-table.ts'
import type { TransferProgress } from './progress.ts'
import type { RateLimit } from './rate-limit.ts'
import { boundsOf, type Part, rawPieces, readAhead, rowsBehind } from './raw-cells.ts'
import { mutationsOf, writeMutations } from './write-cells.ts'

interface Moving {
  readonly store: Store
  readonly table: TableName
  readonly call: Call
  readonly progress: TransferProgress
  readonly rate: RateLimit
}

export interface ExportJob extends Moving {
  readonly part: Part
  readonly writer: CellWriter
  /** Resolves when more may be written. */
  readonly write: (bytes: Buffer) => Promise<void>
}

/** Exports all versions and the delete markers. It writes nothing before the table has answered. */
export async function exportCells(job: ExportJob): Promise<void> {
  const { store, table, part, call, progress, rate, writer, write } = job
  let isBegun = false
  progress.lost(lossOfReading(store))
  const carriesTags = store.carriesTags === true
  const covered = await coveredByScan(store, table, part, call)
  progress.covered = covered
  for await (const piece of readAhead(rawPieces(store, table, part, call, carriesTags))) {
    if (!isBegun) await write(writer.begin())
    isBegun = true
    const { results } = piece
    const { byteLength } = results.cells
    if (carriesTags && hasTags(results.cells)) progress.lost(LOSS_OF_TAGS_IN_FILE)
    const bytes = writer.results(results)
    progress.rows += piece.newRows
    for (const count of results.counts) progress.cells += count
    progress.bytes += byteLength
    piece.release()
    await rate.take(byteLength)
    await write(bytes)
    if (piece.wholeRow !== undefined) covered.passed(piece.wholeRow)
    progress.moved()
  }
  if (!isBegun) await write(writer.begin())
  await write(writer.end())
}

function hasTags(cells: CellBlock): boolean {
  const cursor = new CellCursor(cells)
  while (cursor.next()) if (cursor.tagsBytes > 0) return true
  return false
}

export interface ImportJob extends Moving {
  readonly read: CellReader
  readonly chunks: AsyncIterable<Buffer>
  /** Undefined: the table must be there. */
  readonly made?: MadeTable | undefined
  readonly pause: (milliseconds: number) => Promise<void>
}

/** Imports the cells of a file. Repeating an import is safe. Throws TABLE_NOT_FOUND, even for a file without cells. */
export async function importCells(job: ImportJob): Promise<void> {
  const { store, table, call, progress, rate, read, chunks, made, pause } = job
  if (made === undefined && !(await store.catalog.tableExists(table, call)))
    throw new HBaseError('TABLE_NOT_FOUND', table)
  let last: Buffer | undefined
  const write = async ({ cells, counts }: ReadCells): Promise<void> => {
    const bounds = boundsOf({ cells, counts })
    await made?.take({ cells })
    const { batch } = mutationsOf(cells, counts)
    await rate.take(cells.byteLength)
    await writeMutations({ store, table, call, pause }, batch)
    progress.rows += rowsBehind(last, bounds)
    last = bounds.last ?? last
    progress.cells += batch.cells.count
    progress.bytes += cells.byteLength
    progress.moved()
  }
  // The next cells are read while these are written; writes keep the order of the file.
  let writing: Promise<void> | undefined
  try {
    for await (const readCells of read(chunks)) {
      await writing
      writing = write(readCells)
      // A failure is thrown where the write is awaited.
      writing.catch(() => undefined)
    }
  } finally {
    await writing
  }
}
