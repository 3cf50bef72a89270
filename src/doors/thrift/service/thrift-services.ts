import type { Limits } from '../../../gateway/limits/limits.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { GET_PIECE } from '../../../gateway/reads/many-gets.ts'
import { ScannerLeases } from '../../../gateway/reads/scanner-leases.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import type { ThriftService } from '../contract/thrift-service.ts'
import type { ScannerPages } from './scanner-pages.ts'
import type { ServedStore } from './service-context.ts'
import type { Thrift1Scanner } from './thrift1/thrift1-context.ts'
import { thrift1Service } from './thrift1/thrift1-service.ts'
import type { Thrift2Scanner } from './thrift2/scanners.ts'
import { thrift2Service } from './thrift2/thrift2-service.ts'

/** Periods for which Thrift 1 keeps an unused scanner, as HBase's thrift.ThriftHBaseServiceHandler does. Thrift 2 keeps it for one. */
const THRIFT1_PERIODS = 2

export interface ThriftServices {
  readonly thrift1: ThriftService
  readonly thrift2: ThriftService
  /** Closes the scanners that clients have left open. */
  close(): Promise<void>
}

/** Both services over one store. */
export function openThriftServices({
  store,
  limits,
  memory,
  siblings,
}: {
  readonly store: ServedStore
  readonly limits: Limits
  readonly memory: MemoryBudget
  readonly siblings?: Siblings | undefined
}): ThriftServices {
  const leaseLimits = {
    idleMs: limits.scannerIdleMs,
    memory,
    countMax: limits.scannersMax,
    clientCountMax: limits.clientScannersMax,
    ids: siblings?.scannerIds,
  }
  const leases1 = new ScannerLeases<Thrift1Scanner, ScannerPages>({
    ...leaseLimits,
    idleMs: THRIFT1_PERIODS * limits.scannerIdleMs,
  })
  const leases2 = new ScannerLeases<Thrift2Scanner, ScannerPages>(leaseLimits)
  const shared = { store, limits, memory, getLimits: GET_PIECE }
  return {
    thrift1: thrift1Service({ ...shared, leases: leases1 }),
    thrift2: thrift2Service({ ...shared, leases: leases2 }),
    close: async () => {
      await Promise.all([leases1.closeAll(), leases2.closeAll()])
    },
  }
}
