import type { Call } from '../../../src/store/call.ts'
import type { StoreFileInfo } from '../../../src/store/upkeep.ts'
import type { Engine } from '../engine/engine.ts'
import type { Region } from '../region/region.ts'

/** HBase: HRegion.getStoreFileList, which gives the files of a family in the order of their sequence ids. */
export class NativeFiles implements StoreFileInfo {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async storeFiles(regionName: Buffer, families: readonly Buffer[], call: Call): Promise<string[]> {
    this.#engine.calls.check(call)
    return (
      this.#region(regionName)?.stores.flatMap(({ descriptor, files }) =>
        families.some((family) => family.equals(descriptor.name)) ? files.map(({ run }) => run.path) : [],
      ) ?? []
    )
  }

  #region(name: Buffer): Region | undefined {
    for (const region of this.#engine.tables.regions.values()) if (region.name.equals(name)) return region
    return undefined
  }
}
