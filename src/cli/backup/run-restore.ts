/** `tidegate backup restore`. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Destination, type NamedBackup } from '../../backup/destination.ts'
import { onDiskOf } from '../../backup/disk-fault.ts'
import { type RestoreDamage, type RestoreJob, restoreBackup } from '../../backup/restore-backup.ts'
import { timeText } from '../../backup/times.ts'
import { counted } from '../../model/counted.ts'
import { UsageError } from '../failures/usage-error.ts'
import { atEnd } from '../terminal/at-end.ts'
import { beginProgress, withProgress } from '../terminal/command-progress.ts'
import { printLine } from '../terminal/print-lines.ts'
import { EXIT_FINE } from '../terminal/tool-run.ts'
import type { RestoreFlags } from './backup-commands.ts'
import {
  EXIT_DAMAGE,
  keepPrivate,
  limiter,
  locked,
  now,
  preciseTimeText,
  printMissing,
  readLogs,
  reporter,
  showFiles,
} from './backup-output.ts'
import { type ChosenPoint, chosenPoint } from './chosen-point.ts'
import { printLogFaults } from './logs-output.ts'
import { printGap, printReport, RestoredLogs } from './restored-logs.ts'
import { storeFileCheck } from './run-upkeep.ts'

export async function runRestore(source: string, flags: RestoreFlags): Promise<number> {
  checkFlags(flags)
  keepPrivate()
  beginProgress('backup restore', flags, () => restoreAdvice(flags.to))
  const destination = await Destination.open(source)
  const unlock = await locked(source, flags, true)
  try {
    const point = await chosenPoint(destination, flags)
    if (point.logs === undefined)
      checkTables(`the backup ${point.base.name}`, point.base.backup.tables, flags)
    return flags.to.kind === 'folder'
      ? await restoreFolder(destination, point, flags.to.folder, flags)
      : await restoreTables(destination, point, flags)
  } finally {
    await unlock()
  }
}

function restoreAdvice(to: RestoreFlags['to']): string {
  return to.kind === 'folder'
    ? `No server can start on ${to.folder} yet: run the same command again, and it goes on`
    : 'Rows that were copied stay in the server, and repeating the restore is safe'
}

function checkFlags({ to, table, sameIdentity, work, backup, server }: RestoreFlags): void {
  if (backup !== undefined && server !== undefined)
    throw new UsageError('a backup is of one server: --server and --backup do not go together')
  if (to.kind === 'server') {
    if (table === undefined) throw new UsageError('a running server gets tables: name them with --table')
    if (sameIdentity === true) throw new UsageError('--same-identity is for a restored folder')
    return
  }
  if (work !== undefined) throw new UsageError('--work is for tables that go into a server')
  const renamed = table?.find(({ from, to: other }) => from !== other)
  if (renamed !== undefined)
    throw new UsageError(
      `${renamed.from}=${renamed.to}: only a table that goes into a server can get another name`,
    )
}

/** `where`: the backup or the store, as a message names it. */
function checkTables(where: string, there: readonly string[], { table }: RestoreFlags): void {
  const unknown = table?.find(({ from }) => !there.includes(from))
  if (unknown !== undefined) throw new Error(`${where} has no table ${unknown.from}`)
}

async function restoreFolder(
  destination: Destination,
  point: ChosenPoint,
  folder: string,
  flags: RestoreFlags,
): Promise<number> {
  const json = flags.json === true
  const restored = await putInto(destination, point, folder, flags)
  const { name } = point.base
  const { asOf, damaged, isWhole } = restored
  if (json) printLine(JSON.stringify({ kind: 'restored', name, folder, asOf, damaged }))
  else
    printLine(
      `restored ${name}${point.logs === undefined ? '' : ' and its logs'}, as of ${timeOf(point, asOf)}, to ${folder}: start with --store native:${folder}`,
    )
  return isWhole ? EXIT_FINE : EXIT_DAMAGE
}

/** Of archived logs the time counts to the millisecond. */
function timeOf({ logs }: ChosenPoint, at: number): string {
  return logs === undefined ? timeText(at) : preciseTimeText(at)
}

