/** `tidegate backup restore`. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Destination, type NamedBackup } from '../../backup/destination.ts'
import { lockDestination } from '../../backup/destination-lock.ts'
import { type RestoreDamage, restoreBackup } from '../../backup/restore-backup.ts'
import { counted } from '../../model/counted.ts'
import type { TableToCopy } from '../../transfer/copy-tables.ts'
import { UsageError } from '../failures/usage-error.ts'
import { atEnd } from '../terminal/at-end.ts'
import { printLine } from '../terminal/print-lines.ts'
import { EXIT_FINE } from '../terminal/tool-run.ts'
import type { RestoreFlags } from './backup-commands.ts'
import {
  EXIT_DAMAGE,
  keepPrivate,
  limiter,
  now,
  printDamagedBackups,
  printMissing,
  reporter,
  timeText,
} from './backup-output.ts'
import { namedBackup, storeFileCheck } from './run-upkeep.ts'

export async function runRestore(source: string, flags: RestoreFlags): Promise<number> {
  checkFlags(flags)
  keepPrivate()
  const destination = await Destination.open(source)
  const unlock = atEnd(await lockDestination(source, true))
  try {
    const restored = await chosenBackup(destination, flags)
    checkTables(restored, flags.table)
    return flags.to.kind === 'folder'
      ? await restoreFolder(destination, restored, flags.to.folder, flags)
      : await restoreTables(destination, restored, flags)
  } finally {
    await unlock()
  }
}

function checkFlags({ to, backup, time, table, sameIdentity, work }: RestoreFlags): void {
  if (backup !== undefined && time !== undefined) throw new UsageError('give --backup or --time, not both')
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

async function chosenBackup(
  destination: Destination,
  { backup, time, json }: RestoreFlags,
): Promise<NamedBackup> {
  const backups = await destination.backups()
  const { sound, lost } = backups
  printDamagedBackups(backups, json === true)
  if (backup !== undefined) {
    const broken = lost.find(({ name }) => name === backup)
    if (broken !== undefined) throw new Error(`${broken.path}: ${broken.reason}`)
    return namedBackup(sound, backup)
  }
  // The damaged one may be the one that is meant.
  if (lost.length > 0)
    throw new Error(
      `${lost[0]!.path} cannot be read (${lost[0]!.reason}): say which backup to restore by --backup`,
    )
  const servers = new Set(sound.map((each) => each.backup.clusterId))
  if (servers.size > 1)
    throw new Error(
      `${destination.folder} has backups of ${servers.size} servers: say which backup to restore by --backup; tidegate backup list shows their names and servers`,
    )
  // `list` shows times to the second.
  const chosen = sound.findLast(
    ({ backup: { at } }) => time === undefined || Math.floor(at / 1000) * 1000 <= time,
  )
  if (chosen !== undefined) return chosen
  const first = sound[0]
  throw new Error(
    first === undefined
      ? `${destination.folder} has no backup`
      : `the first backup is of ${timeText(first.backup.at)}: there is none of that time or before`,
  )
}

function checkTables({ name, backup }: NamedBackup, tables: readonly TableToCopy[] | undefined): void {
  const there = new Set(backup.tables)
  const unknown = tables?.find(({ from }) => !there.has(from))
  if (unknown !== undefined) throw new Error(`the backup ${name} has no table ${unknown.from}`)
}

async function restoreFolder(
  destination: Destination,
  restored: NamedBackup,
  folder: string,
  flags: RestoreFlags,
): Promise<number> {
  const damage = await putInto(destination, restored, folder, flags)
  const isWhole = !printMissing(restored, flags.json === true) && damage.length === 0
  if (flags.json === true)
    printLine(JSON.stringify({ kind: 'restored', name: restored.name, folder, damaged: damage.length }))
  else
    printLine(
      `restored ${restored.name}, as of ${timeText(restored.backup.at)}, to ${folder}: start with --store native:${folder}`,
    )
  return isWhole ? EXIT_FINE : EXIT_DAMAGE
}

async function putInto(
  destination: Destination,
  restored: NamedBackup,
  folder: string,
  flags: RestoreFlags,
): Promise<RestoreDamage[]> {
  const { isRestored, restoredManifest } = await import(
    '../../../adapters/native/backup/restored-manifest.ts'
  )
  const tables = flags.table && new Set<string>(flags.table.map(({ from }) => from))
  const keepsIdentity = flags.sameIdentity === true
  const json = flags.json === true
  const damage = await restoreBackup({
    destination,
    restored,
    folder,
    isWanted: (table) => isRestored(table, tables),
    faultOfStoreFile: await storeFileCheck(),
    manifestFor: (bytes) => restoredManifest(bytes, { tables, keepsIdentity, random: Math.random }),
    take: limiter(flags.limit),
    report: reporter(json),
    now,
  })
  for (const { path, restoredAs, reason } of damage)
    printLine(
      json
        ? JSON.stringify({ kind: 'damaged file', path, restoredAs, reason })
        : `damaged: ${path}, which is ${restoredAs} now: ${reason}`,
    )
  if (damage.length > 0 && !json)
    printLine(
      `${counted(damage.length, 'file is', 'files are')} not as ${restored.name} had them; all others are. tidegate check says what that means for the store, tidegate repair sets it aside`,
    )
  return damage
}

/** The tables go through a store in a folder of this machine, which is gone afterwards. */
async function restoreTables(
  destination: Destination,
  restored: NamedBackup,
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
    const damage = await putInto(destination, restored, folder, flags)
    const json = flags.json === true
    const isWhole = await copyIntoServer(folder, server, tables, { json, bytesPerSecond: limit })
    const lacksFiles = printMissing(restored, flags.json === true)
    return isWhole && !lacksFiles && damage.length === 0 ? EXIT_FINE : EXIT_DAMAGE
  } finally {
    await removed()
    await server.close()
  }
}
