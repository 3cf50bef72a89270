/** The simulated disk of a process that may have few files open. */

import type { OpenFile } from '../../../adapters/native/platform/file-system.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'

export class CountingDisk extends CrashableFileSystem {
  /** A further file throws EMFILE. */
  descriptorsMax: number = Number.POSITIVE_INFINITY
  readonly #open = new Map<object, string>()

  /** Paths, once for each descriptor. */
  openFiles(): string[] {
    return [...this.#open.values()].sort()
  }

  override open(path: string, mode: 'read' | 'append' | 'create'): OpenFile {
    if (this.#open.size >= this.descriptorsMax)
      throw Object.assign(new Error(`EMFILE: too many open files, open ${path}`), { code: 'EMFILE' })
    const file = super.open(path, mode)
    const handle = { path }
    this.#open.set(handle, path)
    return {
      ...file,
      read: (target, offset, length, position) => {
        if (!this.#open.has(handle)) throw new Error(`EBADF: ${path}`)
        return file.read(target, offset, length, position)
      },
      close: () => {
        if (!this.#open.delete(handle)) throw new Error(`EBADF: close ${path}`)
        file.close()
      },
    }
  }
}
