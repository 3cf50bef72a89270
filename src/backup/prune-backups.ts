/** Removes old backups, and the files that no other one has. */

import { rm, stat } from 'node:fs/promises'
import { type Destination, isUnfinished, type NamedBackup } from './destination.ts'

export interface Retention {
  /** So many of the newest stay. */
  readonly last: number
  /** The newest one of each of so many days, weeks (from Monday on) or months with backups stays; by UTC. */
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
}

/** Splits the backups, which are in the order of their times. The rules hold for each server by itself; `needed` ones stay besides. */
export function chosenBackups(
  backups: readonly NamedBackup[],
  retention: Retention,
  needed: ReadonlySet<NamedBackup> = new Set(),
): { readonly kept: readonly NamedBackup[]; readonly gone: readonly NamedBackup[] } {
  const servers = new Set(backups.map(({ backup }) => backup.clusterId))
  const kept = new Set(needed)
  for (const server of servers)
    for (const each of keptOf(
      backups.filter(({ backup }) => backup.clusterId === server),
      retention,
    ))
      kept.add(each)
  return { kept: backups.filter((each) => kept.has(each)), gone: backups.filter((each) => !kept.has(each)) }
}

function keptOf(
  backups: readonly NamedBackup[],
  { last, daily, weekly, monthly }: Retention,
): ReadonlySet<NamedBackup> {
  const newestFirst = backups.toReversed()
  const kept = new Set(newestFirst.slice(0, last))
  const keepOf = (periods: number, periodOf: (at: number) => string): void => {
    const seen = new Set<string>()
    for (const each of newestFirst) {
      const period = periodOf(each.backup.at)
      if (seen.has(period)) continue
      if (seen.size === periods) return
      seen.add(period)
      kept.add(each)
    }
  }
  keepOf(daily, (at) => isoText(at, 10))
  keepOf(weekly, weekOf)
  keepOf(monthly, (at) => isoText(at, 7))
  return kept
}

function isoText(at: number, length: number): string {
  return new Date(at).toISOString().slice(0, length)
}

const DAY_MS = 86_400_000
/** The first of January 1970 was a Thursday. */
const MONDAY_OFFSET_DAYS = 3

function weekOf(at: number): string {
  return String(Math.floor((Math.floor(at / DAY_MS) + MONDAY_OFFSET_DAYS) / 7))
}

export interface Pruned {
  /** Files that are removed, and their bytes on this disk. */
  readonly files: number
  readonly bytes: number
}

/**
 * `kept`: all other backups, whose files stay. Refused, with an Error, where a backup cannot be read: it may need any file. With `dryRun` nothing is
 * removed. `removed`: gets the sums after each file.
 */
export async function pruneBackups(
  destination: Destination,
  gone: readonly NamedBackup[],
  kept: readonly NamedBackup[],
  dryRun: boolean,
  removed: (pruned: Pruned) => void = () => undefined,
): Promise<Pruned> {
  const needed = new Set(kept.flatMap(({ backup }) => backup.files.map(({ content }) => content)))
  // First of all: a backup without its files must not be listed.
  for (const { name } of dryRun ? [] : gone) await destination.remove(name)
  let [files, bytes] = [0, 0]
  for await (const content of destination.contents()) {
    if (needed.has(content)) continue
    const path = destination.pathOf(content)
    const { size, nlink } = await stat(path)
    if (!isUnfinished(content)) files++
    // The server, or a copy of the folder, has the bytes under another name.
    if (nlink === 1) bytes += size
    if (!dryRun) await rm(path, { force: true })
    removed({ files, bytes })
  }
  return { files, bytes }
}
