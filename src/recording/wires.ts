import { HTTP } from './http-wire.ts'
import type { ProtocolName, Wire } from './protocol.ts'
import { RPC } from './rpc-wire.ts'
import { THRIFT } from './thrift-wire.ts'
import { ZOOKEEPER } from './zookeeper-wire.ts'

/** The protocols, in the order in which a connection's first bytes are tested: those of ZooKeeper could also begin an old Thrift client's message. */
export const WIRES: Readonly<Record<ProtocolName, Wire>> = {
  http: HTTP,
  rpc: RPC,
  zookeeper: ZOOKEEPER,
  thrift: THRIFT,
}

/** The protocol that begins with these bytes; `more`: too few bytes to decide; undefined: no recorded protocol. */
export function wireOf(begin: Buffer): Wire | 'more' | undefined {
  let needsMore = false
  for (const wire of Object.values(WIRES)) {
    const conversation = wire.conversation(begin)
    if (conversation === 'more') needsMore = true
    else if (conversation !== undefined) return wire
  }
  return needsMore ? 'more' : undefined
}
