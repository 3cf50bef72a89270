/** How the commands of backups show archived logs. */

import type { Stretch } from '../../backup/archive/archived-logs.ts'
import type { PieceFault } from '../../backup/archive/piece-file.ts'
import type { RestorableTimes } from '../../backup/archive/restorable-times.ts'
import { counted } from '../../model/counted.ts'
import { bytesText } from '../../transfer/progress.ts'
import { printLine } from '../terminal/print-lines.ts'
import { preciseTimeText } from './backup-output.ts'

export function printTimes(times: RestorableTimes, json: boolean): void {
  const { from, to, pieces, bytes, server } = times
  printLine(
    json
      ? JSON.stringify({ kind: 'logs', ...times })
      : `logs  ${preciseTimeText(from)} to ${preciseTimeText(to)}, ${counted(pieces, 'piece')}, ${bytesText(bytes)}  from ${server}`,
  )
}

/** `consequence`: text behind the reason. Returns whether there are any. */
export function printLogFaults(faults: readonly PieceFault[], json: boolean, consequence: string): boolean {
  for (const { path, reason } of faults)
    printLine(
      json
        ? JSON.stringify({ kind: 'damaged file', path, reason, needed: [] })
        : `damaged: ${path}: ${reason}; ${consequence}`,
    )
  return faults.length > 0
}

/** Prints the archived logs that no backup leads into. */
export function printUnused(stretches: readonly Stretch[], json: boolean): void {
  for (const { clusterId, name, folder, pieces } of stretches)
    printLine(
      json
        ? JSON.stringify({ kind: 'logs without backup', clusterId, stretch: name, pieces: pieces.length })
        : `logs  ${folder}, ${counted(pieces.length, 'piece')}: no backup goes with it`,
    )
}
