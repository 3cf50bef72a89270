/** Puts the files of a backup into a folder, as a store of the embedded engine. */

import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf } from '../model/error-reason.ts'
import { UNFINISHED_RESTORE as UNFINISHED } from '../store/kept-moment.ts'
import { BackupProgress, type ProgressParts } from './backup-progress.ts'
import type { BackupFile } from './backup-record.ts'
import { type Destination, MANIFEST_COPY, type NamedBackup } from './destination.ts'
import { isCode, makeFolder, sizeOf, sizeOfFile, syncFolder, writeSafely } from './safe-file.ts'
import { sideBySide } from './side-by-side.ts'

const MANIFEST = 'manifest'
const READ_BYTES = 1024 * 1024

export interface RestoreJob extends ProgressParts {
  readonly destination: Destination
  readonly restored: NamedBackup
  readonly folder: string
  /** Whether the table is to be restored. */
  readonly isWanted: (table: string) => boolean
  /** As of VerifyParts. */
  readonly faultOfStoreFile: (path: string) => string | undefined
  /** Returns the manifest of the restored store. Throws an Error where the bytes are no manifest. */
  readonly manifestFor: (bytes: Buffer) => Promise<Buffer>
  /** The logs behind the backup; undefined: the backup alone. */
  readonly later?: LaterLogs | undefined
  /** Resolves once so many bytes may be read. */
  readonly take: (bytes: number) => Promise<void>
}

/** A restore up to a time behind the backup. */
export interface LaterLogs {
  /** Milliseconds since 1970. A restore that was cut off goes on only with the same. */
  readonly until: number
  readonly storeFor: (manifest: Buffer) => Promise<LaterStore>
}

/** The store as of a later time than its backup. */
export interface LaterStore {
  /** Whether it has a file of the backup. */
  readonly has: (path: string) => boolean
  /** Writes the logs into the folder, which has the files. Resolves to the manifest. */
  readonly finish: (folder: string) => Promise<Buffer>
}

export interface RestoreDamage {
  /** Of the destination. */
  readonly path: string
  /** In the store's folder. */
  readonly restoredAs: string
  readonly reason: string
}

/**
 * Resolves to the files that are not as they were; all others are restored. Throws an Error where the folder has other files, and where the manifest is
 * damaged in both of its copies.
 */
