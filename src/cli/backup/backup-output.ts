/** How the commands of backups show what they do. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Progress, ProgressReport } from '../../backup/backup-progress.ts'
import type { Backups, NamedBackup } from '../../backup/destination.ts'
import { lockDestination, waitForDestination } from '../../backup/destination-lock.ts'
import { onDiskOf } from '../../backup/disk-fault.ts'
import { counted } from '../../model/counted.ts'
import { bytesText } from '../../transfer/progress.ts'
import { RateLimit } from '../../transfer/rate-limit.ts'
import { atEnd } from '../terminal/at-end.ts'
import { showProgress } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import type { Step } from '../terminal/progress-text.ts'
import type { LockFlags } from './backup-commands.ts'

export const EXIT_DAMAGE = 1

/** The files have all data and all permissions: no other account may read them. */
export function keepPrivate(): void {
  process.umask(0o077)
}

/** Resolves to a function that gives the folder free; a signal that ends the command does so, too. */
export async function locked(
  folder: string,
  { wait }: LockFlags,
  mayBeReadOnly = false,
): Promise<() => Promise<void>> {
  const lock = (): Promise<() => Promise<void>> =>
    wait === true
      ? waitForDestination(folder, printWait, mayBeReadOnly)
      : lockDestination(folder, mayBeReadOnly)
  return atEnd(await onDiskOf(folder, lock))
}

function printWait(reason: string): void {
  printProgress(`waiting: ${reason}`)
}

export function now(): number {
  return performance.now()
}

/** A limit of bytes a second; undefined: none. */
export function limiter(bytesPerSecond: number | undefined): (bytes: number) => Promise<void> {
  const rate = new RateLimit(bytesPerSecond ?? Number.POSITIVE_INFINITY, now, (milliseconds) =>
    pause(milliseconds),
  )
  return (bytes) => rate.take(bytes)
}

/** Objects go to stdout, as part of the answer; the line of the end, for people, to stderr. The display has the progress. */
export function reporter(json: boolean, quiet = false): ProgressReport {
  return (verb, progress) => {
    if (json) printLine(JSON.stringify({ kind: 'progress', verb, ...progress }))
    else if (progress.isDone && !quiet) printProgress(progressLine(verb, progress))
  }
}

/** Counts the bytes of archived logs that are read. `take`: resolves once so many bytes may be read. */
export function readLogs(take: (bytes: number) => Promise<void>): {
  readonly take: (bytes: number) => Promise<void>
  readonly step: () => Step
} {
  let done = 0
  return {
    take: (bytes) => {
      done += bytes
      return take(bytes)
    },
    step: () => ({ task: 'archived logs', amounts: [{ unit: 'bytes', done }] }),
  }
}

/** Shows a task of a backup. */
export function showFiles(verb: string, progress: () => Progress): () => void {
  return showProgress(() => filesStep(verb, progress()))
}

export function filesStep(verb: string, progress: Progress): Step {
  const { files, filesDone, bytes, bytesDone, bytesWhole } = progress
  const ofFiles = { unit: 'files', done: filesDone, total: files } as const
  return {
    task: verb,
    amounts: [ofFiles, { unit: 'bytes', done: bytesDone, total: bytes }],
    staying: [ofFiles, { unit: 'bytes', done: bytesWhole, total: bytes }],
    fraction: bytes > 0 ? bytesDone / bytes : undefined,
  }
}

function progressLine(verb: string, progress: Progress): string {
  const { files, filesDone, bytes, bytesDone, bytesFound, bytesPerSecond, secondsLeft, seconds, isDone } =
    progress
  const parts = [
    `${verb} ${filesDone} of ${counted(files, 'file')}`,
    `${bytesText(bytesDone)} of ${bytesText(bytes)}${foundText(bytesDone, bytesFound)}`,
    `${bytesText(bytesPerSecond)}/s`,
  ]
  if (isDone) parts.push(`done in ${seconds.toFixed(1)} s`)
  else if (secondsLeft !== undefined) parts.push(`about ${Math.ceil(secondsLeft)} s left`)
  return parts.join(', ')
}

/** Files that a destination had already, as those that backups share. */
function foundText(bytesDone: number, bytesFound: number): string {
  if (bytesFound === 0) return ''
  return ` (${bytesText(Math.max(0, bytesDone - bytesFound))} new, ${bytesText(bytesFound)} shared with what was there)`
}

/** How many tables users have made; the system's own are counted apart. */
export function tablesText(tables: readonly string[]): string {
  const own = tables.filter((table) => table.startsWith('hbase:')).length
  return `${counted(tables.length - own, 'table')}${own === 0 ? '' : ` and ${own} of the system`}`
}

/** Prints the backups that cannot be read. Returns whether there are any. */
export function printDamagedBackups({ damaged }: Backups, json: boolean): boolean {
  for (const { path, reason } of damaged)
    printLine(
      json ? JSON.stringify({ kind: 'damaged backup', path, reason }) : `damaged backup: ${path}: ${reason}`,
    )
  return damaged.length > 0
}

/** Prints the files that a backup lacks, since its server had lost them. Returns whether there are any. */
export function printMissing({ name, backup }: NamedBackup, json: boolean): boolean {
  for (const path of backup.missing)
    printLine(
      json
        ? JSON.stringify({ kind: 'missing file', backup: name, path })
        : `missing: ${path} is not in ${name}: the server had lost it`,
    )
  return backup.missing.length > 0
}

/** The same, to the millisecond. */
export function preciseTimeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 23).replace('T', ' ')} UTC`
}
