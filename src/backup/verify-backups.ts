/** Reads all files of backups, and compares them with their sums. */

import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { reasonOf } from '../model/error-reason.ts'
import { BackupProgress, type ProgressParts } from './backup-progress.ts'
import type { BackupFile } from './backup-record.ts'
import type { Destination, NamedBackup } from './destination.ts'
import { isCode, sizeOfFile } from './safe-file.ts'
import { sideBySide } from './side-by-side.ts'

/** A file that is not as a backup says. */
export interface DamagedFile {
  /** Of the destination. */
  readonly path: string
  readonly reason: string
  /** The paths that it has in a store's folder, in the backups that need it. */
  readonly needed: readonly { readonly backup: string; readonly path: string }[]
}

export interface VerifyParts extends ProgressParts {
  readonly destination: Destination
  readonly backups: readonly NamedBackup[]
  /** Resolves once so many bytes may be read. */
  readonly take: (bytes: number) => Promise<void>
  /** The fault of a store file, whose blocks have checksums of their own. Undefined: it has none. */
  readonly faultOfStoreFile: (path: string) => string | undefined
}

/** Resolves to the damaged files, in the order of their paths. */
export async function verifyBackups(parts: VerifyParts): Promise<DamagedFile[]> {
  const { destination, backups } = parts
  const contents = contentsOf(backups)
  const files = [...contents.values()]
  const bytes = files.reduce((sum, { file }) => sum + file.bytes, 0)
  const progress = new BackupProgress('verified', { files: files.length, bytes }, parts)
  const damaged: DamagedFile[] = []
  await sideBySide(files, async ({ file, needed }) => {
    const path = destination.pathOf(file.content)
    const reason = await faultOf(parts, path, file, progress.onBytes)
    if (reason !== undefined) damaged.push({ path, reason, needed })
    progress.fileDone(file.bytes)
  })
  progress.end()
  return damaged.sort((a, b) => (a.path < b.path ? -1 : 1))
}

interface Content {
  readonly file: BackupFile
  readonly needed: { readonly backup: string; readonly path: string }[]
}

/** Each content once, with its sum where any backup knows it. */
function contentsOf(backups: readonly NamedBackup[]): Map<string, Content> {
  const contents = new Map<string, Content>()
  for (const { name, backup } of backups) {
    for (const file of backup.files) {
      const known = contents.get(file.content)
      const needed = known?.needed ?? []
      needed.push({ backup: name, path: file.path })
      if (known === undefined || known.file.sha256 === undefined) contents.set(file.content, { file, needed })
    }
  }
  return contents
}

async function faultOf(
  { take, faultOfStoreFile }: Pick<VerifyParts, 'take' | 'faultOfStoreFile'>,
  path: string,
  { bytes, sha256, table }: BackupFile,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  try {
    const sum = await sumOfFile(path, take, onBytes)
    if (sum.bytes !== bytes) return `it has ${sum.bytes} bytes in the place of ${bytes}`
    if (sha256 !== undefined && sum.sha256 !== sha256)
      return 'its bytes have changed: the SHA-256 is another one'
    // A file may have been damaged before it was copied: its blocks have checksums of their own.
    return table === undefined ? undefined : faultOfStoreFile(path)
  } catch (error) {
    return isCode(error, 'ENOENT') ? 'it is missing' : `it cannot be read: ${reasonOf(error)}`
  }
}

const READ_BYTES = 1024 * 1024

export async function sumOfFile(
  path: string,
  take: (bytes: number) => Promise<void>,
  onBytes: (bytes: number) => void,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  await sizeOfFile(path)
  const hash = createHash('sha256')
  const file = await open(path, 'r')
  try {
    const chunk = Buffer.allocUnsafeSlow(READ_BYTES)
    for (let at = 0; ; ) {
      await take(READ_BYTES)
      const { bytesRead } = await file.read(chunk, 0, READ_BYTES, at)
      if (bytesRead === 0) return { bytes: at, sha256: hash.digest('hex') }
      hash.update(chunk.subarray(0, bytesRead))
      onBytes(bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}
