/** The parts and settings of the server that the console shows. */

import type { BackupsFacts, ConsoleAccounts, ConsoleFacts } from '../../doors/web/status/server-facts.ts'
import type { RecentEvents } from '../../gateway/observing/logs/recent-events.ts'
import type { RecentSlow } from '../../gateway/observing/slow/recent-slow.ts'
import { packageRoot } from '../../package-root.ts'
import type { ServeSettings } from '../settings/serve-options.ts'

export interface ConsoleWatches {
  readonly slow: RecentSlow | undefined
  readonly events: RecentEvents | undefined
}

export function consoleFacts(settings: ServeSettings, { slow, events }: ConsoleWatches): ConsoleFacts {
  const { consoleWrites, readOnly, store, authorization, shown, archive } = settings
  const isPassed = store.kind === 'hbase' && store.passing !== undefined
  return {
    folder: new URL('console/', packageRoot()),
    writes: consoleWrites && !readOnly,
    deciding: authorization !== undefined ? 'Tidegate' : isPassed ? 'cluster' : undefined,
    slow,
    events,
    settings: shown,
    accounts: () => accountsOf(settings),
    backups: archive && (() => backupsOf(archive.folder)),
  }
}

/** Loaded by the first reader of the page. */
async function backupsOf(folder: string): Promise<BackupsFacts> {
  const { knownBackups } = await import('./known-backups.ts')
  return await knownBackups(folder)
}

async function accountsOf({ guard, authorization }: ServeSettings): Promise<ConsoleAccounts> {
  const { accountsInFiles } = await import('./accounts-in-files.ts')
  return accountsInFiles(guard, authorization)
}
