import { isHBaseError } from '../../../src/model/errors.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Catalog } from '../manifest/catalog.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { LOG_NAME } from './log-list.ts'
import { MARK_BYTES, markAt } from './log-mark.ts'
import { readLog, type WalRecord } from './log-reader.ts'
import { decodeLogHeader, LOG_HEADER_BYTES } from './wal-format.ts'

/**
 * Removes logs that a kill has left: the manifest does not name them, and no region needs them. Some hold only copies of another log's
 * records: the log was begun but not yet named. Of others, all records are in store files: the manifest has dropped the name, and the
 * file was not yet removed. All other logs stay: after an operator put an older manifest back, they may have records that no store file
 * has.
 */
export async function removeUnneededLogs(
  fileSystem: FileSystem,
  directory: string,
  catalog: Catalog,
  turns: LoopTurns,
): Promise<void> {
  if (catalog.logs === undefined) return
  const kept = catalog.keeping?.kept ?? []
  const named = new Set([...catalog.logs, ...kept].map(({ number }) => number))
  for (const name of fileSystem.list(directory).filter((candidate) => LOG_NAME.test(candidate))) {
    const number = Number.parseInt(name, 10)
    const path = `${directory}/${name}`
    if (!named.has(number) && (await isUnneeded(fileSystem, path, number, catalog, turns)))
      fileSystem.remove(path)
  }
}

async function isUnneeded(
  fileSystem: FileSystem,
  path: string,
  number: number,
  catalog: Catalog,
  turns: LoopTurns,
): Promise<boolean> {
  const flushed = new Map<number, number>()
  for (const { regions } of catalog.tables.values())
    for (const region of regions) flushed.set(region.number, region.flushedSequenceId)
  let isNeeded = false
  try {
    if (hasOnlyCopies(fileSystem, path, number)) return true
    const expected = { number, bytes: undefined, mayBeTorn: false, mayLackHeader: true, lastSequenceId: 0 }
    const onRecord = ({ region, sequenceId }: WalRecord): undefined => {
      const flushedSequenceId = flushed.get(region)
      if (flushedSequenceId === undefined)
        isNeeded ||= catalog.retired.fateOf(region, sequenceId, catalog) === 'lost'
      else if (sequenceId > flushedSequenceId) isNeeded = true
    }
    await readLog(fileSystem, path, expected, { turns, onRecord })
  } catch (error) {
    // A log that cannot be read is not understood.
    if (isHBaseError(error)) return false
    throw error
  }
  return !isNeeded
}

/** Whether the log has nothing behind its beginning, or behind copies of another log's records, whole or not: it was never named. */
function hasOnlyCopies(fileSystem: FileSystem, path: string, number: number): boolean {
  const file = fileSystem.open(path, 'read')
  try {
    const head = Buffer.alloc(LOG_HEADER_BYTES + MARK_BYTES)
    const read = file.read(head, 0, head.length, 0)
    if (decodeLogHeader(head) !== number) return false
    const mark = markAt(head, LOG_HEADER_BYTES, LOG_HEADER_BYTES)
    // A record is longer than a mark.
    return read < head.length || (mark?.kind === 'copied' && file.size() <= mark.upTo)
  } finally {
    file.close()
  }
}
