/** Pieces of archived logs as files. Each must be the piece that its name and its folders say: else other entries would be taken for it. */

import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../../model/error-reason.ts'
import type { StreamEntry } from '../../store/log-streams.ts'
import { isCode, sizeOfFile } from '../safe-file.ts'
import { decodeHeader, decodePiece, type PieceHeader } from './archive-piece.ts'

const PIECE_NAME = /^(\d{10})-(\d{10})$/

/** A header has the names of the moments in the piece, which are few or none. */
const HEADER_BYTES = 4096
const HEADER_BYTES_MAX = 64 * 1024
/** A server writes far smaller ones. A larger file may not fit into memory. */
const PIECE_BYTES_MAX = 1024 * 1024 * 1024

/** The place of a stretch: its server and its name. */
export interface StretchPlace {
  readonly clusterId: string
  readonly stretch: string
}

export interface PieceFile extends StretchPlace {
  readonly name: string
  readonly path: string
  readonly first: number
  readonly last: number
}

export interface PieceFault {
  readonly path: string
  readonly reason: string
}

export interface ReadPiece {
  /** The entries before the damage. */
  readonly entries: readonly StreamEntry[]
  readonly fault: PieceFault | undefined
}

export function pieceName(first: number, last: number): string {
  return `${String(first).padStart(10, '0')}-${String(last).padStart(10, '0')}`
}

/** Undefined for a file of another kind. */
export function pieceFile(folder: string, name: string, place: StretchPlace): PieceFile | undefined {
  const [, first, last] = PIECE_NAME.exec(name) ?? []
  if (first === undefined || last === undefined) return undefined
  return { ...place, name, path: join(folder, name), first: Number(first), last: Number(last) }
}

/** Reads the first bytes only. Throws an Error that says the damage, or ENOENT. */
export async function headerOf(piece: PieceFile): Promise<PieceHeader> {
  await checkedSize(piece)
  const header = await firstHeader(piece.path)
  const reason = otherPiece(header, piece)
  if (reason !== undefined) throw new Error(reason)
  return header
}

/** `take`: resolves once so many bytes may be read. `gone`: there is no such file any more. */
export async function readPiece(
  piece: PieceFile,
  take: (bytes: number) => Promise<void>,
): Promise<ReadPiece | 'gone'> {
  const { path } = piece
  try {
    await take(await checkedSize(piece))
    const { header, entries, fault } = decodePiece(await readFile(path))
    const other = otherPiece(header, piece)
    if (other !== undefined) return { entries: [], fault: { path, reason: other } }
    return { entries, fault: fault === undefined ? undefined : { path, reason: fault } }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return 'gone'
    return { entries: [], fault: { path, reason: reasonOf(error) } }
  }
}

async function checkedSize({ path }: PieceFile): Promise<number> {
  const bytes = await sizeOfFile(path)
  if (bytes > PIECE_BYTES_MAX) throw new Error(`it has ${bytes} bytes: no piece has so many`)
  return bytes
}

async function firstHeader(path: string): Promise<PieceHeader> {
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

/** The reason why a header is not the one of the piece; undefined: it is. */
function otherPiece(header: PieceHeader, { clusterId, stretch, first, last }: PieceFile): string | undefined {
  if (header.clusterId !== clusterId)
    return `it is a piece of another server, whose cluster id is ${header.clusterId}`
  if (header.stretch !== stretch) return `it is a piece of another archived log, ${header.stretch}`
  if (header.first === first && header.last === last) return undefined
  return `it is the piece ${pieceName(header.first, header.last)}`
}
