import { UNFINISHED } from '../../../adapters/native/layout/region-directory.ts'
import type { OpenFile } from '../../../adapters/native/platform/file-system.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'

/** A disk on which some store files wait for their sync until they are released. */
export class SlowFileSystem extends CrashableFileSystem {
  /** Store files that were begun so far. */
  made = 0
  readonly #releases = new Map<number, () => void>()
  readonly #released: ReadonlyMap<number, Promise<void>>

  /** `held`: the numbers of those files, the first one that is made being 1. */
  constructor(...held: number[]) {
    super()
    const released = held.map((number): [number, Promise<void>] => [
      number,
      new Promise((resolve) => this.#releases.set(number, resolve)),
    ])
    this.#released = new Map(released)
  }

  release(): void {
    for (const number of this.#releases.keys()) this.releaseOnly(number)
  }

  releaseOnly(number: number): void {
    this.#releases.get(number)!()
  }

  override open(path: string, mode: 'read' | 'append' | 'create'): OpenFile {
    const file = super.open(path, mode)
    if (mode !== 'create' || !path.endsWith(UNFINISHED)) return file
    const released = this.#released.get(++this.made)
    if (released === undefined) return file
    const sync = file.sync.bind(file)
    file.sync = () => released.then(sync)
    return file
  }
}
