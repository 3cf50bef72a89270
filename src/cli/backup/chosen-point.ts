/** Chooses the backup, and the archived logs behind it, that a restore takes. */

import { knownLogs } from '../../backup/archive/known-pieces.ts'
import { faultsBehind } from '../../backup/archive/lost-logs.ts'
import type { PieceFault } from '../../backup/archive/piece-file.ts'
import { type RestorePoint, restorePoint } from '../../backup/archive/restore-point.ts'
import type { Backups, Destination, NamedBackup } from '../../backup/destination.ts'
import { type BegunRestore, begunRestore } from '../../backup/restore-backup.ts'
import { timeText } from '../../backup/times.ts'
import type { RestoreFlags } from './backup-commands.ts'
import { printDamagedBackups } from './backup-output.ts'
import { backupsOfServer } from './chosen-server.ts'
import { namedBackup } from './run-upkeep.ts'

export interface ChosenPoint extends RestorePoint {
  /** The time up to which the logs are read; without logs the time that was asked for, Infinity of the latest state. */
  readonly until: number
  /** Whether the server has archived its logs, so that a time between two backups can be missing. */
  readonly isArchived: boolean
  /** Of archived logs behind the backup: entries of the time before may be missing. */
  readonly faults: readonly PieceFault[]
}

/** Throws an Error where there is no backup of that time or before, and where it is not clear which one is meant. */
export async function chosenPoint(destination: Destination, flags: RestoreFlags): Promise<ChosenPoint> {
  const { backup: name, server, time, json } = flags
  const backups = await destination.backups()
  printDamagedBackups(backups, json === true)
  const candidates =
    name === undefined ? ofOneServer(destination, backups, server) : [givenBackup(backups, name)]
  const newest = candidates.at(-1)
  if (newest === undefined) throw new Error(`${destination.folder} has no backup`)
  const { at, clusterId } = newest.backup
  if (time === undefined)
    return {
      base: newest,
      logs: undefined,
      asOf: at,
      nextAt: undefined,
      until: at,
      isArchived: false,
      faults: [],
    }
  const logs = await knownLogs(destination.folder, (stretch) => stretch.clusterId === clusterId)
  const runs = logs.flatMap((each) => each.runs)
  const begun = await begunBefore(flags)
  // Of a restore of the latest state: that is a later one by now.
  const asked = time === Number.POSITIVE_INFINITY ? (begun?.until ?? time) : time
  const all = backups.sound.filter(({ backup }) => backup.clusterId === clusterId)
  // A backup that has come meanwhile may be nearer to the time.
  const same = candidates.filter((each) => asked === begun?.until && each.name === begun.name)
  const point = restorePoint(same.length > 0 ? same : candidates, runs, asked, all)
  if (point !== undefined)
    return {
      ...point,
      until: Number.isFinite(asked) || point.logs === undefined ? asked : point.asOf,
      isArchived: logs.length > 0,
      faults: faultsBehind(point.base, logs, asked),
    }
  const first = candidates[0]!
  throw new Error(
    name === undefined
      ? `the first backup is of ${timeText(first.backup.at)}: there is none of that time or before`
      : `the backup ${name} is of ${timeText(first.backup.at)}, which is later`,
  )
}

function givenBackup({ sound, lost }: Backups, name: string): NamedBackup {
  const broken = lost.find((each) => each.name === name)
  if (broken !== undefined) throw new Error(`${broken.path}: ${broken.reason}`)
  return namedBackup(sound, name)
}

function ofOneServer(
  { folder }: Destination,
  { sound, lost }: Backups,
  server: string | undefined,
): readonly NamedBackup[] {
  // The damaged one may be the one that is meant.
  if (lost.length > 0)
    throw new Error(
      `${lost[0]!.path} cannot be read (${lost[0]!.reason}): say which backup to restore by --backup`,
    )
  return backupsOfServer(folder, sound, server)
}

/** The restore that was cut off in the folder, and is to go on. */
async function begunBefore({ to }: RestoreFlags): Promise<BegunRestore | undefined> {
  return to.kind === 'folder' ? begunRestore(to.folder) : undefined
}
