import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { ScannerLeases } from '../../../gateway/reads/scanner-leases.ts'
import type { GetLimits } from '../../../store/rows.ts'
import type { ScannerPages } from './scanner-pages.ts'

/** The facets of a store that the services use. */
export type ServedStore = Pick<AdvertisedStore, 'rows' | 'handouts' | 'catalog' | 'upkeep' | 'clusterId'>

/** Given to the methods of one service. */
export interface ServiceContext<OpenScanner> {
  readonly store: ServedStore
  readonly limits: Limits
  /** The memory that the clients of all doors share. */
  readonly memory: MemoryBudget
  /** Limits one answer's bytes. */
  readonly getLimits: GetLimits
  readonly leases: ScannerLeases<OpenScanner, ScannerPages>
}
