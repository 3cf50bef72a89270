import { SharedCount } from '../../../adapters/native/platform/thread-words.ts'
import type { ChangeCount } from '../../gateway/policies/own-tables/current-content.ts'

/** How often rights have changed. The main thread counts. Threads that read compare, and read the rights again. */
export interface RightsChanges {
  readonly memory: SharedArrayBuffer
  /** Of hbase:acl. */
  readonly grants: ChangeCount
  /** Of hbase:labels. */
  readonly labels: ChangeCount
}

/** `memory`: that of the main thread; undefined in the main thread. */
export function rightsChanges(memory: SharedArrayBuffer = SharedCount.memoryFor(2)): RightsChanges {
  return { memory, grants: new SharedCount(memory, 0), labels: new SharedCount(memory, 1) }
}
