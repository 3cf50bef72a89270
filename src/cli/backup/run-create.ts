/** `tidegate backup create`. */

import { createBackup } from '../../backup/create-backup.ts'
import { Destination } from '../../backup/destination.ts'
import { onDiskOf } from '../../backup/disk-fault.ts'
import { timeText } from '../../backup/times.ts'
import { counted } from '../../model/counted.ts'
import { HBaseError } from '../../model/errors.ts'
import { OWN_CALL } from '../../store/call.ts'
import { bytesText } from '../../transfer/progress.ts'
import { readLogin } from '../remote/login-options.ts'
import { openServer } from '../remote/open-server.ts'
import { OutageReporter } from '../remote/outage-reporter.ts'
import { watchedServer } from '../remote/watched-server.ts'
import { atEnd } from '../terminal/at-end.ts'
import { beginProgress } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import { EXIT_FINE } from '../terminal/tool-run.ts'
import type { CreateFlags } from './backup-commands.ts'
import {
  EXIT_DAMAGE,
  keepPrivate,
  limiter,
  locked,
  now,
  reporter,
  showFiles,
  tablesText,
} from './backup-output.ts'

/** A server that refuses for long, for a full disk say, ends the command with its reason. */
const RETRIES_MAX = 6

export async function runCreate(folder: string, flags: CreateFlags): Promise<number> {
  const { address, limit } = flags
  keepPrivate()
  const json = flags.json === true
  beginProgress(
    'backup create',
    flags,
    () => 'These whole files stay: run the same command again, and it copies the others',
  )
  const login = await readLogin(flags, [address.server])
  const outage = new OutageReporter(address.text)
  const onRetry = (reason: string): void => outage.failed(reason)
  const demands = { retriesMax: RETRIES_MAX, isImpatient: false, warn: printProgress, onRetry }
  const opened = await openServer(address.server, login, demands, (level, message) => {
    if (level === 'warn' || level === 'error') printProgress(`${address.text}: ${message}`)
  })
  const store = watchedServer(opened.store, outage)
  try {
    const { backups } = store.upkeep
    if (backups === undefined)
      throw new HBaseError(
        'UNSUPPORTED',
        `${address.text}: backups go by rpc:HOST:PORT or zookeeper:HOST:PORT`,
      )
    const destination = await onDiskOf(folder, () => Destination.openOrMake(folder))
    const unlock = await locked(folder, flags)
    try {
      const parts = {
        take: limiter(limit),
        report: reporter(json, flags.quiet),
        begins: showFiles,
        now,
        call: OWN_CALL,
        atEnd,
      }
      const { name, backup, isLocal, linked, damaged } = await onDiskOf(folder, () =>
        createBackup({ ...parts, backups, destination, server: address.text }),
      )
      const { files, ...facts } = backup
      if (json)
        printLine(
          JSON.stringify({ kind: 'backup', name, files: files.length, isLocal, linked, damaged, ...facts }),
        )
      else {
        const how = linked > 0 ? `; ${counted(linked, 'file')} came by links` : ''
        printLine(
          `${name}: ${tablesText(backup.tables)} as of ${timeText(backup.at)}, ${counted(files.length, 'file')}, ${bytesText(backup.bytes)}, of which ${bytesText(backup.newBytes)} are new${how}`,
        )
      }
      for (const path of backup.missing)
        printProgress(
          `warning: the server has no file ${path}, which its manifest names: it is not in the backup`,
        )
      for (const path of damaged)
        printProgress(
          `warning: the server knows that ${path} is damaged: it is in the backup as it is. An earlier backup may have it whole`,
        )
      return backup.missing.length + damaged.length === 0 ? EXIT_FINE : EXIT_DAMAGE
    } finally {
      await unlock()
      // A backup that never began leaves no folder, and its failure is the one to report.
      await destination.removeUnused().catch(() => undefined)
    }
  } finally {
    await store.close()
  }
}
