/** Checks the write-ahead log: all files that the manifest names, their records, and the order of their sequence ids. */

import { counted } from '../../../src/model/counted.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { Catalog } from '../manifest/catalog.ts'
import type { LogRecord } from '../manifest/manifest-edit.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { LOG_NAME, logName } from '../wal/log-list.ts'
import { isTornHeader } from '../wal/wal-format.ts'
import { type Finding, REPAIR_ADVICE, type Report } from './finding.ts'
import { type WalkedRecord, walkLog } from './log-walk.ts'

type Damage = WalkedRecord & { kind: 'damage' }

export interface LogCheckParts {
  readonly fileSystem: FileSystem
  readonly directory: string
  readonly catalog: Catalog
  readonly report: Report
  /** Called with the number of bytes checked since its last call. */
  readonly onBytes: (bytes: number) => void
}

export function logPath(directory: string, number: number): string {
  return `${directory}/wal/${logName(number)}`
}

/** The logs that a start reads, in its order: those that the manifest names, or all of a store that names none. */
export function logsOf(fileSystem: FileSystem, directory: string, catalog: Catalog): LogRecord[] {
  const named = catalog.logs ?? logNumbers(fileSystem, directory).map((number) => ({ number }))
  return named.toSorted((a, b) => a.number - b.number)
}

export function logNumbers(fileSystem: FileSystem, directory: string): number[] {
  const names = fileSystem.list(`${directory}/wal`).filter((name) => LOG_NAME.test(name))
  return names.map((name) => Number.parseInt(name, 10))
}

/** Returns the number of sound records. A record is a step. */
export function* checkLogs(parts: LogCheckParts): Steps<number> {
  const { fileSystem, directory, catalog } = parts
  let records = 0
  let lastSequenceId = 0
  const logs = logsOf(fileSystem, directory, catalog)
  for (const [index, log] of logs.entries()) {
    const isOpenEnded = catalog.logs === undefined ? index === logs.length - 1 : log.bytes === undefined
    const mayLackHeader = catalog.logs === undefined
    const found = yield* checkLog(parts, log, { isOpenEnded, mayLackHeader, lastSequenceId })
    records += found.records
    lastSequenceId = found.lastSequenceId
  }
  return records
}

/** Checks logs that are kept for readers of changes: no data of the store is in them alone. */
export function* checkKeptLogs({
  fileSystem,
  directory,
  catalog,
  report,
  onBytes,
}: LogCheckParts): Steps<void> {
  for (const { number, bytes, first } of catalog.keeping?.kept ?? []) {
    const path = logPath(directory, number)
    const warn = (offset: number | undefined, message: string): void => {
      const advice = 'nothing for the store: readers of changes that are behind miss some, and learn of it'
      report({ severity: 'warning', path, offset, message, advice })
    }
    if (!fileSystem.exists(path)) {
      warn(undefined, 'a log that is kept for readers of changes is missing')
      continue
    }
    const file = fileSystem.open(path, 'read')
    try {
      if (file.size() < bytes) warn(file.size(), `a kept log ends here, and had ${bytes} bytes`)
      for (const found of walkLog(file, first - 1, bytes)) {
        if (found.kind === 'damage') warn(found.offset, `${found.message}, in a kept log`)
        else if (found.kind === 'record') onBytes(found.bytes)
        yield
      }
    } catch (error) {
      warn(undefined, `the kept log cannot be read: ${messageOf(error)}`)
    } finally {
      file.close()
    }
  }
}

function wholeOf(file: OpenFile): Buffer {
  const bytes = Buffer.alloc(file.size())
  return bytes.subarray(0, file.read(bytes, 0, bytes.length, 0))
}

interface ExpectedEnd {
  /** Whether a crash may have cut its last record. */
  readonly isOpenEnded: boolean
  /** Whether a crash may have cut its header: once a manifest names the log, its header is on disk. */
  readonly mayLackHeader: boolean
  /** The last sequence id of the logs before. */
  readonly lastSequenceId: number
}

/** The finding for a log that may end at its first damage. `behind`: whole records that follow it. */
function endOf(
  { offset, message }: Damage,
  size: number,
  behind: number,
): Pick<Finding, 'message' | 'advice'> {
  const reason = `it is not whole in its last ${size - offset} bytes (${message}), behind what the disk is known to have had: a crash or a power loss came in the middle of a write, or the file was damaged`
  if (behind === 0) return { message: reason, advice: 'nothing: the next start cuts them off' }
  return {
    message: `${reason}. ${counted(behind, 'record')} behind the first damage can still be read`,
    advice: 'copy the folder before the next start, which cuts these records off with the rest',
  }
}

function* checkLog(
  { fileSystem, directory, report, onBytes }: LogCheckParts,
  { number, bytes }: LogRecord,
  { isOpenEnded, mayLackHeader, lastSequenceId }: ExpectedEnd,
): Steps<{ records: number; lastSequenceId: number }> {
  const path = logPath(directory, number)
  const state = { records: 0, lastSequenceId }
  const isTornStart = (file: OpenFile): boolean => mayLackHeader && isTornHeader(wholeOf(file), number)
  const fault = (offset: number | undefined, message: string): void =>
    report({ severity: 'error', path, offset, message, advice: REPAIR_ADVICE })
  if (!fileSystem.exists(path)) {
    fault(undefined, 'the log is missing: a start is refused')
    return state
  }
  try {
    const file = fileSystem.open(path, 'read')
    try {
      if (bytes !== undefined && file.size() < bytes)
        fault(file.size(), `the log ends here, and had ${bytes} bytes: a start is refused`)
      else if (bytes !== undefined && file.size() > bytes) {
        const message = `${counted(file.size() - bytes, 'byte')} behind the log's end, as an append that failed leaves them: nothing reads them`
        report({ severity: 'note', path, offset: bytes, message, advice: 'nothing: they go with the log' })
      }
      const damage: Damage[] = []
      let synced = 0
      let behind = 0
      for (const found of walkLog(file, lastSequenceId, bytes)) {
        if (found.kind === 'header') {
          if (found.number !== number) fault(0, `it is the log ${found.number}: a start is refused`)
        } else if (found.kind === 'record') {
          if (damage.length > 0) behind++
          state.records++
          state.lastSequenceId = found.sequenceId
          onBytes(found.bytes)
        } else if (found.kind === 'mark') {
          if (found.mark === 'synced') synced = Math.max(synced, found.upTo)
          onBytes(found.bytes)
        } else {
          damage.push(found)
          onBytes(found.end - found.offset)
        }
        yield
      }
      const [first] = damage
      const mayEnd = first !== undefined && (first.offset > 0 ? first.offset >= synced : isTornStart(file))
      if (isOpenEnded && mayEnd) {
        report({ severity: 'warning', path, offset: first.offset, ...endOf(first, file.size(), behind) })
        state.records -= behind
      } else {
        for (const { offset, end, message } of damage)
          fault(offset, `${message}, up to byte ${end}: a start is refused`)
      }
    } finally {
      file.close()
    }
  } catch (error) {
    fault(undefined, `the log cannot be read: ${messageOf(error)}`)
  }
  return state
}
