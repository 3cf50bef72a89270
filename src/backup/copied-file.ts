/** Copies one file of a moment into a destination. */

import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BACKUP_READ_BYTES_MAX } from '../store/backups.ts'
import type { MomentFile } from '../store/kept-moment.ts'
import type { BackupFile } from './backup-record.ts'
import { type Destination, storeContent, sumContent } from './destination.ts'
import type { MomentSource } from './moment-source.ts'
import { isCode, makeFolder, PRIVATE_FILE, sizeOf, syncFolder, writeSafely } from './safe-file.ts'

/** Ends the name of the note beside a draft. */
const NOTE = '.note'
/** Parts of a file that are asked for at a time: the server reads some while others are on their way. */
const PARTS_AHEAD = 4
/** A copy that is cut off goes on after so many bytes at most. */
const NOTE_BYTES = 64 * 1024 * 1024

export interface CopyParts {
  readonly source: MomentSource
  readonly destination: Destination
  /** The sums of contents, as earlier backups have them. */
  readonly sums: ReadonlyMap<string, string | undefined>
  /** Resolves once so many bytes may be read. */
  readonly take: (bytes: number) => Promise<void>
  /** Called with bytes that are copied. */
  readonly onBytes: (bytes: number) => void
}

export interface CopiedFile {
  readonly file: BackupFile
  /** Bytes that the destination did not have. */
  readonly newBytes: number
  readonly isLinked: boolean
}

/** Throws an Error where the file has fewer bytes than the moment says, and what the file system and the server throw. */
export async function copyFile(parts: CopyParts, file: MomentFile): Promise<CopiedFile> {
  const { source, destination } = parts
  const { path, bytes, table } = file
  const known = file.id === undefined ? undefined : storeContent(source.moment.clusterId, file.id, bytes)
  const described = { path, bytes, ...(table !== undefined && { table }) }
  if (known === undefined) {
    const { sha256, isNew } = await copyBySum(parts, file)
    return {
      file: { ...described, content: sumContent(sha256), sha256 },
      newBytes: isNew ? bytes : 0,
      isLinked: false,
    }
  }
  const target = destination.pathOf(known)
  if ((await sizeOf(target)) === bytes)
    return {
      file: { ...described, content: known, ...sumIn(parts.sums.get(known)) },
      newBytes: 0,
      isLinked: false,
    }
  await makeFolder(dirname(target))
  if (await isLinked(parts, file, target))
    return { file: { ...described, content: known }, newBytes: bytes, isLinked: true }
  const sha256 = await copyBytes(parts, file, `${target}.part`)
  await giveName(`${target}.part`, target)
  return { file: { ...described, content: known, sha256 }, newBytes: bytes, isLinked: false }
}

function sumIn(sha256: string | undefined): { readonly sha256?: string } {
  return sha256 === undefined ? {} : { sha256 }
}

/** Store files never change, so that a second name is as good as a copy. False where the destination is on another disk. */
async function isLinked({ source, onBytes }: CopyParts, file: MomentFile, target: string): Promise<boolean> {
  if (source.folder === undefined) return false
  try {
    await link(join(source.folder, file.name), target)
  } catch (error) {
    // A file of another length: damage, which the copy replaces.
    if (isCode(error, 'EEXIST')) await rm(target, { force: true })
    return false
  }
  await syncFolder(dirname(target))
  onBytes(file.bytes)
  return true
}

async function copyBySum(parts: CopyParts, file: MomentFile): Promise<{ sha256: string; isNew: boolean }> {
  const { destination } = parts
  const draft = destination.pathOf(`sum/${file.name}.part`)
  await makeFolder(dirname(draft))
  // It may be of another file of the name.
  await removeDraft(draft)
  const sha256 = await copyBytes(parts, file, draft)
  const target = destination.pathOf(sumContent(sha256))
  if ((await sizeOf(target)) === file.bytes) {
    await removeDraft(draft)
    return { sha256, isNew: false }
  }
  await makeFolder(dirname(target))
  await giveName(draft, target)
  return { sha256, isNew: true }
}

async function giveName(draft: string, target: string): Promise<void> {
  await rename(draft, target)
  await syncFolder(dirname(target))
  await rm(draft + NOTE, { force: true })
}

async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { force: true })
  await rm(draft + NOTE, { force: true })
}

/**
 * Goes on where an earlier run has ended, if the draft has the beginning of the same file on disk: its note says how much of it, with the SHA-256.
 * Resolves to the SHA-256 of all.
 */
async function copyBytes(
  { source, take, onBytes }: CopyParts,
  file: MomentFile,
  draft: string,
): Promise<string> {
  const target = await open(draft, 'a+', PRIVATE_FILE)
  try {
    const { hash, bytes: begun } = await begunDraft(target, draft, file.bytes)
    onBytes(begun)
    let [at, noted] = [begun, begun]
    for await (const part of partsOf(source, file, at, take)) {
      at += part.length
      hash.update(part)
      await target.appendFile(part)
      onBytes(part.length)
      if (at - noted < NOTE_BYTES) continue
      await target.sync()
      await writeSafely(draft + NOTE, `${at} ${hash.copy().digest('hex')}\n`)
      noted = at
    }
    await target.sync()
    return hash.digest('hex')
  } finally {
    await target.close()
  }
}

/** The bytes of a file from `begin` on, some parts of which are asked for at a time. Throws an Error where it ends too early. */
async function* partsOf(
  source: MomentSource,
  file: MomentFile,
  begin: number,
  take: CopyParts['take'],
): AsyncGenerator<Buffer> {
  const asked: Promise<Buffer>[] = []
  let [at, askedUpTo] = [begin, begin]
  const ask = async (offset: number, length: number): Promise<Buffer> => {
    await take(length)
    const part = await source.read(file.name, offset, length)
    if (part.length === length) return part
    const end = offset + part.length
    throw new Error(
      `the server's file ${file.path} ends at byte ${end}, and should have ${file.bytes}: it is damaged`,
    )
  }
  while (at < file.bytes) {
    while (asked.length < PARTS_AHEAD && askedUpTo < file.bytes) {
      const length = Math.min(BACKUP_READ_BYTES_MAX, file.bytes - askedUpTo)
      const part = ask(askedUpTo, length)
      // Its failure is thrown where it is awaited.
      part.catch(() => undefined)
      asked.push(part)
      askedUpTo += length
    }
    const part = await asked.shift()!
    at += part.length
    yield part
  }
}

/** Cuts off all that is not known to be on disk; returns the rest. */
async function begunDraft(
  target: FileHandle,
  draft: string,
  bytesMax: number,
): Promise<{ readonly hash: Hash; readonly bytes: number }> {
  const [, digits, sha256] = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(await textOf(draft + NOTE)) ?? []
  const noted = Number(digits ?? 0)
  const hash = createHash('sha256')
  let at = 0
  const chunk = Buffer.allocUnsafeSlow(1024 * 1024)
  while (at < noted) {
    const { bytesRead } = await target.read(chunk, 0, Math.min(chunk.length, noted - at), at)
    if (bytesRead === 0) break
    hash.update(chunk.subarray(0, bytesRead))
    at += bytesRead
  }
  const isSound = at === noted && noted <= bytesMax && (noted === 0 || hash.copy().digest('hex') === sha256)
  const bytes = isSound ? noted : 0
  await target.truncate(bytes)
  return { hash: isSound ? hash : createHash('sha256'), bytes }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return ''
    throw error
  }
}
