import type { AdvertisedStore } from '../../../gateway/advertised.ts'
import type { Limits } from '../../../gateway/limits.ts'
import type { ScannerLeases } from '../../../gateway/scanner-leases.ts'
import type { GetLimits } from '../../../store/rows.ts'

/** What the services use of a store. */
export type ServedStore = Pick<AdvertisedStore, 'rows' | 'handouts' | 'catalog' | 'upkeep' | 'clusterId'>

/** What the methods of one service work with. */
export interface ServiceContext<OpenScanner> {
  readonly store: ServedStore
  readonly limits: Limits
  /** Of the bytes of one answer. */
  readonly getLimits: GetLimits
  readonly leases: ScannerLeases<OpenScanner>
}
