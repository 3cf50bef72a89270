/** Reads all archived logs. */

import { readFile } from 'node:fs/promises'
import { reasonOf } from '../../model/error-reason.ts'
import { isCode } from '../safe-file.ts'
import { decodePiece } from './archive-piece.ts'
import { archivedLogs, type PieceFile, pieceName, type Stretch } from './archived-logs.ts'
import { missingParts, type PieceFault } from './known-pieces.ts'

/** Attempts to read all pieces while servers put others into their places. */
const ATTEMPTS_MAX = 5

export interface VerifiedLogs {
  readonly pieces: number
  /** In the order of their paths. */
  readonly faults: readonly PieceFault[]
}

/** `destination`: its folder. `take`: resolves once so many bytes may be read. */
export async function verifyLogs(
  destination: string,
  take: (bytes: number) => Promise<void>,
): Promise<VerifiedLogs> {
  const read = new Map<string, PieceFault | undefined>()
  for (let attempts = 1; ; attempts++) {
    const stretches = await archivedLogs(destination)
    let isWhole = true
    for (const { pieces } of stretches)
      for (const piece of pieces) {
        if (read.has(piece.path)) continue
        const fault = await faultOf(piece, take)
        if (fault === 'gone') isWhole = false
        else read.set(piece.path, fault)
      }
    if (!isWhole && attempts < ATTEMPTS_MAX) continue
    const present = stretches.flatMap(({ pieces }) => pieces)
    const damaged = present.flatMap(({ path }) => read.get(path) ?? [])
    const faults = [...damaged, ...stretches.flatMap(missingIn)]
    return { pieces: present.length, faults: faults.sort((a, b) => (a.path < b.path ? -1 : 1)) }
  }
}

/** `gone`: there is no such file any more. */
async function faultOf(
  { path, first, last }: PieceFile,
  take: (bytes: number) => Promise<void>,
): Promise<PieceFault | 'gone' | undefined> {
  try {
    const bytes = await readFile(path)
    await take(bytes.length)
    const { header, fault } = decodePiece(bytes)
    if (header.first !== first || header.last !== last)
      return { path, reason: `it is the piece ${pieceName(header.first, header.last)}` }
    return fault === undefined ? undefined : { path, reason: fault }
  } catch (error) {
    return isCode(error, 'ENOENT') ? 'gone' : { path, reason: reasonOf(error) }
  }
}

/** The first pieces of a stretch may have been pruned. */
function missingIn(stretch: Stretch): PieceFault[] {
  return stretch.pieces.flatMap(({ first }, index) => {
    const before = stretch.pieces[index - 1]
    return before === undefined || before.last + 1 === first
      ? []
      : [missingParts(stretch, before.last + 1, first - 1)]
  })
}
