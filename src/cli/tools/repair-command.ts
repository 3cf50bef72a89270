import type { Finding } from '../../../adapters/native/inspect/finding.ts'
import { checkFolderInTurns } from '../../../adapters/native/inspect/folder-check.ts'
import { repairFolder } from '../../../adapters/native/inspect/repair.ts'
import { NODE_CLOCK as clock } from '../../../adapters/native/platform/node-clock.ts'
import { NODE_FILE_SYSTEM as fileSystem } from '../../../adapters/native/platform/node-file-system.ts'
import { beginProgress, type ProgressFlags, withProgress } from '../terminal/command-progress.ts'

type Worked = (done: number, total: number) => void

function withBytes<T>(task: string, work: (worked: Worked) => Promise<T>): Promise<T> {
  let [done, total] = [0, 0]
  return withProgress(
    () => ({ task, amounts: [{ unit: 'bytes', done, total }] }),
    () => work((now, all) => ([done, total] = [now, all])),
  )
}

/** Repairs the store of a folder that no server has, and checks it. Returns the exit code. */
export async function runRepair(
  directory: string,
  isDryRun: boolean,
  say: (line: string) => void,
  flags: ProgressFlags,
): Promise<number> {
  beginProgress('repair', flags, () =>
    isDryRun
      ? 'Nothing was written'
      : 'The store is as it was, or repaired, and damaged files are kept: run the same command again',
  )
  const unlock = isDryRun ? undefined : await fileSystem.lock(directory)
  try {
    const hadDamage = await withBytes('looked at', (worked) =>
      repairFolder({ fileSystem, directory, clock, isDryRun, say, worked }),
    )
    if (!hadDamage) {
      say('there is nothing to repair')
      return 0
    }
    if (isDryRun) {
      say('nothing was written: this was a dry run')
      return 1
    }
    let errors = 0
    const report = ({ severity, path, message }: Finding): void => {
      if (severity !== 'error') return
      errors++
      say(`damage is left: ${path}: ${message}`)
    }
    await withBytes('checked', (worked) => checkFolderInTurns({ fileSystem, directory, report, worked }))
    if (errors === 0) say('repaired: a server can be started on it')
    return errors === 0 ? 0 : 1
  } finally {
    unlock?.()
  }
}
