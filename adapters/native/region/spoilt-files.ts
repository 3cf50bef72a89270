import type { HFile } from '../hfile/hfile.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'

/** Files that a compaction could not read. Another one would fail at the same byte, as long as they are as they were. */
export class SpoiltFiles {
  readonly #fileSystem: FileSystem
  readonly #log: NativeLog
  readonly #stamps = new WeakMap<HFile, string>()

  constructor(fileSystem: FileSystem, log: NativeLog) {
    this.#fileSystem = fileSystem
    this.#log = log
  }

  note(file: HFile): void {
    this.#stamps.set(file, this.#fileSystem.stamp(file.path))
  }

  has(file: HFile): boolean {
    const stamp = this.#stamps.get(file)
    if (stamp === undefined) return false
    if (stamp === this.#fileSystem.stamp(file.path)) return true
    this.#stamps.delete(file)
    this.#log('info', `over: ${file.path} kept compactions off; it has changed, and they read it again`)
    return false
  }
}
