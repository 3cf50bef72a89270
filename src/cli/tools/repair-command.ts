import type { Finding } from '../../../adapters/native/inspect/finding.ts'
import { checkFolder } from '../../../adapters/native/inspect/folder-check.ts'
import { repairFolder } from '../../../adapters/native/inspect/repair.ts'
import { NODE_CLOCK as clock } from '../../../adapters/native/platform/node-clock.ts'
import { NODE_FILE_SYSTEM as fileSystem } from '../../../adapters/native/platform/node-file-system.ts'

/** Repairs the store of a folder that no server has, and checks it. Returns the exit code. */
export async function runRepair(
  directory: string,
  isDryRun: boolean,
  say: (line: string) => void,
  showProgress: (line: string) => void,
): Promise<number> {
  const unlock = isDryRun ? undefined : await fileSystem.lock(directory)
  try {
    const hadDamage = await repairFolder({ fileSystem, directory, clock, isDryRun, say })
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
    checkFolder({ fileSystem, directory, clock, report, showProgress })
    if (errors === 0) say('repaired: a server can be started on it')
    return errors === 0 ? 0 : 1
  } finally {
    unlock?.()
  }
}
