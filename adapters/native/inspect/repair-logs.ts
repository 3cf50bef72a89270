/** Makes logs that a start accepts out of damaged ones. */

import { counted } from '../../../src/model/counted.ts'
import type { LogRecord } from '../manifest/manifest-edit.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { encodeLogHeader, LOG_HEADER_BYTES } from '../wal/wal-format.ts'
import { logNumbers, logPath, logsOf } from './log-check.ts'
import { walkLog } from './log-walk.ts'
import type { RepairParts } from './repair.ts'
import type { FolderState } from './store-folder.ts'

export interface RepairedLogs {
  /** The list for the manifest; undefined where the logs are as they should be. */
  readonly logs: readonly LogRecord[] | undefined
  /** Logs that others replace. */
  readonly damaged: readonly string[]
}

/** A log may not be changed in its place, so the first damaged one and those behind it are written anew, under new numbers. */
export async function repairLogs(parts: RepairParts, { catalog }: FolderState): Promise<RepairedLogs> {
  const { fileSystem, directory, say, isDryRun } = parts
  const named = logsOf(fileSystem, directory, catalog)
  const scans = scanAll(parts, named, catalog.logs !== undefined)
  const firstBad = scans.findIndex(({ faults }) => faults.length > 0)
  if (firstBad < 0) return { logs: undefined, damaged: [] }
  for (const { faults } of scans) for (const fault of faults) say(fault)
  const kept: LogRecord[] = named.slice(0, firstBad).map(({ number, bytes }) => ({
    number,
    bytes: bytes ?? size(fileSystem, logPath(directory, number)),
  }))
  let number = Math.max(0, ...logNumbers(fileSystem, directory), ...named.map((log) => log.number)) + 1
  const damaged: string[] = []
  for (const scan of scans.slice(firstBad)) {
    if (scan.exists) damaged.push(logPath(directory, scan.log.number))
    if (scan.records === 0) continue
    if (!isDryRun) kept.push(await rewriteLog(fileSystem, directory, scan, number))
    say(
      `log ${scan.log.number} is written anew as ${number}, with its ${counted(scan.records, 'sound record')}`,
    )
    number++
  }
  return { logs: kept, damaged }
}

interface LogScan {
  readonly log: LogRecord
  readonly exists: boolean
  readonly records: number
  /** Sequence id before its first record. */
  readonly after: number
  readonly faults: readonly string[]
}

function scanAll(
  { fileSystem, directory }: RepairParts,
  logs: readonly LogRecord[],
  areNamed: boolean,
): LogScan[] {
  let last = 0
  return logs.map((log, index) => {
    const path = logPath(directory, log.number)
    const isOpenEnded = areNamed ? log.bytes === undefined : index === logs.length - 1
    const after = last
    const faults: string[] = []
    if (!fileSystem.exists(path)) {
      faults.push(
        `LOST: ${path} is missing, with all changes in it after sequence id ${after} that no store file has`,
      )
      return { log, exists: false, records: 0, after, faults }
    }
    const file = fileSystem.open(path, 'read')
    let records = 0
    let hasHeader = false
    let synced = 0
    let gap: { readonly offset: number; readonly text: string } | undefined
    const gaps: { readonly offset: number; readonly text: string }[] = []
    const bytes = file.size()
    for (const found of walkLog(file, last, log.bytes)) {
      if (found.kind === 'header') {
        hasHeader = true
        if (found.number !== log.number) faults.push(`${path} is the log ${found.number}`)
      } else if (found.kind === 'record') {
        if (gap !== undefined) gaps.push({ ...gap, text: `${gap.text} and before ${found.sequenceId}` })
        gap = undefined
        records++
        last = found.sequenceId
      } else if (found.kind === 'mark') {
        if (found.mark === 'synced') synced = Math.max(synced, found.upTo)
      } else {
        const text = `LOST: bytes ${found.offset} to ${found.end} of ${path} (${found.message}): changes with sequence ids after ${last}`
        gap ??= { offset: found.offset, text }
      }
    }
    file.close()
    if (gap !== undefined) gaps.push({ ...gap, text: `${gap.text}, up to the end of the log` })
    // The next start lets the log end there by itself.
    const mayEnd = isOpenEnded && (hasHeader || !areNamed) && (gaps[0]?.offset ?? 0) >= synced
    if (!mayEnd) faults.push(...gaps.map(({ text }) => text))
    if (bytes < (log.bytes ?? 0))
      faults.push(`LOST: ${path} ends at byte ${bytes} of ${log.bytes}: changes after sequence id ${last}`)
    return { log, exists: true, records, after, faults }
  })
}

async function rewriteLog(
  fileSystem: FileSystem,
  directory: string,
  scan: LogScan,
  number: number,
): Promise<LogRecord> {
  const source = fileSystem.open(logPath(directory, scan.log.number), 'read')
  const target: OpenFile = fileSystem.open(logPath(directory, number), 'create')
  let bytes = LOG_HEADER_BYTES
  try {
    target.append([encodeLogHeader(number)])
    for (const found of walkLog(source, scan.after, scan.log.bytes)) {
      if (found.kind !== 'record') continue
      target.append([found.raw])
      bytes += found.bytes
    }
    await target.sync()
  } finally {
    source.close()
    target.close()
  }
  await fileSystem.syncDirectory(`${directory}/wal`)
  return { number, bytes }
}

function size(fileSystem: FileSystem, path: string): number {
  const file = fileSystem.open(path, 'read')
  try {
    return file.size()
  } finally {
    file.close()
  }
}
