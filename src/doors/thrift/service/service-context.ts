import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { ScannerLeases } from '../../../gateway/reads/scanner-leases.ts'
import type { GetLimits } from '../../../store/rows.ts'
import type { ScannerPages } from './scanner-pages.ts'

/** The facets of a store that the services use. */
export type ServedStore = Pick<AdvertisedStore, 'rows' | 'handouts' | 'catalog' | 'upkeep' | 'clusterId'>

/** State that the methods of one service share. */
export interface ServiceContext<OpenScanner> {
  readonly store: ServedStore
  readonly limits: Limits
  /** The memory that the clients of all doors share. */
  readonly memory: MemoryBudget
  /** Limits of one answer to gets. */
  readonly getLimits: GetLimits
  readonly leases: ScannerLeases<OpenScanner, ScannerPages>
}
