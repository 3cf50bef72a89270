/** The backups of a folder and the times that its archived log restores, for the console's page of backups. */

import { knownLogs } from '../../backup/archive/known-pieces.ts'
import { restorableTimes } from '../../backup/archive/restorable-times.ts'
import { Destination, type NamedBackup } from '../../backup/destination.ts'
import type { BackupsFacts } from '../../doors/web/status/server-facts.ts'
import { reasonOf } from '../../model/error-reason.ts'

/** The most backups that the page shows, the latest ones. */
const SHOWN_MAX = 100
/** An answer serves later readers for this time: a folder may be on a slow disk, and have many files. */
const FRESH_MS = 15_000

interface Answered {
  readonly at: number
  readonly facts: Promise<BackupsFacts>
}

const answers = new Map<string, Answered>()

/** Never rejects: a folder that is away is a fault of the answer. */
export async function knownBackups(folder: string): Promise<BackupsFacts> {
  const now = performance.now()
  const known = answers.get(folder)
  if (known !== undefined && now - known.at < FRESH_MS) return await known.facts
  const facts = readBackups(folder)
  answers.set(folder, { at: now, facts })
  return await facts
}

async function readBackups(folder: string): Promise<BackupsFacts> {
  try {
    const { sound, damaged } = await (await Destination.open(folder)).backups()
    const logs = await knownLogs(folder)
    const times = await restorableTimes(
      sound,
      logs.flatMap(({ runs }) => runs),
    )
    const faults = logs.flatMap((each) => each.faults)
    return {
      folder,
      backupsTotal: sound.length,
      backups: sound.slice(-SHOWN_MAX).reverse().map(shownBackup),
      times: times.map(({ server, from, to, bytes }) => ({ server, from, to, bytes })),
      faults: [...damaged, ...faults].slice(0, SHOWN_MAX).map(({ path, reason }) => `${path}: ${reason}`),
    }
  } catch (error) {
    return { folder, backupsTotal: 0, backups: [], times: [], faults: [reasonOf(error)] }
  }
}

function shownBackup({ name, backup }: NamedBackup): BackupsFacts['backups'][number] {
  const { at, bytes, newBytes, tables, missing, server } = backup
  const own = tables.filter((table) => !table.startsWith('hbase:'))
  return { name, at, bytes, newBytes, tables: own.length, missing: missing.length, server }
}
