import type { Limits } from '../../../gateway/limits.ts'
import type { ScannerLeases } from '../../../gateway/scanner-leases.ts'
import type { Store } from '../../../store.ts'

/** What the methods of one service work with. */
export interface ServiceContext<OpenScanner> {
  readonly store: Store
  readonly limits: Limits
  readonly clusterId: string
  readonly leases: ScannerLeases<OpenScanner>
}
