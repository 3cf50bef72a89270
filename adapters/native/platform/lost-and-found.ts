import type { FileSystem } from './file-system.ts'
import type { NativeLog } from './native-log.ts'

const NAME = 'lost+found'

/**
 * The folder for what a start finds in the store's directory and may not use: unknown or damaged files, under the paths
 * that they had. The engine never removes anything there.
 */
export class LostAndFound {
  readonly #fileSystem: FileSystem
  readonly #root: string
  readonly #log: NativeLog

  /** `root`: the store's directory. */
  constructor(fileSystem: FileSystem, root: string, log: NativeLog) {
    this.#fileSystem = fileSystem
    this.#root = root
    this.#log = log
  }

  /** Moves a file or directory of the store here, and says so. Where it cannot be moved, it stays: a full disk must not keep a store from starting. */
  setAside(path: string, reason: string): void {
    const target = this.#freePlaceOf(path)
    try {
      this.#fileSystem.makeDirectory(target.slice(0, target.lastIndexOf('/')))
      this.#fileSystem.rename(path, target)
      this.#log('warn', `${path} was set aside: ${reason}`, { path, target })
    } catch (error) {
      this.#log('error', `${path} could not be set aside (${reason})`, { path, error })
    }
  }

  /** Says of a file or folder that the store does not know that it stays where it is. */
  mention(path: string): void {
    this.#log(
      'warn',
      `${path} is no file of the store, which leaves it where it is: move it away if it is not needed there`,
      {
        path,
      },
    )
  }

  /** Copies a file that is needed where it is, and says so. Throws what the file system throws. */
  keepCopy(path: string, bytes: Buffer): void {
    const target = this.#freePlaceOf(path)
    this.#fileSystem.makeDirectory(target.slice(0, target.lastIndexOf('/')))
    const file = this.#fileSystem.open(target, 'create')
    try {
      file.append([bytes])
    } finally {
      file.close()
    }
    this.#log('warn', `${path} was copied to ${target}`, { path, target })
  }

  #freePlaceOf(path: string): string {
    const place = `${this.#root}/${NAME}${path.slice(this.#root.length)}`
    let target = place
    for (let copy = 2; this.#fileSystem.exists(target); copy++) target = `${place}.${copy}`
    return target
  }
}
