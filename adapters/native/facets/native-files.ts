import type { Call } from '../../../src/store/call.ts'
import type { StoreFileInfo } from '../../../src/store/upkeep.ts'
import type { Region } from '../region/region.ts'
import type { NativeLoadsParts } from './native-loads.ts'

/** HBase: HRegion.getStoreFileList, which gives the files of a family in the order of their sequence ids. */
export class NativeFiles implements StoreFileInfo {
  readonly #parts: NativeLoadsParts

  constructor(parts: NativeLoadsParts) {
    this.#parts = parts
  }

  async storeFiles(regionName: Buffer, families: readonly Buffer[], call: Call): Promise<string[]> {
    this.#parts.calls.check(call)
    return (
      this.#region(regionName)?.stores.flatMap(({ descriptor, files }) =>
        families.some((family) => family.equals(descriptor.name)) ? files.map(({ run }) => run.path) : [],
      ) ?? []
    )
  }

  #region(name: Buffer): Region | undefined {
    for (const region of this.#parts.tables.regions.values()) if (region.name.equals(name)) return region
    return undefined
  }
}
