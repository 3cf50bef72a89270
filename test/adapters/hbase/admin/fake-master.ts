import type { RpcConnection, RpcResponse } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import type { RpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'

/** A master with scripted answers, given in order; it throws an Error among them. */
export class FakeMaster implements RpcConnection {
  readonly pending = 0
  readonly closedBy = undefined
  readonly answers: unknown[] = []
  readonly asked: { readonly method: string; readonly request: unknown }[] = []

  async call<Request, Response>(
    method: RpcMethod<Request, Response>,
    request: Request,
  ): Promise<RpcResponse<Response>> {
    this.asked.push({ method: method.name, request })
    const answer = this.answers.shift()
    if (answer instanceof Error) throw answer
    const cells: CellBlock = CellBlock.EMPTY
    return { message: answer as Response, cells, cellCount: 0 }
  }

  beforeSending(work: () => void): void {
    setImmediate(work)
  }

  onClose(): void {
    // It never closes.
  }

  close(): void {
    // Nothing is in flight.
  }
}
