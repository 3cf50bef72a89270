/** Two small services on a listener, for tests of the transport. */

import pino from 'pino'
import {
  ThriftException,
  type ThriftHandlers,
  type ThriftService,
} from '../../../../src/doors/thrift/contract/thrift-service.ts'
import { ThriftListener } from '../../../../src/doors/thrift/transport/thrift-listener.ts'
import type { TransportLimits } from '../../../../src/doors/thrift/transport/transport-limits.ts'
import type { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { DEFAULT_LIMITS } from '../../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { parseSchema, type Schema } from '../../../../src/wire/thrift/schema.ts'

/** Both services have `lookUp`, with different first arguments, and `age`, without any. */
export const toySchema: Schema = parseSchema(`
  exception ToyError { 1: string message }
  struct Key { 1: required binary row }
  service Old {
    binary echo(1: binary value)
    i64 add(1: i64 left, 2: i64 right) throws (1: ToyError failed)
    void wait(1: i32 turns)
    oneway void note(1: string text)
    string lookUp(1: binary row)
    string age()
    list<i32> break()
  }
  service Young {
    string lookUp(1: required Key key)
    string age()
    string hello()
  }
`)

export interface ToyServer {
  readonly listener: ThriftListener
  readonly port: number
  /** The arguments of `note`. */
  readonly notes: string[]
  /** The messages of the log's warnings and errors. */
  readonly logged: string[]
  /** Calls that have begun. */
  readonly calls: string[]
}

export interface ToyOptions {
  readonly limits?: Partial<TransportLimits>
  readonly now?: () => number
  readonly handlers?: ThriftHandlers
  readonly exceptionOf?: ThriftService['exceptionOf']
  readonly memory?: MemoryBudget
  readonly guard?: Guard
}

export async function startToyServer({
  limits,
  now,
  handlers,
  exceptionOf,
  memory = new MemoryBudget(),
  guard,
}: ToyOptions = {}): Promise<ToyServer> {
  const notes: string[] = []
  const calls: string[] = []
  const logged: string[] = []
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const listener = new ThriftListener({
    services: [
      {
        schema: toySchema.services.get('Old')!,
        service: {
          name: 'Old',
          handlers: { ...oldHandlers(notes, calls), ...handlers },
          ...(exceptionOf !== undefined && { exceptionOf }),
        },
      },
      { schema: toySchema.services.get('Young')!, service: { name: 'Young', handlers: youngHandlers } },
    ],
    limits: { ...DEFAULT_LIMITS, ...limits },
    memory,
    guard,
    logger,
    ...(now === undefined ? {} : { now }),
  })
  const port = await listener.listen({ host: '127.0.0.1', port: 0 })
  return { listener, port, notes, logged, calls }
}

function oldHandlers(notes: string[], calls: string[]): ThriftHandlers {
  return {
    echo: async ({ value }: { value: Buffer }) => value,
    add: ({ left, right }: { left: bigint; right: bigint }) => {
      calls.push(`add ${left}`)
      if (left < 0n) throw new ThriftException('ToyError', { message: `${left} is negative` })
      return left + right
    },
    wait: async ({ turns }: { turns: number }) => {
      calls.push(`wait ${turns}`)
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
    },
    note: ({ text }: { text: string }) => {
      notes.push(text)
    },
    lookUp: ({ row }: { row: Buffer }) => `old ${row.toString()}`,
    age: () => 'old',
    break: () => {
      throw new TypeError('a bug')
    },
  }
}

const youngHandlers: ThriftHandlers = {
  lookUp: async ({ key }: { key: { row: Buffer } }) => `young ${key.row.toString()}`,
  age: () => 'young',
  hello: () => 'hello',
}
