/** Reads the logs of earlier starts: all that the registry names, each as long as it says. */

import type { Steps } from '../../../src/model/steps.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import type { NativeLog } from '../platform/native-log.ts'
import { emptyLog, type LogFile, noteRecords, raise } from './current-log.ts'
import { type LogFiles } from './log-files.ts'
import { LOG_NAME } from './log-list.ts'
import { corruptLog, type LogReading, readLog, type WalRecord } from './log-reader.ts'

/** The work of a start with the logs that it reads. */
export interface LogReplay extends LogReading {
  /** Called before each log is read. */
  readonly beforeLog?: () => Promise<void>
  /** Called after each log: it may make room before the next one is read. */
  readonly afterLog?: () => Promise<void>
}

export interface RecoveryParts {
  readonly fileSystem: FileSystem
  readonly files: LogFiles
  readonly lost: LostAndFound
  readonly log: NativeLog
  readonly replay: LogReplay
}

export interface Recovered {
  /** Bytes cut off the last log as no whole record. */
  readonly tornBytes: number
  /** Logs without records, to be removed once the registry does not name them. */
  readonly empty: readonly LogFile[]
  readonly lastSequenceId: number
}

/** Throws CORRUPTION, with file and offset, for a log that is missing or damaged. */
export async function recoverLogs(parts: RecoveryParts): Promise<Recovered> {
  const { fileSystem, files, log: writeLog, replay } = parts
  const empty: LogFile[] = []
  let tornBytes = 0
  let lastSequenceId = 0
  const numbers = logsToRead(parts)
  adoptKept(parts)
  for (const [index, number] of numbers.entries()) {
    const log = emptyLog(number, files.pathOf(number), 0)
    const isLast = index === numbers.length - 1
    const recorded = files.registry.logs?.find((candidate) => candidate.number === number)
    const expected = {
      number,
      bytes: recorded?.bytes,
      mayBeTorn: recorded === undefined ? isLast : recorded.bytes === undefined,
      mayLackHeader: recorded === undefined && isLast,
      lastSequenceId,
    }
    const onRecord = (record: WalRecord): Steps<void> | undefined => {
      raise(log.regions, record.region, record.sequenceId)
      noteRecords(log, record.sequenceId, record.sequenceId)
      return replay.onRecord(record)
    }
    await replay.beforeLog?.()
    const { turns, onRead } = replay
    const content = await readLog(fileSystem, log.path, expected, { turns, onRecord, onRead })
    if (content.tornBytes > 0) {
      // Damage to an acknowledged record looks the same as a write that a crash has cut, or that a power loss has kept in parts.
      const message = `write-ahead log ${log.path} is not whole from byte ${content.bytes} on, behind what the disk is known to have had: a crash or a power loss came in the middle of a write, or the file was damaged. It ends there, and its last ${content.tornBytes} bytes are cut off`
      writeLog('error', message, { path: log.path, offset: content.bytes, bytes: content.tornBytes })
    }
    tornBytes += content.tornBytes
    lastSequenceId = content.lastSequenceId
    log.bytes = content.bytes
    if (content.records > 0) files.addClosed(log)
    else empty.push(log)
    await replay.afterLog?.()
  }
  files.raise(Math.max(lastSequenceId, files.registry.lastSequenceId ?? 0))
  // Logs may have gone of which the registry does not tell.
  if (files.registry.keeping === undefined)
    files.keeping.reachFrom(files.lastSequenceId, 'the list of logs does not name it')
  return { tornBytes, empty, lastSequenceId }
}

/** Takes over the logs that are kept for readers of changes: a missing one is no damage of the store. */
function adoptKept({ fileSystem, files, log: writeLog }: RecoveryParts): void {
  const { keeping: record } = files.registry
  if (record === undefined) return
  const there: LogFile[] = []
  for (const { number, bytes, first, last } of record.kept) {
    const path = files.pathOf(number)
    if (sizeOf(fileSystem, path) >= bytes)
      there.push({ ...emptyLog(number, path, bytes), firstSequenceId: first, lastSequenceId: last })
    else writeLog('warn', `${path}, which was kept for readers of changes, is gone or cut: they miss changes`)
  }
  files.keeping.adopt(record, there)
  files.raise(files.keeping.reachesFrom)
  for (const { lastSequenceId } of there) files.raise(lastSequenceId)
}

function sizeOf(fileSystem: FileSystem, path: string): number {
  try {
    const file = fileSystem.open(path, 'read')
    try {
      return file.size()
    } finally {
      file.close()
    }
  } catch {
    return -1
  }
}

/** Bytes of the logs that there are; of those that cannot be opened none: their recovery says so. */
export function bytesToRecover(fileSystem: FileSystem, { directory, registry }: LogFiles): number {
  const named = registry.logs?.map(({ number }) => number)
  let bytes = 0
  for (const name of fileSystem.list(directory)) {
    if (!LOG_NAME.test(name) || named?.includes(Number.parseInt(name, 10)) === false) continue
    try {
      const file = fileSystem.open(`${directory}/${name}`, 'read')
      bytes += file.size()
      file.close()
    } catch {
      // The reader that needs the file reports it.
    }
  }
  return bytes
}

/** Numbers of the logs to read, in order. Sets aside those that the registry does not name and that removeUnneededLogs has left. */
function logsToRead({ fileSystem, files, lost }: RecoveryParts): number[] {
  const names = fileSystem.list(files.directory).filter((name) => LOG_NAME.test(name))
  const found = names.map((name) => Number.parseInt(name, 10))
  const { logs, keeping } = files.registry
  const kept = new Set(keeping?.kept.map(({ number }) => number))
  const recorded = logs?.map(({ number }) => number)
  files.nextNumber = Math.max(0, ...found, ...(recorded ?? []), ...kept) + 1
  if (recorded === undefined) return found
  const missing = recorded.find((number) => !found.includes(number))
  if (missing !== undefined) throw corruptLog(files.pathOf(missing), 0, 'the file is missing')
  for (const number of found) {
    if (!recorded.includes(number) && !kept.has(number))
      lost.setAside(files.pathOf(number), 'the manifest does not name it')
  }
  return recorded.toSorted((a, b) => a - b)
}
