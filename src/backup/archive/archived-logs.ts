/**
 * The archived logs of a destination. Those of a server that have no gap are a stretch: a start of the server begins one, and so does the end of a gap.
 *
 *     DESTINATION/logs/CLUSTER/20261130T034440Z-1a2b3c4d/     a stretch
 *       0000000001-0000000001                                  its pieces, by the numbers of their parts: see archive-piece.ts
 *       0000000001-0000000360                                  one that has replaced others of the same parts
 *       reached                                                JSON: up to when (`at`) nothing is missing in the pieces
 */

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, jsonOf } from '../../model/json-values.ts'
import { isCode } from '../safe-file.ts'

const STRETCH_NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-z]{1,16}$/
const PIECE_NAME = /^(\d{10})-(\d{10})$/
const CLUSTER_NAME = /^[0-9A-Za-z-]{1,100}$/
const REACHED = 'reached'

export interface PieceFile {
  readonly name: string
  readonly path: string
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
  /** The names of pieces that another one has replaced. */
  readonly replaced: readonly string[]
  /** Up to when the pieces have all, as the server has noted it; undefined: see their last entry. */
  readonly reachedAt: number | undefined
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

export function stretchFolder(destination: string, clusterId: string, name: string): string {
  return join(destination, 'logs', clusterId, name)
}

/** `at`: milliseconds since 1970. `id`: up to 16 digits and small letters that no other stretch of that second has. */
export function stretchName(at: number, id: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-${id}`
}

export function pieceName(first: number, last: number): string {
  return `${String(first).padStart(10, '0')}-${String(last).padStart(10, '0')}`
}

export function reachedPath(folder: string): string {
  return join(folder, REACHED)
}

export function reachedText(at: number): string {
  return `${JSON.stringify({ at })}\n`
}

async function stretchIn(
  folder: string,
  named: Pick<Stretch, 'clusterId' | 'name' | 'beganAt'>,
): Promise<Stretch> {
  const pieces: PieceFile[] = []
  const replaced: string[] = []
  let covered = 0
  for (const piece of (await namesIn(folder)).flatMap((name) => pieceOf(folder, name)).sort(longestFirst)) {
    if (piece.last <= covered) replaced.push(piece.name)
    else {
      pieces.push(piece)
      covered = piece.last
    }
  }
  return { ...named, folder, pieces, replaced, reachedAt: await reachedIn(folder) }
}

function longestFirst(a: PieceFile, b: PieceFile): number {
  return a.first - b.first || b.last - a.last
}

function pieceOf(folder: string, name: string): PieceFile[] {
  const [, first, last] = PIECE_NAME.exec(name) ?? []
  if (first === undefined || last === undefined) return []
  return [{ name, path: join(folder, name), first: Number(first), last: Number(last) }]
}

async function reachedIn(folder: string): Promise<number | undefined> {
  try {
    const value = jsonOf(await readFile(reachedPath(folder), 'utf8'))
    if (!isJsonObject(value)) return undefined
    const { at } = value
    return typeof at === 'number' && Number.isSafeInteger(at) ? at : undefined
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function beginningOf(name: string): number | undefined {
  const parts = STRETCH_NAME.exec(name)?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return []
    throw error
  }
}

export async function removePiece(stretch: Stretch, name: string): Promise<void> {
  await rm(join(stretch.folder, name), { force: true })
}
