/** Pieces of archived logs with their headers: which parts, times and moments each has. No more of a piece is read. */

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../../model/error-reason.ts'
import { isCode } from '../safe-file.ts'
import { sideBySide } from '../side-by-side.ts'
import { decodeHeader, type PieceHeader } from './archive-piece.ts'
import { archivedLogs, type PieceFile, pieceName, type Stretch } from './archived-logs.ts'

/** A header has the names of the moments in the piece, which are few or none. */
const HEADER_BYTES = 4096
const HEADER_BYTES_MAX = 64 * 1024

export interface KnownPiece extends PieceFile {
  readonly header: PieceHeader
}

export interface PieceFault {
  readonly path: string
  readonly reason: string
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

/** Attempts to see all pieces of a stretch while its server puts others into the place of small ones. */
const ATTEMPTS_MAX = 5

/** The runs of all stretches that are wanted, those of a server in the order of their times. A stretch has usually one. */
export async function runsIn(
  destination: string,
  isWanted: (stretch: Stretch) => boolean = () => true,
): Promise<Run[]> {
  for (let attempts = 1; ; attempts++) {
    const runs: Run[] = []
    let isWhole = true
    for (const stretch of (await archivedLogs(destination)).filter(isWanted)) {
      const found = await runsOf(stretch)
      runs.push(...found.runs)
      isWhole &&= found.isWhole
    }
    if (isWhole || attempts === ATTEMPTS_MAX) return runs
  }
}

/** `isWhole`: no piece was gone before it was looked at. */
async function runsOf(stretch: Stretch): Promise<{ readonly runs: Run[]; readonly isWhole: boolean }> {
  const found: (KnownPiece | PieceFault | undefined)[] = []
  await sideBySide(stretch.pieces, async (piece, index) => {
    found[index] = await knownPiece(piece)
  })
  const runs: Run[] = []
  let pieces: KnownPiece[] = []
  let last: number | undefined
  const end = (fault: PieceFault | undefined): void => {
    if (pieces.length > 0) runs.push({ stretch, pieces, reachedAt: reachOf(stretch, pieces, fault), fault })
    pieces = []
  }
  for (const [index, { first, last: lastPart }] of stretch.pieces.entries()) {
    const piece = found[index]
    if (piece === undefined) continue
    if (last !== undefined && first !== last + 1) end(missingParts(stretch, last + 1, first - 1))
    if ('reason' in piece) end(piece)
    else pieces.push(piece)
    last = lastPart
  }
  end(undefined)
  return { runs, isWhole: !found.includes(undefined) }
}

/** Undefined where there is no such file any more. */
async function knownPiece(piece: PieceFile): Promise<KnownPiece | PieceFault | undefined> {
  const { path, first, last } = piece
  try {
    const header = await headerOf(path)
    if (header.first === first && header.last === last) return { ...piece, header }
    return { path, reason: `it is the piece ${pieceName(header.first, header.last)}` }
  } catch (error) {
    return isCode(error, 'ENOENT') ? undefined : { path, reason: reasonOf(error) }
  }
}

async function headerOf(path: string): Promise<PieceHeader> {
  const file = await open(path, 'r')
  try {
    for (const most of [HEADER_BYTES, HEADER_BYTES_MAX]) {
      const bytes = Buffer.allocUnsafeSlow(most)
      const { bytesRead } = await file.read(bytes, 0, most, 0)
      try {
        return decodeHeader(bytes.subarray(0, bytesRead)).header
      } catch (error) {
        if (bytesRead < most || most === HEADER_BYTES_MAX) throw error
      }
    }
    throw new Error('its header is damaged')
  } finally {
    await file.close()
  }
}

function reachOf(stretch: Stretch, pieces: readonly KnownPiece[], fault: PieceFault | undefined): number {
  const { to } = pieces.at(-1)!.header
  return fault === undefined ? Math.max(to, stretch.reachedAt ?? to) : to
}

/** `first` and `last`: numbers of the parts. */
export function missingParts(stretch: Stretch, first: number, last: number): PieceFault {
  const parts = first === last ? `part ${first}` : `the parts ${first} to ${last}`
  const path = join(stretch.folder, pieceName(first, Math.max(first, last)))
  return { path, reason: `${parts} of the archived log ${last < first ? 'are there twice' : 'is missing'}` }
}
