import type { FileSystem, OpenFile } from '../../../adapters/native/platform/file-system.ts'
import { NODE_FILE_SYSTEM } from '../../../adapters/native/platform/node-file-system.ts'

/** The disk, which is not waited for: no case loses power. Its log can be full. */
export class LitmusDisk {
  readonly fileSystem: FileSystem
  /** While true, the log has no room. */
  isFull = false
  /** Called before the log gets records. */
  beforeLog: () => void = () => undefined
  /** Called once it has them. */
  afterLog: () => void = () => undefined

  constructor() {
    this.fileSystem = Object.assign(Object.create(NODE_FILE_SYSTEM) as FileSystem, {
      open: (path: string, mode: 'read' | 'append' | 'create') =>
        this.#unsynced(NODE_FILE_SYSTEM.open(path, mode)),
      syncDirectory: async () => undefined,
    })
  }

  #unsynced(file: OpenFile): OpenFile {
    const isLog = file.path.includes('/wal/')
    return {
      path: file.path,
      append: (buffers) => {
        if (!isLog) return file.append(buffers)
        this.beforeLog()
        if (this.isFull)
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
        file.append(buffers)
        this.afterLog()
      },
      read: (target, offset, length, position) => file.read(target, offset, length, position),
      size: () => file.size(),
      truncate: (bytes) => file.truncate(bytes),
      sync: async () => undefined,
      close: () => file.close(),
    }
  }
}
