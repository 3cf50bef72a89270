/** A store in memory that stands in for a cluster whose hbase:meta has copies. */

import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { META_REGION, META_TABLE } from '../../src/model/meta-table.ts'
import { withFacets, withMethods } from '../../src/store/decorate.ts'
import type { Store } from '../../src/store/store.ts'

const REMOTE = { host: 'rs7.example', port: 16020, startCode: 7 }

/** `numbers`: of the copies, as they are now. */
export function withCopiedMeta(memory: Store, numbers: () => readonly number[]): Store {
  const region = { ...META_REGION, server: REMOTE }
  const { catalog } = memory
  const regions: typeof catalog.regions = async (name, call) => {
    if (name !== META_TABLE) return catalog.regions(name, call)
    return [{ ...region, copies: numbers().map((replica) => ({ replica, server: REMOTE })) }]
  }
  return withFacets(memory, { catalog: withMethods(catalog, { hasSystemTables: true, regions }) })
}

export function copiedMeta(numbers: () => readonly number[]): Store {
  return withCopiedMeta(openMemoryStore({ clock: Date }), numbers)
}
