/** The master's log of its balancer. There is none: the answer is an empty response of the class that the client asks for. */

import { HBaseError } from '../../../model/errors.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'

const { method } = MasterService
const RESPONSE_PACKAGE = 'org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos$'

export function logEntries(): (readonly [string, RpcHandler])[] {
  return [
    generated(method.getLogEntries, async ({ logClassName }) => {
      const name = logClassName.slice(logClassName.lastIndexOf('$') + 1)
      if (name !== 'BalancerDecisionsRequest' && name !== 'BalancerRejectionsRequest') {
        throw new HBaseError('DO_NOT_RETRY', 'Invalid request params')
      }
      const answered = RESPONSE_PACKAGE + name.replace('Request', 'Response')
      return { logClassName: answered, logMessage: Buffer.alloc(0) }
    }),
  ]
}
