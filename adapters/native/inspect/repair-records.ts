/** Puts the records of the log that a start has set aside into store files of the regions that have their rows now. */

import { compareBytes, toStringBinary } from '../../../src/model/bytes.ts'
import { valueLength, valueOffset } from '../../../src/model/cell.ts'
import { CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { counted } from '../../../src/model/counted.ts'
import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { familyOf, rowOf } from '../cells/cell-text.ts'
import { newFileId } from '../layout/file-id.ts'
import { descriptorOfRecord } from '../manifest/catalog.ts'
import type { FileRecord, RegionRecord, TableRecord } from '../manifest/manifest-edit.ts'
import { recordsFolder, type SetAsideRecords, setAsideRecords } from '../wal/set-aside-records.ts'
import { RECORD_CELLS_OFFSET } from '../wal/wal-format.ts'
import { compareCellKeys } from './cell-order.ts'
import { walkLog } from './log-walk.ts'
import { RegionFile } from './region-file.ts'
import type { RepairParts } from './repair.ts'
import type { CellPlace } from './store-file-view.ts'
import type { FolderState } from './store-folder.ts'

/** Memory that the cells of a piece take, about: the files that wait may have more than there is. */
const PIECE_BYTES = 64 * 1024 * 1024
/** Bytes of memory of a CellPlace, about. */
const PLACE_BYTES = 128

/** Cells of one family of one region, of one piece. */
interface Share {
  readonly region: RegionRecord
  readonly family: FamilyDescriptor
  readonly cells: CellPlace[]
}

export class RecordRepairs {
  /** New store files by the numbers of their regions. */
  readonly added: Map<number, FileRecord[]> = new Map()
  /** Paths of new files. */
  readonly written: string[] = []
  /** Files of lost+found whose records are in regions now. */
  readonly taken: string[] = []
  /** The greatest of their sequence ids. */
  lastSequenceId = 0
  readonly #parts: RepairParts
  readonly #state: FolderState
  /** Cells that are not in store files yet. */
  readonly #shares = new Map<string, Share>()
  #sharesBytes = 0

  constructor(parts: RepairParts, state: FolderState) {
    this.#parts = parts
    this.#state = state
  }

  async run(): Promise<void> {
    const { fileSystem, directory, say } = this.#parts
    const { catalog } = this.#state
    const left = new Set(setAsideRecords(fileSystem, directory))
    for (const table of catalog.tables.values()) {
      const folder = recordsFolder(directory, parseTableName(table.name))
      const files = [...left].filter((file) => file.folder === folder)
      for (const file of files) left.delete(file)
      if (files.length > 0) await this.#take(table, files)
    }
    for (const { path, region } of left)
      say(`the records in ${path} stay there: they are of region ${region}, and no table is known for them`)
  }

  async #take(table: TableRecord, files: readonly SetAsideRecords[]): Promise<void> {
    const { say } = this.#parts
    for (const { path } of files) {
      const { cells, left } = await this.#share(table, path)
      say(
        `${counted(cells, 'cell')} of ${path} are put into the regions of table ${table.name} that have their rows`,
      )
      if (left > 0)
        say(`${counted(left, 'cell')} of ${path} are of families that table ${table.name} does not have`)
      this.taken.push(path)
    }
    await this.#writePiece(table)
  }

  /** Adds the file's cells to the shares. Returns the numbers of those added, and of those of families that are gone. */
  async #share(table: TableRecord, path: string): Promise<{ cells: number; left: number }> {
    const { fileSystem, say, pieceBytes = PIECE_BYTES } = this.#parts
    const { families } = descriptorOfRecord(table)
    const file = fileSystem.open(path, 'read')
    let [cells, left] = [0, 0]
    try {
      for (const found of walkLog(file, 0)) {
        if (found.kind === 'damage')
          say(`LOST: bytes ${found.offset} to ${found.end} of ${path} (${found.message})`)
        if (found.kind !== 'record') continue
        if (this.#sharesBytes >= pieceBytes) await this.#writePiece(table)
        this.#sharesBytes += found.raw.length
        for (const place of placesOf(Buffer.from(found.raw), found.sequenceId)) {
          const name = familyOf(place.buffer, place.cell)
          const family = families.find((candidate) => candidate.name.equals(name))
          const since = table.families.find((candidate) => candidate.name.equals(name))?.sinceSequenceId ?? 0
          if (family === undefined || found.sequenceId <= since) {
            left++
            continue
          }
          const region = regionOf(table, rowOf(place.buffer, place.cell))
          const key = `${region.number} ${name.toString('latin1')}`
          const share = this.#shares.get(key) ?? { region, family, cells: [] }
          this.#shares.set(key, share)
          share.cells.push(place)
          this.#sharesBytes += PLACE_BYTES
          cells++
        }
      }
    } finally {
      file.close()
    }
    return { cells, left }
  }

  async #writePiece(table: TableRecord): Promise<void> {
    for (const share of this.#shares.values()) await this.#write(table, share)
    this.#shares.clear()
    this.#sharesBytes = 0
  }

  async #write(table: TableRecord, { region, family, cells }: Share): Promise<void> {
    const { fileSystem, directory, clock, say, isDryRun } = this.#parts
    const name = parseTableName(table.name)
    const { encodedName: encodedRegion } = regionName(name, region.startKey, region.regionId)
    const number = this.#state.catalog.nextNumber++
    const maxSequenceId = cells.reduce((last, { sequenceId }) => Math.max(last, sequenceId), 0)
    this.lastSequenceId = Math.max(this.lastSequenceId, maxSequenceId)
    const createTime = clock.now()
    const id = newFileId(number, createTime)
    const record: FileRecord = { number, family: family.name, maxSequenceId, id }
    this.added.set(region.number, [...(this.added.get(region.number) ?? []), record])
    const where = `region ${encodedRegion}, family ${toStringBinary(family.name)}`
    say(
      `${counted(cells.length, 'cell')} set aside before are written to file ${number} of table ${name}, ${where}`,
    )
    if (isDryRun) return
    const target = await RegionFile.create({
      fileSystem,
      directory,
      table: name,
      encodedRegion,
      family,
      number,
      createTime,
      includeTags: cells.some(({ tagsBytes }) => tagsBytes > 0),
    })
    this.written.push(target.path)
    // Of equal keys the newest comes first, also of two in one record.
    cells.reverse()
    cells.sort((a, b) => compareCellKeys(a, b) || b.sequenceId - a.sequenceId)
    let last: CellPlace | undefined
    for (const place of cells) {
      // A start that was killed sets its records aside once more.
      const isRepeated = last?.sequenceId === place.sequenceId && compareCellKeys(last, place) === 0
      if (!isRepeated)
        target.writer.append(place.buffer, place.cell, place.sequenceId, place.tags, place.tagsBytes)
      last = place
    }
    await target.finish(maxSequenceId)
  }
}

function* placesOf(record: Buffer, sequenceId: number): Generator<CellPlace> {
  const cursor = new CellCursor(new CellBlock(record, RECORD_CELLS_OFFSET))
  while (cursor.next()) {
    const { buffer, cell, cellLength } = cursor
    const end = valueOffset(buffer, cell) + valueLength(buffer, cell)
    const tagsBytes = Math.max(0, cell + cellLength - end - 2)
    yield { buffer, cell, tags: tagsBytes === 0 ? 0 : end + 2, tagsBytes, sequenceId }
  }
}

function regionOf({ regions }: TableRecord, row: Buffer): RegionRecord {
  return regions.findLast(({ startKey }) => compareBytes(startKey, row) <= 0)!
}
