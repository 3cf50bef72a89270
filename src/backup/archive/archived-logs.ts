/**
 * The archived logs of a destination. Those of a server that have no gap are a stretch: a start of the server begins one, and so does the end of a gap.
 *
 *     DESTINATION/logs/CLUSTER/20261130T034440Z-1a2b3c4d/     a stretch
 *       0000000001-0000000001                                  its pieces, by the numbers of their parts: see archive-piece.ts
 *       0000000001-0000000360                                  one that has replaced others of the same parts
 *       reached                                                up to when nothing is missing in the pieces: see reached-note.ts
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from '../safe-file.ts'
import { timeName } from '../times.ts'
import {
  type PieceFault,
  type PieceFile,
  pieceFile,
  pieceName,
  readPiece,
  type StretchPlace,
} from './piece-file.ts'
import { readReached } from './reached-note.ts'

const STRETCH_NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-z]{1,16}$/
const CLUSTER_NAME = /^[0-9A-Za-z-]{1,100}$/
const REACHED = 'reached'

/** A fault, and the numbers of the parts that it may have cost. */
export interface LogFault extends PieceFault {
  readonly first: number
  readonly last: number
}

export interface Stretch {
  readonly clusterId: string
  readonly name: string
  readonly folder: string
  /** Milliseconds since 1970, to the second before. */
  readonly beganAt: number
  /** In the order of their parts; pieces that another one has replaced are not among them. */
  readonly pieces: readonly PieceFile[]
  /** The names of pieces that another one has replaced, which was read whole. */
  readonly replaced: readonly string[]
  /** Up to when the pieces have all, as the server has noted it; undefined: see their last entry. */
  readonly reachedAt: number | undefined
  /** The number of the last part then. */
  readonly lastPart: number | undefined
  /** Faults that show without a look at `pieces`: of the file `reached`, and of pieces that overlap with these. */
  readonly faults: readonly LogFault[]
}

/** All stretches of a destination, those of a server in the order of their beginnings. */
export async function archivedLogs(destination: string): Promise<Stretch[]> {
  const root = join(destination, 'logs')
  const stretches: Stretch[] = []
  for (const clusterId of await namesIn(root)) {
    if (!CLUSTER_NAME.test(clusterId)) continue
    for (const name of await namesIn(join(root, clusterId))) {
      const beganAt = beginningOf(name)
      if (beganAt !== undefined)
        stretches.push(await stretchIn(join(root, clusterId, name), { clusterId, name, beganAt }))
    }
  }
  return stretches
}

export function stretchFolder(destination: string, { clusterId, stretch }: StretchPlace): string {
  return join(destination, 'logs', clusterId, stretch)
}

/** `at`: milliseconds since 1970. `id`: up to 16 digits and small letters that no other stretch of that second has. */
export function stretchName(at: number, id: string): string {
  return `${timeName(at)}-${id}`
}

export function reachedPath(folder: string): string {
  return join(folder, REACHED)
}

async function stretchIn(
  folder: string,
  named: Pick<Stretch, 'clusterId' | 'name' | 'beganAt'>,
): Promise<Stretch> {
  // Before the pieces: none that is noted may seem to be missing since it came meanwhile.
  const { note, fault } = await readReached(reachedPath(folder))
  const place = { clusterId: named.clusterId, stretch: named.name }
  const { pieces, replaced, faults } = await chosenPieces(await piecesIn(folder, place))
  const last = pieces.at(-1)?.last ?? 0
  if (fault !== undefined)
    faults.push({
      path: reachedPath(folder),
      reason: fault,
      first: last + 1,
      last: Number.POSITIVE_INFINITY,
    })
  return { ...named, folder, pieces, replaced, reachedAt: note?.at, lastPart: note?.last, faults }
}

async function piecesIn(folder: string, place: StretchPlace): Promise<PieceFile[]> {
  const pieces = (await namesIn(folder)).flatMap((name) => pieceFile(folder, name, place) ?? [])
  return pieces.sort((a, b) => a.first - b.first || b.last - a.last)
}

/**
 * A kill while pieces are joined leaves the joined one beside some of the others. Any file can have a name that covers theirs: only a whole piece counts
 * in their place. `sorted`: by the first part, and the longest of these first.
 */
async function chosenPieces(sorted: readonly PieceFile[]): Promise<{
  readonly pieces: readonly PieceFile[]
  readonly replaced: readonly string[]
  readonly faults: LogFault[]
}> {
  const pieces: PieceFile[] = []
  const replaced: string[] = []
  const faults: LogFault[] = []
  let covered = 0
  for (const [index, piece] of sorted.entries()) {
    const { name, first, last } = piece
    if (last <= covered) {
      replaced.push(name)
      continue
    }
    const next = sorted[index + 1]
    if (first <= covered || (next !== undefined && next.first <= last)) {
      const read = await readPiece(piece, async () => undefined)
      if (read === 'gone') continue
      if (read.fault !== undefined) {
        faults.push({ ...read.fault, first, last })
        continue
      }
    }
    pieces.push(piece)
    covered = last
  }
  return { pieces, replaced, faults }
}

/** The parts that no piece has, between others and at the end. The first pieces may have been pruned. */
export function missingIn(stretch: Stretch): LogFault[] {
  const { folder, pieces } = stretch
  const gaps = pieces.map((piece, index) => gapBefore(folder, piece, pieces[index - 1]?.last))
  return [...gaps, missingEnd(stretch)].flatMap((fault) => fault ?? [])
}

/** Undefined where a piece goes on behind the one whose last part has the number `last`, and for the first piece. */
export function gapBefore(
  folder: string,
  { path, first }: PieceFile,
  last: number | undefined,
): LogFault | undefined {
  if (last === undefined || last + 1 === first) return undefined
  if (last < first) return missingParts(folder, last + 1, first - 1)
  return { path, reason: `another piece has ${partsText(first, last)}, too`, first, last }
}

export function missingEnd({ folder, pieces, lastPart = 0 }: Stretch): LogFault | undefined {
  const last = pieces.at(-1)?.last ?? 0
  return last < lastPart ? missingParts(folder, last + 1, lastPart) : undefined
}

function missingParts(folder: string, first: number, last: number): LogFault {
  const verb = first === last ? 'is' : 'are'
  const reason = `${partsText(first, last)} of the archived log ${verb} missing`
  return { path: join(folder, pieceName(first, last)), reason, first, last }
}

function partsText(first: number, last: number): string {
  return first === last ? `part ${first}` : `the parts ${first} to ${last}`
}

function beginningOf(name: string): number | undefined {
  const parts = STRETCH_NAME.exec(name)?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

export async function removePiece(stretch: Stretch, name: string): Promise<void> {
  await rm(join(stretch.folder, name), { force: true })
}
