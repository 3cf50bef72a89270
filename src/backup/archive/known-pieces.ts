/** Pieces of archived logs with their headers: which parts, times and moments each has. No more of a piece is read. */

import { reasonOf } from '../../model/error-reason.ts'
import { isCode } from '../safe-file.ts'
import { sideBySide } from '../side-by-side.ts'
import type { PieceHeader } from './archive-piece.ts'
import {
  archivedLogs,
  gapBefore,
  type LogFault,
  missingEnd,
  missingIn,
  type Stretch,
} from './archived-logs.ts'
import { headerOf, type PieceFault, type PieceFile } from './piece-file.ts'

export interface KnownPiece extends PieceFile {
  readonly header: PieceHeader
}

/** Pieces of a stretch whose parts follow each other. */
export interface Run {
  readonly stretch: Stretch
  /** At least one. */
  readonly pieces: readonly KnownPiece[]
  /** Up to when nothing is missing behind the first entry. */
  readonly reachedAt: number
  /** Why it ends, if it does not end with the stretch. */
  readonly fault: PieceFault | undefined
}

export interface StretchLogs {
  readonly stretch: Stretch
  /** In the order of their times; usually one. */
  readonly runs: readonly Run[]
  /** All faults that the names and the headers show, also those before the first run and behind the last one. In the order of their parts. */
  readonly faults: readonly LogFault[]
}

/** Attempts to see all pieces of a stretch while its server puts others into the place of small ones. */
const ATTEMPTS_MAX = 5
/** The list of a folder may lack a file that was there all the time it was read in; a second one right behind it does not. */
export const LOOKS_AT_GAPS = 2

/** The stretches that are wanted, those of a server in the order of their times. */
export async function knownLogs(
  destination: string,
  isWanted: (stretch: Stretch) => boolean = () => true,
): Promise<StretchLogs[]> {
  for (let attempts = 1; ; attempts++) {
    const logs: StretchLogs[] = []
    let [hasAll, hasGaps] = [true, false]
    for (const stretch of (await archivedLogs(destination)).filter(isWanted)) {
      const { isWhole, ...found } = await logsOf(stretch)
      logs.push(found)
      hasAll &&= isWhole
      hasGaps ||= missingIn(stretch).length > 0
    }
    const attemptsMax = !hasAll ? ATTEMPTS_MAX : hasGaps ? LOOKS_AT_GAPS : 1
    if (attempts >= attemptsMax) return logs
  }
}

/** The runs of these stretches. */
export async function runsIn(destination: string, isWanted?: (stretch: Stretch) => boolean): Promise<Run[]> {
  return (await knownLogs(destination, isWanted)).flatMap(({ runs }) => runs)
}

/** `isWhole`: no piece was gone before it was looked at. */
async function logsOf(stretch: Stretch): Promise<StretchLogs & { readonly isWhole: boolean }> {
  const found: (KnownPiece | LogFault | undefined)[] = []
  await sideBySide(stretch.pieces, async (piece, index) => {
    found[index] = await knownPiece(piece)
  })
  const faults: LogFault[] = [...stretch.faults]
  const runs: Run[] = []
  let pieces: KnownPiece[] = []
  let last: number | undefined
  const end = (fault: LogFault | undefined): void => {
    const ended = fault && { path: fault.path, reason: fault.reason }
    const reachedAt = reachOf(stretch, pieces, ended)
    if (pieces.length > 0) runs.push({ stretch, pieces, reachedAt, fault: ended })
    pieces = []
    if (fault !== undefined) faults.push(fault)
  }
  for (const [index, file] of stretch.pieces.entries()) {
    const piece = found[index]
    if (piece === undefined) continue
    const gap = gapBefore(stretch.folder, file, last)
    if (gap !== undefined) end(gap)
    if ('reason' in piece) end(piece)
    else pieces.push(piece)
    last = file.last
  }
  end(missingEnd(stretch))
  faults.sort((a, b) => a.first - b.first)
  return { stretch, runs, faults, isWhole: !found.includes(undefined) }
}

/** Undefined where there is no such file any more. */
async function knownPiece(piece: PieceFile): Promise<KnownPiece | LogFault | undefined> {
  const { path, first, last } = piece
  try {
    return { ...piece, header: await headerOf(piece) }
  } catch (error) {
    return isCode(error, 'ENOENT') ? undefined : { path, reason: reasonOf(error), first, last }
  }
}

function reachOf(stretch: Stretch, pieces: readonly KnownPiece[], fault: PieceFault | undefined): number {
  const to = pieces.at(-1)?.header.to ?? stretch.beganAt
  return fault === undefined ? Math.max(to, stretch.reachedAt ?? to) : to
}
