/**
 * Removes archived logs that no kept backup needs. Servers write pieces meanwhile: of the newest stretch of a server everything from its last moment
 * on stays, since the backup of that moment may be under way.
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedBackup } from '../destination.ts'
import { sizeOf, syncFolder } from '../safe-file.ts'
import { type LogFault, reachedPath, removePiece, type Stretch } from './archived-logs.ts'
import { knownLogs, type Run } from './known-pieces.ts'

const DAY_MS = 86_400_000

export interface PrunedLogs {
  readonly pieces: number
  readonly bytes: number
  /** Of stretches that stay whole for that. */
  readonly faults: readonly LogFault[]
  /** The runs that stay. */
  readonly left: readonly Run[]
}

/**
 * The newest time that is known of each server, by its cluster id. `now`, in milliseconds since 1970, bounds it: one wrong time of the future must not
 * make all logs old.
 */
export function newestTimes(
  backups: readonly NamedBackup[],
  runs: readonly Run[],
  now: number,
): Map<string, number> {
  const times = new Map<string, number>()
  const note = (clusterId: string, time: number): void => {
    const at = Math.min(time, now)
    times.set(clusterId, Math.max(at, times.get(clusterId) ?? at))
  }
  for (const { backup } of backups) note(backup.clusterId, backup.at)
  for (const { stretch, reachedAt } of runs) note(stretch.clusterId, reachedAt)
  return times
}

/**
 * The backups without which not each moment of the last days can be restored: all of these days, and of each server the newest one before. A load
 * that no log has is in the backup behind it alone.
 */
export function neededForDays(
  backups: readonly NamedBackup[],
  days: number,
  newest: ReadonlyMap<string, number>,
): ReadonlySet<NamedBackup> {
  const needed = new Set<NamedBackup>()
  for (const [server, at] of newest) {
    const since = at - days * DAY_MS
    const own = backups.filter(({ backup }) => backup.clusterId === server)
    const before = own.findLast(({ backup }) => backup.at <= since)
    for (const each of own) if (each === before || each.backup.at > since) needed.add(each)
  }
  return needed
}

export interface PruneLogsParts {
  /** Of the destination. */
  readonly folder: string
  readonly kept: readonly NamedBackup[]
  /** The logs of so many days stay, and those that these need; undefined: all behind the oldest backup that is kept. */
  readonly days: number | undefined
  readonly newest: ReadonlyMap<string, number>
  /** Nothing is removed. */
  readonly dryRun: boolean
}

/** The pieces of runs from a part on. */
function from(first: number, runs: readonly Run[]): Run[] {
  return runs.flatMap((run) => {
    const pieces = run.pieces.filter(({ last }) => last >= first)
    return pieces.length === 0 ? [] : [{ ...run, pieces }]
  })
}

export async function pruneLogs(parts: PruneLogsParts): Promise<PrunedLogs> {
  const logs = await knownLogs(parts.folder)
  const faults: LogFault[] = []
  const left: Run[] = []
  let [pieces, bytes] = [0, 0]
  for (const [index, each] of logs.entries()) {
    const { stretch, runs } = each
    // A piece that cannot be read may have the moment of a backup that is kept.
    if (each.faults.length > 0) {
      faults.push(...each.faults)
      left.push(...runs)
      continue
    }
    const isNewest = logs[index + 1]?.stretch.clusterId !== stretch.clusterId
    const first = firstNeeded(parts, stretch, runs, isNewest)
    const gone = stretch.pieces.filter(({ last }) => first === undefined || last < first)
    if (first !== undefined) left.push(...from(first, runs))
    const names = [...gone.map(({ name }) => name), ...stretch.replaced]
    pieces += names.length
    bytes += await removeFrom(stretch, names, { isWhole: first === undefined, dryRun: parts.dryRun })
  }
  return { pieces, bytes, faults, left }
}

/** Resolves to the bytes of the pieces. */
async function removeFrom(
  stretch: Stretch,
  names: readonly string[],
  { isWhole, dryRun }: { readonly isWhole: boolean; readonly dryRun: boolean },
): Promise<number> {
  // A kill here must not leave a note of pieces that are gone.
  if (isWhole && !dryRun) {
    await rm(reachedPath(stretch.folder), { force: true })
    await syncFolder(stretch.folder)
  }
  let bytes = 0
  for (const name of names) {
    // The server may have removed it meanwhile.
    bytes += (await sizeOf(join(stretch.folder, name))) ?? 0
    if (!dryRun) await removePiece(stretch, name)
  }
  if (isWhole && !dryRun) await rm(stretch.folder, { recursive: true, force: true })
  return bytes
}

/** The number of the first part that stays; undefined: the whole stretch goes. */
function firstNeeded(
  { kept, days, newest }: PruneLogsParts,
  stretch: Stretch,
  runs: readonly Run[],
  isNewest: boolean,
): number | undefined {
  const pieces = runs.flatMap((run) => run.pieces)
  const since = (newest.get(stretch.clusterId) ?? 0) - (days ?? Number.POSITIVE_INFINITY) * DAY_MS
  const isOld = runs.every(({ reachedAt }) => reachedAt < since)
  const bases = (isOld ? [] : kept).flatMap(({ backup: { at, moment } }) => {
    const piece = pieces.find(({ header }) => moment !== undefined && header.moments.includes(moment))
    return piece === undefined ? [] : [{ at, first: piece.first }]
  })
  // The moments of the days before the oldest backup of these go on from the one before.
  const base = bases.findLast(({ at }) => at <= since) ?? bases[0]
  if (!isNewest) return base?.first
  const last = pieces.findLast(({ header }) => header.moments.length > 0)?.first ?? 0
  return Math.min(base?.first ?? last, last)
}
