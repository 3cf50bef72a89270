/** The sizes of snapshots. The files of a snapshot never change, so each snapshot is measured once. */

import { compareText } from '../../../src/model/compare-text.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { SnapshotSize } from '../../../src/store/snapshots.ts'
import type { Engine } from '../engine/engine.ts'
import type { SnapshotRecord } from '../manifest/manifest-edit.ts'
import { filesOfSnapshot } from './linked-files.ts'

export class SnapshotSizes {
  readonly #engine: Engine
  /** Bytes by the numbers of snapshots. */
  #known: ReadonlyMap<number, number> = new Map()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** In order of the names. */
  async all(): Promise<SnapshotSize[]> {
    const snapshots = [...this.#engine.catalogLog.catalog.snapshots.values()]
    const sizes = new Map<number, number>()
    for (const snapshot of snapshots)
      sizes.set(
        snapshot.number,
        this.#known.get(snapshot.number) ?? (await manyATurn(this.#measured(snapshot))),
      )
    this.#known = sizes
    return snapshots
      .map(({ name, number }) => ({ name, bytes: sizes.get(number)! }))
      .sort((a, b) => compareText(a.name, b.name))
  }

  *#measured({ number, table }: SnapshotRecord): Steps<number> {
    const { fileSystem, storeFiles } = this.#engine
    const pathOf = filesOfSnapshot(storeFiles.directory, number)
    let bytes = 0
    for (const { files } of table.regions) {
      for (const record of files) {
        const path = pathOf(record)
        // A lost file is a damage, which the store reports elsewhere.
        if (!fileSystem.exists(path)) continue
        const file = fileSystem.open(path, 'read')
        try {
          bytes += file.size()
        } finally {
          file.close()
        }
        yield
      }
    }
    return bytes
  }
}
