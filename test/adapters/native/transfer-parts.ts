import type { TransferParts } from '../../../adapters/native/transfer/settled-store.ts'
import type { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'

/** For an import into the store in `/s`, or an export of it. */
export function transferParts(fileSystem: CrashableFileSystem): TransferParts {
  return {
    fileSystem,
    directory: '/s',
    clock: { now: () => 1_700_000_000_000 },
    random: () => 0.5,
    log: () => undefined,
  }
}
