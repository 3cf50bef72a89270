/** Puts the files of a backup into a folder, as a store of the embedded engine. */

import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf } from '../model/error-reason.ts'
import { BackupProgress, type ProgressParts } from './backup-progress.ts'
import type { BackupFile } from './backup-record.ts'
import { sideBySide } from './create-backup.ts'
import { type Destination, MANIFEST_COPY, type NamedBackup } from './destination.ts'
import { isCode, makeFolder, sizeOf, syncFolder, writeSafely } from './safe-file.ts'

/** A folder with it is not a store yet: a restore was cut off there, and goes on. */
const UNFINISHED = 'restore.unfinished'
const MANIFEST = 'manifest'
const READ_BYTES = 1024 * 1024

export interface RestoreJob extends ProgressParts {
  readonly destination: Destination
  readonly restored: NamedBackup
  readonly folder: string
  /** Undefined: all. */
  readonly tables: ReadonlySet<string> | undefined
  /** Returns the manifest of the restored store. Throws an Error where the bytes are no manifest. */
  readonly manifestFor: (bytes: Buffer) => Promise<Buffer>
  /** Resolves once so many bytes may be read. */
  readonly take: (bytes: number) => Promise<void>
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
  const { destination, restored, folder, tables } = job
  await begin(folder, restored.name)
  const isWanted = ({ path, table }: BackupFile): boolean =>
    path !== MANIFEST &&
    path !== MANIFEST_COPY &&
    (table === undefined || tables === undefined || tables.has(table))
  const files = restored.backup.files.filter(isWanted)
  // Before hours of copying.
  const { manifest, damage } = await manifestOf(job)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const progress = new BackupProgress('restored', { files: files.length, bytes }, job)
  await sideBySide(files, async (file) => {
    const path = destination.pathOf(file.content)
    const target = join(folder, ...file.path.split('/'))
    if ((await sizeOf(target)) === undefined) {
      await makeFolder(dirname(target))
      const reason = await copyChecked(path, target, file, job.take, progress.onBytes)
      if (reason !== undefined) damage.push({ path, restoredAs: file.path, reason })
      progress.fileDone(0)
    } else progress.fileDone(file.bytes)
  })
  await writeBytes(join(folder, MANIFEST), manifest)
  await writeBytes(join(folder, MANIFEST_COPY), manifest)
  await syncFolder(folder)
  await rm(join(folder, UNFINISHED))
  await syncFolder(folder)
  progress.end()
  return damage.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function begin(folder: string, name: string): Promise<void> {
  await makeFolder(folder)
  const names = await readdir(folder)
  const mark = join(folder, UNFINISHED)
  if (names.includes(UNFINISHED)) {
    const before = (await readFile(mark, 'utf8')).trim()
    if (before === name) return
    throw new Error(
      `a restore of ${before} was cut off in ${folder}: name another folder, or remove this one`,
    )
  }
  if (names.length > 0 && !(names.length === 1 && names[0] === `${UNFINISHED}.new`))
    throw new Error(`${folder} has files: name an empty folder, or a new one`)
  await writeSafely(mark, `${name}\n`)
}

interface FoundManifest {
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
      const bytes = await readFile(path)
      if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
        throw new Error('its bytes have changed')
      return { manifest: await manifestFor(bytes), damage }
    } catch (error) {
      damage.push({ path, restoredAs: file.path, reason: reasonText(error) })
    }
  }
  const faults = damage.map(({ path, reason }) => `${path}: ${reason}`).join('; ')
  throw new Error(
    `the backup ${restored.name} has no manifest that can be read, without which its files say nothing: ${faults}`,
  )
}

/** Copies what is there, also of a damaged file: the engine finds damage by itself, block by block. Resolves to the damage, if any. */
async function copyChecked(
  path: string,
  target: string,
  { bytes, sha256 }: BackupFile,
  take: (bytes: number) => Promise<void>,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  let source: FileHandle
  try {
    source = await open(path, 'r')
  } catch (error) {
    return reasonText(error)
  }
  const draft = `${target}.part`
  const hash = createHash('sha256')
  let reason: string | undefined
  try {
    const file = await open(draft, 'w')
    try {
      const chunk = Buffer.allocUnsafeSlow(READ_BYTES)
      let at = 0
      while (at < bytes) {
        await take(Math.min(READ_BYTES, bytes - at))
        const { bytesRead } = await source.read(chunk, 0, Math.min(READ_BYTES, bytes - at), at)
        if (bytesRead === 0) break
        hash.update(chunk.subarray(0, bytesRead))
        await file.appendFile(chunk.subarray(0, bytesRead))
        at += bytesRead
        onBytes(bytesRead)
      }
      if (at < bytes) reason = `it ends at byte ${at}, and had ${bytes}`
      else if (sha256 !== undefined && hash.digest('hex') !== sha256) reason = 'its bytes have changed'
      await file.sync()
    } finally {
      await file.close()
    }
  } finally {
    await source.close()
  }
  await rename(draft, target)
  await syncFolder(dirname(target))
  return reason
}

function reasonText(error: unknown): string {
  return isCode(error, 'ENOENT') ? 'it is missing' : reasonOf(error)
}

async function writeBytes(path: string, bytes: Buffer): Promise<void> {
  await writeFile(path, bytes, { flush: true })
}
