/** The archived logs of a restore: the store that they make of a backup, and all that they lack. */

import type { UnloggedCells } from '../../../adapters/native/backup/later-catalog.ts'
import type { LaterStore } from '../../../adapters/native/backup/later-store.ts'
import type { RestoredParts } from '../../../adapters/native/backup/restored-manifest.ts'
import { LaterEntries } from '../../backup/archive/later-entries.ts'
import type { PieceFault } from '../../backup/archive/piece-file.ts'
import type { RestorePoint } from '../../backup/archive/restore-point.ts'
import type { Destination } from '../../backup/destination.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import { preciseTimeText } from './backup-output.ts'
import type { ChosenPoint } from './chosen-point.ts'

interface LogsParts extends RestoredParts {
  /** Resolves once so many bytes may be read. */
  readonly take: (bytes: number) => Promise<void>
}

export interface LogsReport {
  readonly asOf: number
  /** The piece at which the logs end too early. */
  readonly fault: PieceFault | undefined
  /** The tables with cells that the logs do not have, and the next backup, which has them. */
  readonly unlogged: readonly (UnloggedCells & { readonly backup: string | undefined })[]
  readonly laterSnapshots: readonly string[]
}

export class RestoredLogs {
  readonly #destination: Destination
  readonly #point: ChosenPoint
  readonly #parts: LogsParts
  readonly #entries: LaterEntries
  #store: LaterStore | undefined

  /** `logs`: of the point. */
  constructor(
    destination: Destination,
    point: ChosenPoint,
    logs: NonNullable<RestorePoint['logs']>,
    parts: LogsParts,
  ) {
    this.#destination = destination
    this.#point = point
    this.#parts = parts
    const { until } = point
    this.#entries = new LaterEntries({ destination: destination.folder, ...logs, until, take: parts.take })
  }

  async storeFor(manifest: Buffer): Promise<LaterStore> {
    const { laterStore } = await import('../../../adapters/native/backup/later-store.ts')
    const { NODE_FILE_SYSTEM } = await import('../../../adapters/native/platform/node-file-system.ts')
    const entries = this.#entries
    this.#store = await laterStore(manifest, {
      ...this.#parts,
      fileSystem: NODE_FILE_SYSTEM,
      entries: () => entries.read(),
    })
    return this.#store
  }

  /** Of a restore that has ended. */
  async report(): Promise<LogsReport> {
    const { base, asOf } = this.#point
    const { fault, lastAt } = this.#entries
    const { unlogged = [], laterSnapshots = [] } = this.#store ?? {}
    const { sound } = await this.#destination.backups()
    const backupBehind = (time: number): string | undefined =>
      sound.find(({ backup }) => backup.clusterId === base.backup.clusterId && backup.at >= time)?.name
    return {
      asOf: fault === undefined ? asOf : Math.max(base.backup.at, lastAt ?? 0),
      fault,
      unlogged: unlogged.map((each) => ({ ...each, backup: backupBehind(each.last) })),
      laterSnapshots,
    }
  }
}

/** Returns whether the tables have all that they should have. */
export function printReport({ fault, unlogged, laterSnapshots }: LogsReport, json: boolean): boolean {
  for (const { table, first, last, backup } of unlogged)
    printLine(
      json
        ? JSON.stringify({ kind: 'unlogged', table, first, last, backup })
        : `missing: cells of ${table} that came at ${preciseTimeText(first)} without the log, as by a bulk load or from a snapshot: ${backup === undefined ? 'no later backup has them yet' : `the backup ${backup} has them`}`,
    )
  for (const name of laterSnapshots)
    printLine(
      json
        ? JSON.stringify({ kind: 'left out snapshot', name })
        : `left out: the snapshot ${name}, which was made after the backup: the logs have no snapshots`,
    )
  if (fault !== undefined)
    printLine(
      json
        ? JSON.stringify({ kind: 'damaged file', ...fault })
        : `damaged: ${fault.path}: ${fault.reason}; nothing behind it is restored`,
    )
  return fault === undefined && unlogged.length === 0
}

/** Warns where neither a backup nor the logs reach the time. Returns whether they do not. */
export function printGap(point: ChosenPoint, json: boolean): boolean {
  const { asOf, nextAt, until } = point
  if (asOf >= until) return false
  if (json) printLine(JSON.stringify({ kind: 'gap', from: asOf, next: nextAt, asked: askedOf(until) }))
  else printProgress(`warning: ${gapText(point, Date.now())}`)
  return true
}

function askedOf(until: number): number | 'latest' {
  return Number.isFinite(until) ? until : 'latest'
}

/** `now`: milliseconds since 1970. */
export function gapText({ base, asOf, nextAt, until, isArchived }: ChosenPoint, now: number): string {
  const from = preciseTimeText(asOf)
  const missing = Number.isFinite(until)
    ? `${spanText(until - asOf)} before the time that was asked for`
    : `${spanText(now - asOf)} ago`
  const next = nextAt === undefined ? '' : ` The next backup is of ${preciseTimeText(nextAt)}.`
  if (!isArchived)
    return `there are only backups: this is the state of ${base.name}, of ${from}, which is ${missing}. Changes after it are not restored.${next} To restore any moment, have the server archive its log (serve --archive-log)`
  if (nextAt !== undefined)
    return `the archived logs have nothing between ${from} and ${preciseTimeText(nextAt)}: this is the state of ${from}, which is ${missing}`
  return `the archived logs have nothing after ${from}: this is the state of then, which is ${missing}. A server that runs archives its log every few seconds: later times can be restored a moment later`
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const

/** About, in the largest unit that it has two of. */
function spanText(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => milliseconds >= 2 * each) ?? ['seconds', 1000]
  return `${Number((milliseconds / length).toFixed(milliseconds < 10_000 ? 3 : 1))} ${unit}`
}
