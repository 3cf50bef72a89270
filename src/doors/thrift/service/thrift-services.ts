import { randomUUID } from 'node:crypto'
import type { DoorContext } from '../../../gateway/door.ts'
import { ScannerLeases } from '../../../gateway/scanner-leases.ts'
import type { ThriftService } from '../thrift-service.ts'
import type { OpenScanner } from './thrift1/open-scanner.ts'
import { thrift1Service } from './thrift1/thrift1-service.ts'
import type { OpenScanner as OpenScanner2 } from './thrift2/scanners.ts'
import { thrift2Service } from './thrift2/thrift2-service.ts'

export interface ThriftServices {
  readonly thrift1: ThriftService
  readonly thrift2: ThriftService
  /** Closes the scanners that clients have left open. */
  close(): Promise<void>
}

/** Both services over one store. */
export function openThriftServices(
  { store, limits }: Pick<DoorContext, 'store' | 'limits'>,
  clusterId: string = randomUUID(),
): ThriftServices {
  const leaseLimits = { idleMs: limits.scannerIdleMs, countMax: limits.scannersMax }
  const leases1 = new ScannerLeases<OpenScanner>(leaseLimits)
  const leases2 = new ScannerLeases<OpenScanner2>(leaseLimits)
  return {
    thrift1: thrift1Service({ store, limits, clusterId, leases: leases1 }),
    thrift2: thrift2Service({ store, limits, clusterId, leases: leases2 }),
    close: async () => {
      await Promise.all([leases1.closeAll(), leases2.closeAll()])
    },
  }
}
