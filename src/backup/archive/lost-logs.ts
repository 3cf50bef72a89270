/** The faults of archived logs that may have cost a restore entries: those behind its backup that began before its time. */

import type { NamedBackup } from '../destination.ts'
import type { LogFault } from './archived-logs.ts'
import type { KnownPiece, StretchLogs } from './known-pieces.ts'
import type { PieceFault } from './piece-file.ts'

/** The name of a stretch has whole seconds. */
const SECOND_MS = 1000

/** `logs`: all of the backup's server, in the order of their times. `time`: milliseconds since 1970, or Infinity. */
export function faultsBehind(
  { backup: { at, moment } }: NamedBackup,
  logs: readonly StretchLogs[],
  time: number,
): PieceFault[] {
  if (at >= time) return []
  const places = logs.map(({ runs }) =>
    pieceWith(
      moment,
      runs.flatMap(({ pieces }) => pieces),
    ),
  )
  const own = places.findIndex((piece) => piece !== undefined)
  return logs.flatMap(({ stretch, runs, faults }, index) => {
    if (index < own) return []
    const pieces = runs.flatMap((run) => run.pieces)
    const next = logs[index + 1]?.stretch.beganAt
    const end = next === undefined ? Number.POSITIVE_INFINITY : next + SECOND_MS
    const isBehind = (fault: LogFault): boolean => {
      if (index === own) return fault.last > places[own]!.first
      // The moment is unknown, or in a piece that cannot be read: the times of the pieces around must do.
      return own >= 0 || (pieces.find(({ first }) => first > fault.last)?.header.from ?? end) >= at
    }
    return faults
      .filter((fault) => isBehind(fault) && timeBefore(fault, pieces, stretch.beganAt) <= time)
      .map(({ path, reason }) => ({ path, reason }))
  })
}

function pieceWith(moment: string | undefined, pieces: readonly KnownPiece[]): KnownPiece | undefined {
  return pieces.find(({ header }) => moment !== undefined && header.moments.includes(moment))
}

/** All up to this time lies before the fault. */
function timeBefore({ first }: LogFault, pieces: readonly KnownPiece[], beganAt: number): number {
  return pieces.findLast(({ last }) => last < first)?.header.to ?? beganAt
}
