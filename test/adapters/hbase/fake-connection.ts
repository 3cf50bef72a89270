import { GET } from '../../../adapters/hbase/messages/get-method.ts'
import { MULTI } from '../../../adapters/hbase/messages/multi-method.ts'
import { MUTATE } from '../../../adapters/hbase/messages/mutate-method.ts'
import { SCAN } from '../../../adapters/hbase/messages/scan-method.ts'
import type { CallOptions, RpcConnection, RpcResponse } from '../../../adapters/hbase/rpc/rpc-connection.ts'
import type { RpcError } from '../../../adapters/hbase/rpc/rpc-error.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { FakeCluster } from './fake-cluster.ts'

const OWN_METHODS: ReadonlySet<unknown> = new Set([GET, SCAN, MULTI, MUTATE])

/** A connection to one of its servers. */
export class FakeConnection implements RpcConnection {
  readonly pending = 0
  readonly closedBy: RpcError | undefined = undefined
  readonly #cluster: FakeCluster
  readonly #host: string
  readonly #user: string

  constructor(cluster: FakeCluster, host: string, user: string) {
    this.#cluster = cluster
    this.#host = host
    this.#user = user
  }

  async call<Request, Response>(
    method: RpcMethod<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<RpcResponse<Response>> {
    this.#cluster.users.push(`${method.name} as ${this.#user}`)
    // hbase:meta and the registry are asked by other methods.
    if (!OWN_METHODS.has(method)) return this.#cluster.meta.call(method, request, options)
    this.#cluster.options.push(options ?? {})
    const sent = blockOf((options?.cells ?? []).flatMap((block) => cellsOf(block)))
    await this.#cluster.turn(options?.signal, this.#host)
    const { message, cells } = this.#cluster.answer(this.#host, method.name, request, sent)
    const block = blockOf(cells)
    // A later read of the answer's cells then fails.
    const release = (): void => void block.buffer.fill(0xee)
    return { message: message as Response, cells: block, cellCount: cells.length, release }
  }

  beforeSending(work: () => void): void {
    setImmediate(work)
  }

  onClose(): void {
    // It never closes by itself.
  }

  close(): void {
    // Nothing is open.
  }
}
