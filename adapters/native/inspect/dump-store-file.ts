/** Shows a store file: trailer, info, index, and each block with its cells. */

import { toStringBinary } from '../../../src/model/bytes.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import { indexKeyText, keyText, valueText } from '../cells/cell-text.ts'
import type { FileInfo } from '../hfile/file-info.ts'
import { InfoKey } from '../hfile/file-info.ts'
import type { DumpItem, DumpOptions } from './dump-item.ts'
import { indexEntries } from './index-entries.ts'
import type { CellPlace, StoreFileView } from './store-file-view.ts'

const KEYS: ReadonlySet<string> = new Set([InfoKey.LastKey, InfoKey.BiggestCellKey])
const NUMBERS: ReadonlySet<string> = new Set([
  InfoKey.AverageKeyBytes,
  InfoKey.AverageValueBytes,
  InfoKey.CreateTime,
  InfoKey.BiggestCellBytes,
  InfoKey.MaxTagsBytes,
  InfoKey.KeyValueVersion,
  InfoKey.MaxMemstoreTimestamp,
  InfoKey.MaxSequenceId,
  InfoKey.EarliestPut,
  InfoKey.DeleteFamilyCount,
])
const FLAGS: ReadonlySet<string> = new Set([
  InfoKey.TagsCompressed,
  InfoKey.MajorCompaction,
  InfoKey.Historical,
])

/** The items of a store file. A dump of the cells leaves the index out. */
export function* dumpStoreFile(view: StoreFileView, options: DumpOptions): Generator<DumpItem> {
  const { path, bytes, hfile, trailer, openError } = view
  yield { kind: 'store-file', path, bytes }
  if (openError !== undefined) yield { kind: 'damage', message: openError.message }
  if (trailer !== undefined) yield { kind: 'trailer', ...trailer }
  if (hfile !== undefined) yield* dumpInfo(hfile.info)
  if (options.cells === 'none') yield* dumpIndex(view)
  let left = options.limit
  for (const found of view.walk()) {
    if (found.kind === 'damage') {
      yield { kind: 'damage', offset: found.offset, end: found.end, message: found.error.message }
      continue
    }
    const { type, offset, onDiskBytes, cells } = found
    const count = cells === undefined ? {} : { cells: cells.count }
    yield { kind: 'block', type, offset, onDiskBytes, ...count }
    if (cells === undefined || options.cells === 'none') continue
    for (let index = 0; index < cells.count; index++) {
      if (left-- <= 0) {
        yield { kind: 'limit', limit: options.limit }
        return
      }
      yield dumpCell(view.cellAt(cells, index), options)
    }
  }
}

export function dumpCell(place: CellPlace, options: DumpOptions): DumpItem {
  const { buffer, cell, tags, tagsBytes, sequenceId } = place
  return {
    kind: 'cell',
    ...keyText(buffer, cell),
    ...(options.cells === 'values' ? { value: valueText(buffer, cell) } : {}),
    ...(tagsBytes === 0 ? {} : { tags: toStringBinary(buffer.subarray(tags, tags + tagsBytes)) }),
    sequenceId,
  }
}

function* dumpInfo(info: FileInfo): Generator<DumpItem> {
  for (const [name, value] of info.entries()) yield { kind: 'info', name, value: infoValue(name, value) }
}

function infoValue(name: string, value: Buffer): string | number | boolean | readonly string[] {
  if (KEYS.has(name) && value.length > 0) return indexKeyText(value)
  if (FLAGS.has(name) && value.length === 1) return value[0] !== 0
  if (name === InfoKey.TimeRange && value.length === 16)
    return [value.readBigInt64BE(0).toString(), value.readBigInt64BE(8).toString()]
  if (NUMBERS.has(name) && value.length === 8) return Number(value.readBigInt64BE(0))
  if (NUMBERS.has(name) && value.length === 4) return value.readInt32BE(0)
  return toStringBinary(value)
}

function* dumpIndex({ path, blocks, trailer, hfile }: StoreFileView): Generator<DumpItem> {
  if (trailer === undefined || hfile === undefined) return
  try {
    for (const { key, offset, onDiskBytes } of indexEntries(path, blocks, trailer))
      yield { kind: 'index', key: indexKeyText(key), offset, onDiskBytes }
  } catch (error) {
    if (!isHBaseError(error)) throw error
    yield { kind: 'damage', message: messageOf(error) }
  }
}
