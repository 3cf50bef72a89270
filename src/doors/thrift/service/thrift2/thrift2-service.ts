import type { ThriftService } from '../../contract/thrift-service.ts'
import { thrift2Exception } from '../error-answers.ts'
import type { ServiceContext } from '../service-context.ts'
import { thrift2Cluster } from './cluster.ts'
import { thrift2Permissions } from './permissions.ts'
import { thrift2Reads } from './reads.ts'
import { thrift2RowChanges } from './row-changes.ts'
import { type Thrift2Scanner, thrift2Scanners } from './scanners.ts'
import { thrift2Tables } from './tables.ts'
import { thrift2Writes } from './writes.ts'

/** HBase's Thrift 2, the service `THBaseService`. */
export function thrift2Service(context: ServiceContext<Thrift2Scanner>): ThriftService {
  const handlers = {
    ...thrift2Tables(context),
    ...thrift2Cluster(context),
    ...thrift2Permissions(context),
    ...thrift2Reads(context),
    ...thrift2Writes(context),
    ...thrift2RowChanges(context),
    ...thrift2Scanners(context),
  }
  return {
    name: 'THBaseService',
    handlers,
    exceptionOf: thrift2Exception,
    openScanners: () => context.leases.size,
    scannerArguments: { getScannerRows: 'scannerId', closeScanner: 'scannerId' },
  }
}
