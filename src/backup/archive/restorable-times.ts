/** The times that can be restored by archived logs. */

import type { NamedBackup } from '../destination.ts'
import { sizeOf } from '../safe-file.ts'
import type { Stretch } from './archived-logs.ts'
import type { Run, StretchLogs } from './known-pieces.ts'
import { runOf } from './restore-point.ts'

/** All times from a backup on to the end of the log behind it. */
export interface RestorableTimes {
  readonly clusterId: string
  /** As the backup names it. */
  readonly server: string
  /** Milliseconds since 1970. */
  readonly from: number
  readonly to: number
  readonly pieces: number
  readonly bytes: number
}

/** In the order of their beginnings. `backups`: the oldest first. */
export async function restorableTimes(
  backups: readonly NamedBackup[],
  runs: readonly Run[],
): Promise<RestorableTimes[]> {
  const found: RestorableTimes[] = []
  for (const { stretch, pieces, reachedAt } of runs) {
    for (const { backup } of backups) {
      const { moment, server, at: from } = backup
      const first = pieces.findIndex(({ header }) => moment !== undefined && header.moments.includes(moment))
      if (first < 0) continue
      const behind = pieces.slice(first)
      let bytes = 0
      for (const { path } of behind) bytes += (await sizeOf(path)) ?? 0
      const { clusterId } = stretch
      found.push({ clusterId, server, from, to: Math.max(from, reachedAt), pieces: behind.length, bytes })
      break
    }
  }
  return found.sort((a, b) => a.from - b.from)
}

/** The stretches with pieces that no backup leads into: none has a moment of theirs. */
export function logsWithoutBackup(
  backups: readonly NamedBackup[],
  logs: readonly StretchLogs[],
): readonly Stretch[] {
  const moments = backups.flatMap(({ backup }) => backup.moment ?? [])
  return logs.flatMap(({ stretch, runs }) =>
    stretch.pieces.length === 0 || moments.some((moment) => runOf(moment, runs) !== undefined)
      ? []
      : [stretch],
  )
}
