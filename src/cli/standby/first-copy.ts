/**
 * The first copy of a leader: a backup of it, put into the folder of the store. The leader keeps its log from before the backup, so that the standby goes on
 * from there. A copy that was cut goes on with the files that it has.
 */

import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { ProgressParts, ProgressReport } from '../../backup/backup-progress.ts'
import { createBackup } from '../../backup/create-backup.ts'
import { Destination } from '../../backup/destination.ts'
import { onDiskOf } from '../../backup/disk-fault.ts'
import { begunRestore, restoreBackup } from '../../backup/restore-backup.ts'
import { isCode, writeSafely } from '../../backup/safe-file.ts'
import { HBaseError } from '../../model/errors.ts'
import { notesOf } from '../../standby/followed-schema.ts'
import { type Leader, leaderOf } from '../../standby/leader-store.ts'
import { holdOf, newRecord, RecordFile, type StandbyRecord } from '../../standby/standby-record.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { OpeningProgress } from '../../store/opening-progress.ts'
import type { Store } from '../../store/store.ts'
import { bytesText } from '../../transfer/progress.ts'
import { storeFileCheck } from '../backup/run-upkeep.ts'

/** Beside the folder of the store, until the copy is whole. */
const WORK_ENDING = '.first-copy'
const BEGUN = 'standby.json'
/** A report of the progress in the log at most so often. */
const REPORT_MS = 10_000

export interface FirstCopyJob {
  readonly directory: string
  /** HOST:PORT. */
  readonly leader: string
  readonly keepBytesMax: number
  readonly open: (address: string) => Promise<Store>
  readonly logger: Logger
  /** Called where the copy begins a part of its work, with what says how far that is: undefined once it is done. */
  readonly onProgress: (progress: () => OpeningProgress | undefined) => void
}

const WORK = { copied: 'copying the leader', restored: 'putting the copy of the leader in place' }

/** Whether a first copy into the folder was begun, and not ended. */
export async function hasFirstCopy(directory: string): Promise<boolean> {
  return (await begunCopy(workFolder(directory))) !== undefined
}

function workFolder(directory: string): string {
  return `${resolve(directory)}${WORK_ENDING}`
}

async function begunCopy(work: string): Promise<StandbyRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(work, BEGUN), 'utf8')) as StandbyRecord
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}

/** Resolves to the record of the standby, which is in the folder by then. Throws HBaseErrors of the leader, and what the file system throws. */
export async function makeFirstCopy(job: FirstCopyJob): Promise<StandbyRecord> {
  const { directory, leader: address, logger } = job
  const work = workFolder(directory)
  const backups = join(work, 'backups')
  const store = await job.open(address)
  try {
    const leader = leaderOf(store)
    const record = await begin(job, leader, work)
    const cut = await begunRestore(directory)
    const destination = await onDiskOf(backups, () => Destination.openOrMake(backups))
    const begins = beginning(job.onProgress)
    const parts: CopyParts = { take: async () => undefined, now: () => performance.now(), begins }
    logger.info(`copying the leader ${address}`)
    const name = cut?.name ?? (await backUp(job, leader, destination, parts))
    const restored = (await destination.backups()).sound.find((each) => each.name === name)
    if (restored === undefined)
      throw new Error(
        `${backups} has no backup ${name}, which was being put into ${directory}: empty both folders`,
      )
    const { restoredManifest } = await import('../../../adapters/native/backup/restored-manifest.ts')
    const damage = await onDiskOf(directory, async () =>
      restoreBackup({
        ...parts,
        destination,
        restored,
        folder: directory,
        isWanted: () => true,
        faultOfStoreFile: await storeFileCheck(),
        manifestFor: (bytes) =>
          restoredManifest(bytes, { tables: undefined, keepsIdentity: false, random: Math.random }),
        report: reporter(logger, 'put in place'),
      }),
    )
    for (const { restoredAs, reason } of damage)
      logger.warn(`the copy of ${restoredAs} is damaged: ${reason}`)
    await new RecordFile(directory, record).save({})
    await rm(work, { recursive: true, force: true })
    logger.info(
      `the first copy of ${address} is whole: this standby follows from position ${record.position} on`,
    )
    return record
  } finally {
    await store.close()
  }
}

/** Has the leader keep its log, and notes its tables as they are before the backup. */
async function begin(
  { leader: address, keepBytesMax, logger }: FirstCopyJob,
  { changes, standby }: Leader,
  work: string,
): Promise<StandbyRecord> {
  const { role, epoch, clusterId, leader } = await standby.standbyState(OWN_CALL)
  if (role !== 'leader')
    throw new HBaseError(
      'DO_NOT_RETRY',
      `the server at ${address} does not lead: follow ${leader ?? 'another one'}`,
    )
  const begun = await begunCopy(work)
  const holds = await changes.logHolds(OWN_CALL)
  const held = begun && holds.find(({ name }) => name === holdOf(begun.id))
  if (
    begun !== undefined &&
    held?.loss === undefined &&
    held !== undefined &&
    begun.leaderClusterId === clusterId
  ) {
    logger.info('a first copy was cut: it goes on')
    return { ...begun, leader: address, epoch }
  }
  const id = begun?.id ?? randomUUID()
  // A hold that was lost cannot be moved on.
  if (held !== undefined) await changes.releaseLog(holdOf(id), OWN_CALL)
  const position = await changes.holdLog(holdOf(id), undefined, keepBytesMax, OWN_CALL)
  const { tables } = await changes.tableMarks(OWN_CALL)
  const record: StandbyRecord = {
    ...newRecord(id),
    role: 'standby',
    epoch,
    leader: address,
    leaderClusterId: clusterId,
    position,
    tables: notesOf(tables),
  }
  await writeSafely(join(work, BEGUN), `${JSON.stringify(record)}\n`)
  return record
}

interface CopyParts {
  readonly take: (bytes: number) => Promise<void>
  readonly now: () => number
  readonly begins: ProgressParts['begins']
}

function beginning(onProgress: FirstCopyJob['onProgress']): ProgressParts['begins'] {
  return (verb, progress) => {
    const work = WORK[verb as keyof typeof WORK]
    onProgress(() => {
      const { bytes, bytesDone, seconds } = progress()
      return { work, bytes: bytesDone, bytesTotal: bytes, seconds }
    })
    return () => onProgress(() => undefined)
  }
}

/** Resolves to the name of the backup. */
async function backUp(
  { leader: address, logger }: FirstCopyJob,
  { backups }: Leader,
  destination: Destination,
  parts: CopyParts,
): Promise<string> {
  const { name, backup } = await createBackup({
    ...parts,
    backups,
    destination,
    server: `rpc:${address}`,
    call: OWN_CALL,
    atEnd: onceAtEnd,
    report: reporter(logger, 'copied'),
  })
  if (backup.missing.length > 0)
    logger.warn(`the leader has no file ${backup.missing.join(', ')}, which its manifest names`)
  return name
}

/** A process that ends before leaves the moment to the server, which lets go of it by itself. */
function onceAtEnd(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

function reporter(logger: Logger, what: string): ProgressReport {
  let last = performance.now()
  return (_verb, { bytes, bytesDone }) => {
    const now = performance.now()
    if (now - last < REPORT_MS) return
    last = now
    logger.info(`first copy: ${bytesText(bytesDone)} of ${bytesText(bytes)} ${what}`)
  }
}
