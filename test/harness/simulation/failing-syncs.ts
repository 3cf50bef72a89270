import type { CrashableFileSystem } from './crashable-file-system.ts'

/**
 * Lets the disk fail the syncs of files that `fails` picks. As in Linux, what the file had since its last sync may then be lost though a
 * later sync of it succeeds. For files that are opened after the call.
 */
export function failSyncs(fileSystem: CrashableFileSystem, fails: (path: string) => boolean): void {
  const open = fileSystem.open.bind(fileSystem)
  fileSystem.open = (path, mode) => {
    const file = open(path, mode)
    const sync = file.sync.bind(file)
    let hasFailed = false
    file.sync = async (): Promise<void> => {
      if (fails(path)) {
        hasFailed = true
        throw Object.assign(new Error(`EIO: i/o error, fsync ${path}`), { code: 'EIO' })
      }
      if (!hasFailed) await sync()
    }
    return file
  }
}
