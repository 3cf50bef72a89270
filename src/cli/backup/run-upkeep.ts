/** `tidegate backup list`, `verify` and `prune`. */

import { knownLogs, runsIn } from '../../backup/archive/known-pieces.ts'
import { neededForDays, newestTimes, pruneLogs } from '../../backup/archive/prune-logs.ts'
import { logsWithoutBackup, restorableTimes } from '../../backup/archive/restorable-times.ts'
import { type VerifiedLogs, verifyLogs } from '../../backup/archive/verify-logs.ts'
import { Destination, type NamedBackup } from '../../backup/destination.ts'
import { chosenBackups, type Pruned, pruneBackups } from '../../backup/prune-backups.ts'
import { timeText } from '../../backup/times.ts'
import { verifyBackups } from '../../backup/verify-backups.ts'
import { counted } from '../../model/counted.ts'
import { bytesText } from '../../transfer/progress.ts'
import { UsageError } from '../failures/usage-error.ts'
import { beginProgress, withProgress } from '../terminal/command-progress.ts'
import { printLine } from '../terminal/print-lines.ts'
import type { Step } from '../terminal/progress-text.ts'
import { EXIT_FINE } from '../terminal/tool-run.ts'
import type { OutputFlags, PruneFlags, VerifyFlags } from './backup-commands.ts'
import {
  EXIT_DAMAGE,
  limiter,
  locked,
  now,
  printDamagedBackups,
  printMissing,
  readLogs,
  reporter,
  showFiles,
  tablesText,
} from './backup-output.ts'
import { printLogFaults, printTimes, printUnused } from './logs-output.ts'

/** Behind the fault of a file of archived logs. */
const OF_LOGS = 'it is of the archived logs'
const STAYS = 'nothing of its archived log is removed, since it may be needed'

export async function runList(folder: string, flags: OutputFlags): Promise<number> {
  const json = flags.json === true
  const backups = await (await Destination.open(folder)).backups()
  for (const { name, backup } of backups.sound) {
    const { files, ...facts } = backup
    const { at, bytes, newBytes, tables, server } = facts
    const sizes = `${bytesText(bytes)}, ${bytesText(newBytes)} of them new`
    if (json) printLine(JSON.stringify({ kind: 'backup', name, files: files.length, ...facts }))
    else
      printLine(
        `${name}  ${timeText(at)}  ${tablesText(tables)}, ${counted(files.length, 'file')}, ${sizes}  from ${server}`,
      )
  }
  const logs = await knownLogs(folder)
  const runs = logs.flatMap((each) => each.runs)
  for (const times of await restorableTimes(backups.sound, runs)) printTimes(times, json)
  printUnused(logsWithoutBackup(backups.sound, logs), json)
  if (!json && backups.sound.length === 0) printLine(`${folder} has no backup yet`)
  const faults = logs.flatMap((each) => each.faults)
  const isDamaged = [printLogFaults(faults, json, OF_LOGS), printDamagedBackups(backups, json)]
  return isDamaged.includes(true) ? EXIT_DAMAGE : EXIT_FINE
}

export async function runVerify(folder: string, flags: VerifyFlags): Promise<number> {
  const json = flags.json === true
  beginProgress('backup verify', flags, () => 'Nothing was changed: the same command verifies anew')
  const destination = await Destination.open(folder)
  const unlock = await locked(folder, flags, true)
  try {
    const backups = await destination.backups()
    const hasDamagedBackups = printDamagedBackups(backups, json)
    if (backups.sound.length === 0) throw new Error(`${folder} has no backup that can be verified`)
    const chosen = flags.backup === undefined ? backups.sound : [namedBackup(backups.sound, flags.backup)]
    const lackFiles = chosen.map((each) => printMissing(each, json)).includes(true)
    const parts = { take: limiter(flags.limit), report: reporter(json, flags.quiet), begins: showFiles, now }
    const faultOfStoreFile = await storeFileCheck()
    const damaged = await verifyBackups({ ...parts, destination, backups: chosen, faultOfStoreFile })
    for (const { path, reason, needed } of damaged) {
      const names = [...new Set(needed.map(({ backup }) => backup))]
      if (json) printLine(JSON.stringify({ kind: 'damaged file', path, reason, needed }))
      else
        printLine(
          `damaged: ${path}: ${reason}; it is ${needed[0]!.path} of ${counted(names.length, 'backup')}: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', ...' : ''}`,
        )
    }
    const logs =
      flags.backup === undefined ? await verifiedLogs(folder, parts.take) : { pieces: 0, faults: [] }
    printLogFaults(logs.faults, json, OF_LOGS)
    if (flags.backup === undefined)
      printUnused(logsWithoutBackup(backups.sound, await knownLogs(folder)), json)
    const count = damaged.length + logs.faults.length
    if (json)
      printLine(
        JSON.stringify({ kind: 'verified', backups: chosen.length, pieces: logs.pieces, damaged: count }),
      )
    else
      printLine(
        `${counted(chosen.length, 'backup')}${logs.pieces === 0 ? '' : ` and ${counted(logs.pieces, 'piece')} of logs`} verified: ${counted(count, 'file is', 'files are')} damaged`,
      )
    return count > 0 || hasDamagedBackups || lackFiles ? EXIT_DAMAGE : EXIT_FINE
  } finally {
    await unlock()
  }
}

