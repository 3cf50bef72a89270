/** Reads all archived logs. */

import { archivedLogs, missingIn } from './archived-logs.ts'
import { LOOKS_AT_GAPS } from './known-pieces.ts'
import { type PieceFault, readPiece } from './piece-file.ts'

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
        const found = await readPiece(piece, take)
        if (found === 'gone') isWhole = false
        else read.set(piece.path, found.fault)
      }
    const missing = stretches.flatMap(missingIn)
    const attemptsMax = !isWhole ? ATTEMPTS_MAX : missing.length > 0 ? LOOKS_AT_GAPS : 1
    if (attempts < attemptsMax) continue
    const present = stretches.flatMap(({ pieces }) => pieces)
    const damaged = present.flatMap(({ path }) => read.get(path) ?? [])
    const faults = [...damaged, ...stretches.flatMap((stretch) => stretch.faults), ...missing]
    return {
      pieces: present.length,
      faults: faults.map(({ path, reason }) => ({ path, reason })).sort((a, b) => (a.path < b.path ? -1 : 1)),
    }
  }
}
