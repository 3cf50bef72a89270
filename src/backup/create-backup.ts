/** Makes a backup of a server into a destination: only files that no earlier backup there has are copied. */

import { copyFile as copyFileOnDisk, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Backups } from '../store/backups.ts'
import type { Call } from '../store/call.ts'
import type { MomentFile } from '../store/kept-moment.ts'
import { BackupProgress, type ProgressParts, type ProgressReport } from './backup-progress.ts'
import type { Backup, BackupFile } from './backup-record.ts'
import { copyFile } from './copied-file.ts'
import { copyContent, type Destination, MANIFEST_COPY } from './destination.ts'
import { openMoment } from './moment-source.ts'
import { makeFolder, syncFolder } from './safe-file.ts'
import { sideBySide } from './side-by-side.ts'

export interface BackupJob {
  readonly backups: Backups
  /** As the user has named it. */
  readonly server: string
  readonly destination: Destination
  readonly call: Call
  /** Resolves once so many bytes may be read. */
  readonly take: (bytes: number) => Promise<void>
  readonly report: ProgressReport
  readonly begins?: ProgressParts['begins']
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
  /** Has the work done also where a signal ends the process before; the caller calls the returned function, which does it once. */
  readonly atEnd: (work: () => Promise<void>) => () => Promise<void>
  /** Files that are copied at a time; undefined: a few. */
  readonly atOnce?: number
}

const HEARTBEAT_MS = 60_000

export interface MadeBackup {
  readonly name: string
  readonly backup: Backup
  /** Whether the server is on this machine. */
  readonly isLocal: boolean
  /** How many files came by links. */
  readonly linked: number
  /** Paths of the files that the server knows to be damaged: they are in the backup as they are. */
  readonly damaged: readonly string[]
}

/** Throws HBaseErrors, and what the file system throws. What is copied by then is used by the next run. */
export async function createBackup(job: BackupJob): Promise<MadeBackup> {
  const { backups, destination, server, call } = job
  const sums = new Map<string, string | undefined>()
  for (const { backup } of (await destination.backups()).sound)
    for (const { content, sha256 } of backup.files)
      if (!sums.has(content) || sha256 !== undefined) sums.set(content, sha256)
  const kept = await backups.beginBackup(call)
  let isMade = false
  const end = job.atEnd(() => backups.endBackup(kept.id, isMade, call))
  // A client that reads the folder itself asks for nothing for long.
  const heartbeat = setInterval(() => {
    backups.readBackup(kept.id, kept.list, 0, 1, call).catch(() => undefined)
  }, HEARTBEAT_MS)
  try {
    const source = await openMoment(backups, kept, call)
    const { moment } = source
    const bytes = moment.files.reduce((sum, file) => sum + file.bytes, 0)
    // With the manifest's second copy, whose bytes do not count.
    const progress = new BackupProgress('copied', { files: moment.files.length + 1, bytes }, job)
    const parts = { source, destination, sums, take: job.take, onBytes: progress.onBytes }
    const files: BackupFile[] = []
    let [newBytes, linked] = [0, 0]
    const copySame = async (same: readonly MomentFile[]): Promise<void> => {
      const [first, ...others] = same
      const copied = await copyFile(parts, first!)
      newBytes += copied.newBytes
      if (copied.isLinked) linked++
      progress.fileDone(first!.bytes, copied.newBytes === 0 ? first!.bytes : 0)
      files.push(copied.file)
      for (const { path, bytes: size, table } of others) {
        files.push({ ...copied.file, path, ...(table !== undefined && { table }) })
        progress.fileDone(size, size)
      }
    }
    await sideBySide(sameFiles(moment.files), copySame, job.atOnce)
    for (const file of await copiesOfManifest(destination, files)) {
      files.push(file)
      progress.fileDone(0)
    }
    const { id, createdAt: at, clusterId, tables, missing } = moment
    const sizes = { bytes, newBytes }
    const backup: Backup = { format: 1, at, clusterId, moment: id, server, tables, missing, ...sizes, files }
    const name = await destination.add(backup)
    isMade = true
    progress.end()
    const { damaged = [] } = moment
    return { name, backup, isLocal: source.folder !== undefined, linked, damaged }
  } finally {
    clearInterval(heartbeat)
    // The server lets go of it by itself, later.
    await end().catch(() => undefined)
  }
}

/** Files of one content, as of a snapshot and its table: they are copied once. */
function sameFiles(files: readonly MomentFile[]): MomentFile[][] {
  const groups = new Map<string, MomentFile[]>()
  for (const file of files) {
    const key = file.id === undefined ? `name ${file.name}` : `id ${file.id} ${file.bytes}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [file])
    else group.push(file)
  }
  return [...groups.values()]
}

/** Damage to the manifest alone would make all other files useless: it is kept twice. */
async function copiesOfManifest(
  destination: Destination,
  files: readonly BackupFile[],
): Promise<BackupFile[]> {
  const manifest = files.find(({ path }) => path === 'manifest')
  if (manifest?.sha256 === undefined) return []
  const content = copyContent(manifest.sha256)
  const target = destination.pathOf(content)
  await makeFolder(dirname(target))
  await copyFileOnDisk(destination.pathOf(manifest.content), `${target}.part`)
  await rename(`${target}.part`, target)
  await syncFolder(dirname(target))
  return [{ ...manifest, path: MANIFEST_COPY, content }]
}
