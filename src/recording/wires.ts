import { HTTP } from './http-wire.ts'
import type { ProtocolName, Wire } from './protocol.ts'
import { RPC } from './rpc-wire.ts'
import { THRIFT } from './thrift-wire.ts'
import { ZOOKEEPER } from './zookeeper-wire.ts'

/** In the order in which a connection's first bytes are tried: ZooKeeper's could be those of an old client of Thrift. */
export const WIRES: Readonly<Record<ProtocolName, Wire>> = {
  http: HTTP,
  rpc: RPC,
  zookeeper: ZOOKEEPER,
  thrift: THRIFT,
}

/** The protocol that begins with these bytes; `more`: too few to tell; undefined: none that is recorded. */
export function wireOf(begin: Buffer): Wire | 'more' | undefined {
  let needsMore = false
  for (const wire of Object.values(WIRES)) {
    const conversation = wire.conversation(begin)
    if (conversation === 'more') needsMore = true
    else if (conversation !== undefined) return wire
  }
  return needsMore ? 'more' : undefined
}