export async function restoreBackup(job: RestoreJob): Promise<RestoreDamage[]> {
  const { destination, restored, folder, later } = job
  await begin(folder, { name: restored.name, until: later?.until })
  // Before hours of copying.
  const { bytes: ofBackup, manifest, damage } = await manifestOf(job)
  const store = await later?.storeFor(ofBackup)
  const isWanted = ({ path, table }: BackupFile): boolean =>
    path !== MANIFEST &&
    path !== MANIFEST_COPY &&
    (table === undefined || job.isWanted(table)) &&
    store?.has(path) !== false
  const files = restored.backup.files.filter(isWanted)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  // With both copies of the manifest, which is made anew: its bytes do not count.
  const progress = new BackupProgress('restored', { files: files.length + 2, bytes }, job)
  await sideBySide(files, async (file) => {
    const path = destination.pathOf(file.content)
    const target = join(folder, ...file.path.split('/'))
    await makeFolder(dirname(target))
    // An earlier run may have restored the file and have ended before it named damage: the file is read again.
    const isThere = (await sizeOf(target)) !== undefined
    const reason = await copyChecked(job, path, isThere ? undefined : target, file, progress.onBytes)
    if (reason !== undefined) damage.push({ path, restoredAs: file.path, reason })
    progress.fileDone(file.bytes)
  })
  const finished = (await store?.finish(folder)) ?? manifest
  for (const name of [MANIFEST, MANIFEST_COPY]) {
    await writeBytes(join(folder, name), finished)
    progress.fileDone(0)
  }
  await syncFolder(folder)
  await rm(join(folder, UNFINISHED))
  await syncFolder(folder)
  progress.end()
  return damage.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A restore, as the mark of its folder names it. */
export interface BegunRestore {
  readonly name: string
  /** The time of the logs; undefined: the backup alone. */
  readonly until: number | undefined
}

const MARK = /^(\S+)(?: and its logs to (\d{1,16}))?\n$/

/** The restore that was cut off in the folder, if one was. */
export async function begunRestore(folder: string): Promise<BegunRestore | undefined> {
  let text: string
  try {
    text = await readFile(join(folder, UNFINISHED), 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined
    throw error
  }
  const [, name = text.trim(), until] = MARK.exec(text) ?? []
  return { name, until: until === undefined ? undefined : Number(until) }
}

async function begin(folder: string, { name, until }: BegunRestore): Promise<void> {
  await makeFolder(folder)
  const before = await begunRestore(folder)
  if (before !== undefined) {
    if (before.name === name && before.until === until) return
    const time = before.until === undefined ? '' : ` --time ${before.until}`
    throw new Error(
      `a restore of ${before.name} was cut off in ${folder}: go on with it by --backup ${before.name}${time}, or name another folder`,
    )
  }
  const names = await readdir(folder)
  if (names.length > 0 && !(names.length === 1 && names[0] === `${UNFINISHED}.new`))
    throw new Error(`${folder} has files: name an empty folder, or a new one`)
  await writeSafely(
    join(folder, UNFINISHED),
    `${name}${until === undefined ? '' : ` and its logs to ${until}`}\n`,
  )
}

interface FoundManifest {
  /** As the backup has it. */
  readonly bytes: Buffer
  readonly manifest: Buffer
  readonly damage: RestoreDamage[]
}

async function manifestOf({ destination, restored, manifestFor }: RestoreJob): Promise<FoundManifest> {
  const damage: RestoreDamage[] = []
  for (const file of restored.backup.files.filter(
    ({ path }) => path === MANIFEST || path === MANIFEST_COPY,
  )) {
    const path = destination.pathOf(file.content)
    try {
      await sizeOfFile(path)
      const bytes = await readFile(path)
      if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
        throw new Error('its bytes have changed')
      return { bytes, manifest: await manifestFor(bytes), damage }
    } catch (error) {
      damage.push({ path, restoredAs: file.path, reason: reasonText(error) })
    }
  }
  const faults = damage.map(({ path, reason }) => `${path}: ${reason}`).join('; ')
  throw new Error(
    `the backup ${restored.name} has no manifest that can be read, without which its files say nothing: ${faults}`,
  )
}

/**
 * Copies what is there, also of a damaged file: the engine finds damage by itself, block by block. Resolves to the damage, if any. `target`: undefined:
 * the file is only read.
 */
async function copyChecked(
  { take, faultOfStoreFile }: RestoreJob,
  path: string,
  target: string | undefined,
  { bytes, sha256, table }: BackupFile,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  let source: FileHandle
  try {
    await sizeOfFile(path)
    source = await open(path, 'r')
  } catch (error) {
    return reasonText(error)
  }
  const draft = target === undefined ? undefined : await open(`${target}.part`, 'w')
  const hash = createHash('sha256')
  let reason: string | undefined
  try {
    const chunk = Buffer.allocUnsafeSlow(READ_BYTES)
    let at = 0
    while (at < bytes) {
      await take(Math.min(READ_BYTES, bytes - at))
      const part = await partAt(source, chunk.subarray(0, Math.min(READ_BYTES, bytes - at)), at)
      if (typeof part === 'string') reason = part
      else if (part.length === 0) reason = `it ends at byte ${at}, and had ${bytes}`
      if (typeof part === 'string' || part.length === 0) break
      hash.update(part)
      await draft?.appendFile(part)
      at += part.length
      onBytes(part.length)
    }
    if (reason === undefined && sha256 !== undefined && hash.digest('hex') !== sha256)
      reason = 'its bytes have changed'
    // It came by a link, and nothing has read it yet: its blocks have checksums of their own.
    if (reason === undefined && sha256 === undefined && table !== undefined) reason = faultOfStoreFile(path)
    await draft?.sync()
  } finally {
    await source.close()
    await draft?.close()
  }
  if (target !== undefined) {
    await rename(`${target}.part`, target)
    await syncFolder(dirname(target))
  }
  return reason
}

/** The reason why it cannot be read, where a disk or a folder in its place refuses. */
async function partAt(source: FileHandle, chunk: Buffer, at: number): Promise<Buffer | string> {
  try {
    const { bytesRead } = await source.read(chunk, 0, chunk.length, at)
    return chunk.subarray(0, bytesRead)
  } catch (error) {
    return `it cannot be read at byte ${at}: ${reasonOf(error)}`
  }
}

function reasonText(error: unknown): string {
  return isCode(error, 'ENOENT') ? 'it is missing' : reasonOf(error)
}

async function writeBytes(path: string, bytes: Buffer): Promise<void> {
  await writeFile(path, bytes, { flush: true })
}
