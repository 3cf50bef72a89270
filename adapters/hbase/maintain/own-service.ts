/** Services that a Tidegate has beside its master, and an HBase does not. */

import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'

const EXEC_SERVICE = rpcMethod(MasterService.method.execMasterService)
/** A master's services have no region. */
const NO_REGION = { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: EMPTY }

export interface OwnService {
  readonly name: string
  /** For messages. */
  readonly operation: string
  /** Of a server that does not have the service. */
  readonly refusal: string
}

/** Throws UNSUPPORTED where the server does not have the service, and as Master.ask. */
export async function askOwnService<Input extends DescMessage, Output extends DescMessage>(
  master: Master,
  { name, operation, refusal }: OwnService,
  asked: DescMethodUnary<Input, Output>,
  message: MessageInitShape<Input>,
  call: Call,
): Promise<MessageShape<Output>> {
  const request = toBinary(asked.input, create(asked.input, message))
  const serviceCall = { row: EMPTY, serviceName: name, methodName: asked.name, request }
  try {
    const { value } = await master.ask(
      operation,
      EXEC_SERVICE,
      { region: NO_REGION, call: serviceCall },
      call,
    )
    return fromBinary(asked.output, value?.value ?? EMPTY)
  } catch (error) {
    if (!isHBaseError(error) || !error.javaClass.endsWith('.UnknownProtocolException')) throw error
    throw new HBaseError('UNSUPPORTED', refusal, { cause: error })
  }
}