interface Restored {
  readonly asOf: number
  /** How many files are not as they were. */
  readonly damaged: number
  /** Whether nothing that was there at that time is missing. */
  readonly isWhole: boolean
}

/** Prints all that is missing, too. */
async function putInto(
  destination: Destination,
  point: ChosenPoint,
  folder: string,
  flags: RestoreFlags,
): Promise<Restored> {
  const { isRestored, restoredManifest } = await import(
    '../../../adapters/native/backup/restored-manifest.ts'
  )
  const { base } = point
  const tables = flags.table && new Set<string>(flags.table.map(({ from }) => from))
  const parts = { tables, keepsIdentity: flags.sameIdentity === true, random: Math.random }
  const json = flags.json === true
  const take = limiter(flags.limit)
  const reading = readLogs(take)
  const logs =
    point.logs && new RestoredLogs(destination, point, point.logs, { ...parts, take: reading.take })
  const job: RestoreJob = {
    destination,
    restored: base,
    folder,
    isWanted: (table) => isRestored(table, tables),
    faultOfStoreFile: await storeFileCheck(),
    manifestFor: (bytes) => restoredManifest(bytes, parts),
    later: logs && {
      until: point.until,
      storeFor: async (bytes) => {
        const store = await withProgress(reading.step, () => logs.storeFor(bytes))
        checkTables(`the store of ${preciseTimeText(point.asOf)}`, store.tables, flags)
        const finish = (to: string): Promise<Buffer> => withProgress(reading.step, () => store.finish(to))
        return { has: store.has, finish }
      },
    },
    take,
    report: reporter(json, flags.quiet),
    begins: showFiles,
    now,
  }
  const damage = await onDiskOf(folder, () => restoreBackup(job))
  printDamage(damage, base, json)
  const report = await logs?.report()
  const hasAllOfLogs = report === undefined || printReport(report, json)
  // The one at which the entries have ended is named by now.
  const faults = point.faults.filter(({ path }) => path !== report?.fault?.path)
  const lacksLogs = printLogFaults(faults, json, 'what it had of the archived logs is not restored')
  const lacksTime = printGap(point, json)
  const isWhole = !printMissing(base, json) && damage.length === 0 && hasAllOfLogs && !lacksLogs
  return { asOf: report?.asOf ?? point.asOf, damaged: damage.length, isWhole: isWhole && !lacksTime }
}

function printDamage(damage: readonly RestoreDamage[], { name }: NamedBackup, json: boolean): void {
  for (const { path, restoredAs, reason } of damage)
    printLine(
      json
        ? JSON.stringify({ kind: 'damaged file', path, restoredAs, reason })
        : `damaged: ${path}, which is ${restoredAs} now: ${reason}`,
    )
  if (damage.length > 0 && !json)
    printLine(
      `${counted(damage.length, 'file is', 'files are')} not as ${name} had them; all others are. tidegate check says what that means for the store, tidegate repair sets it aside`,
    )
}

/** The tables go through a store in a folder of this machine, which is gone afterwards. */
async function restoreTables(
  destination: Destination,
  point: ChosenPoint,
  flags: RestoreFlags,
): Promise<number> {
  const { table: tables = [], to, limit } = flags
  if (to.kind !== 'server') return EXIT_FINE
  const { copyIntoServer, openDestination } = await import('./copy-into-server.ts')
  // A server that is away, or refuses the login, ends the command before hours of copying.
  const server = await openDestination(to, flags)
  const place = resolve(flags.work ?? tmpdir())
  await mkdir(place, { recursive: true })
  const work = await mkdtemp(join(place, 'tidegate-restore-'))
  const removed = atEnd(() => rm(work, { recursive: true, force: true }))
  try {
    const folder = join(work, 'store')
    const restored = await putInto(destination, point, folder, flags)
    const json = flags.json === true
    const isWhole = await copyIntoServer(folder, server, tables, { json, bytesPerSecond: limit })
    return isWhole && restored.isWhole ? EXIT_FINE : EXIT_DAMAGE
  } finally {
    await removed()
    await server.close()
  }
}
