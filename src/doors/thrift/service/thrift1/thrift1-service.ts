import type { ThriftService } from '../../contract/thrift-service.ts'
import { thrift1Exception } from '../error-answers.ts'
import { thrift1Reads } from './reads.ts'
import { thrift1RowChanges } from './row-changes.ts'
import { thrift1Scanners } from './scanners.ts'
import { thrift1Tables } from './tables.ts'
import type { Thrift1Context } from './thrift1-context.ts'
import { thrift1Writes } from './writes.ts'

/** HBase's Thrift 1, the service `Hbase`. */
export function thrift1Service(context: Thrift1Context): ThriftService {
  const handlers = {
    ...thrift1Tables(context),
    ...thrift1Reads(context),
    ...thrift1Writes(context),
    ...thrift1RowChanges(context),
    ...thrift1Scanners(context),
  }
  return {
    name: 'Hbase',
    handlers,
    exceptionOf: thrift1Exception,
    openScanners: () => context.leases.size,
    scannerArguments: { scannerGet: 'id', scannerGetList: 'id', scannerClose: 'id' },
  }
}