function verifiedLogs(folder: string, take: (bytes: number) => Promise<void>): Promise<VerifiedLogs> {
  const read = readLogs(take)
  return withProgress(read.step, () => verifyLogs(folder, read.take))
}

/** Throws an Error where there is no backup of the name. */
export function namedBackup(backups: readonly NamedBackup[], name: string): NamedBackup {
  const found = backups.find((each) => each.name === name)
  if (found === undefined)
    throw new Error(`there is no backup ${name}: tidegate backup list shows their names`)
  return found
}

export async function storeFileCheck(): Promise<(path: string) => string | undefined> {
  const { NODE_FILE_SYSTEM } = await import('../../../adapters/native/platform/node-file-system.ts')
  const { firstFaultOf } = await import('../../../adapters/native/inspect/first-fault.ts')
  return (path) => firstFaultOf(NODE_FILE_SYSTEM, path)
}

function names(list: readonly NamedBackup[]): string[] {
  return list.map(({ name }) => name)
}

function removedStep({ files, bytes }: Pruned): Step {
  return {
    task: 'removed',
    amounts: [
      { unit: 'files', done: files },
      { unit: 'bytes', done: bytes },
    ],
  }
}

export async function runPrune(folder: string, flags: PruneFlags): Promise<number> {
  const { keepLast, keepDaily, keepWeekly, keepMonthly, keepLogDays: days, dryRun = false } = flags
  const retention = {
    last: keepLast ?? 0,
    daily: keepDaily ?? 0,
    weekly: keepWeekly ?? 0,
    monthly: keepMonthly ?? 0,
  }
  if ([...Object.values(retention), days ?? 0].every((count) => count === 0))
    throw new UsageError(
      'say which backups to keep: --keep-last, --keep-daily, --keep-weekly, --keep-monthly or --keep-log-days',
    )
  const destination = await Destination.open(folder)
  destination.checkIsSound()
  beginProgress('backup prune', flags, () => 'The same command removes the rest')
  const unlock = await locked(folder, flags, dryRun)
  try {
    const { sound, lost } = await destination.backups()
    if (lost.length > 0)
      throw new Error(
        `${lost[0]!.path} cannot be read (${lost[0]!.reason}), and may need any of the files: nothing was removed. Remove it, if you give it up, and run this again`,
      )
    const newest = newestTimes(sound, await runsIn(folder), Date.now())
    const needed = days === undefined ? [] : neededForDays(sound, days, newest)
    const { kept, gone } = chosenBackups(sound, retention, new Set(needed))
    let pruned = { files: 0, bytes: 0 }
    const { files, bytes } = await withProgress(
      () => removedStep(pruned),
      () => pruneBackups(destination, gone, kept, dryRun, (sums) => (pruned = sums)),
    )
    const logs = await pruneLogs({ folder, kept, days, newest, dryRun })
    const times = await restorableTimes(kept, logs.left)
    if (flags.json === true) {
      const removed = { removed: names(gone), files, bytes, pieces: logs.pieces, pieceBytes: logs.bytes }
      printLine(JSON.stringify({ kind: 'prune', dryRun, kept: names(kept), times, ...removed }))
    } else {
      for (const name of names(gone)) printLine(`${dryRun ? 'would remove' : 'removed'} ${name}`)
      const verb = dryRun ? 'would go' : 'are gone'
      if (logs.pieces > 0)
        printLine(`${counted(logs.pieces, 'piece')} of logs and ${bytesText(logs.bytes)} ${verb}`)
      printLine(
        `${counted(kept.length, 'backup')} kept; ${counted(files, 'file')} and ${bytesText(bytes)} ${verb}`,
      )
      for (const { name, backup } of kept)
        printLine(`kept ${name}  ${timeText(backup.at)}  from ${backup.server}`)
      for (const each of times) printTimes(each, false)
    }
    const isDamaged = printLogFaults(logs.faults, flags.json === true, STAYS)
    return isDamaged ? EXIT_DAMAGE : EXIT_FINE
  } finally {
    await unlock()
  }
}
