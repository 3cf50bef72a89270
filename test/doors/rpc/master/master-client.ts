/** Calls of MasterService over the wire, to the server of rpc-server.ts. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { connect, type RpcConnection } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import type { Store } from '../../../../src/store/store.ts'
import { rpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'
import { type RpcServer, startRpcServer } from '../rpc-server.ts'

export interface MasterClient extends RpcServer {
  /** Rejects with the server's RemoteException. */
  ask<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
  ): Promise<MessageShape<Output>>
}

/** `own`: the store, by default one in memory. The server closes it. */
export async function startMasterClient(own?: Store): Promise<MasterClient> {
  const server = await startRpcServer(own === undefined ? {} : { own })
  const { port } = server.door
  const master: RpcConnection = await connect({
    host: '127.0.0.1',
    port,
    service: 'MasterService',
    user: 'tester',
  })
  return {
    ...server,
    ask: async (method, request) => (await master.call(rpcMethod(method), request)).message,
    close: async () => {
      master.close()
      await server.close()
    },
  }
}
