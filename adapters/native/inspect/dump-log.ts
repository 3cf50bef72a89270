/** Shows a log: each record with its region, sequence id and cells. */

import { valueLength, valueOffset } from '../../../src/model/cell.ts'
import { CellCursor } from '../../../src/model/cell-block.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { DumpItem, DumpOptions } from './dump-item.ts'
import { dumpCell } from './dump-store-file.ts'
import { type WalkedRecord, walkLog } from './log-walk.ts'

export function* dumpLog(fileSystem: FileSystem, path: string, options: DumpOptions): Generator<DumpItem> {
  const file = fileSystem.open(path, 'read')
  try {
    yield { kind: 'log', path, bytes: file.size() }
    let left = options.limit
    for (const found of walkLog(file, 0)) {
      if (found.kind !== 'record') {
        yield { ...found }
        continue
      }
      if (left-- <= 0) {
        yield { kind: 'limit', limit: options.limit }
        return
      }
      yield* dumpRecord(found, options)
    }
  } finally {
    file.close()
  }
}

function* dumpRecord(record: WalkedRecord & { kind: 'record' }, options: DumpOptions): Generator<DumpItem> {
  const { offset, bytes, sequenceId, region, cells } = record
  const shown: DumpItem[] = []
  let count = 0
  const cursor = new CellCursor(cells)
  while (cursor.next()) {
    count++
    if (options.cells === 'none') continue
    const { buffer, cell, cellLength } = cursor
    const end = valueOffset(buffer, cell) + valueLength(buffer, cell)
    const tagsBytes = Math.max(0, cell + cellLength - end - 2)
    shown.push(dumpCell({ buffer, cell, tags: end + 2, tagsBytes, sequenceId }, options))
  }
  yield { kind: 'record', offset, bytes, sequenceId, region, cells: count }
  yield* shown
}
