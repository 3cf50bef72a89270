/** The doors through which the writers of a kill loop change rows: each operation by each protocol. */

import type { ChildServer } from '../child-server.ts'
import { RestWriter } from './rest-writer.ts'
import { RpcWriter } from './rpc-writer.ts'
import { COMPACT, FRAMED, HTTP, Thrift1Writer, Thrift2Writer, UNFRAMED } from './thrift-writers.ts'
import type { WritingDoor } from './writing-door.ts'

/** A door by its name, for a server that has just started. */
export const DOORS: Readonly<Record<string, (server: ChildServer) => WritingDoor>> = {
  rest: (server) => new RestWriter(server.port('rest')),
  thrift1framed: (server) => new Thrift1Writer(server.port('thrift'), FRAMED),
  thrift1unframed: (server) => new Thrift1Writer(server.port('thrift'), UNFRAMED),
  thrift1compact: (server) => new Thrift1Writer(server.port('thrift'), COMPACT),
  thrift1http: (server) => new Thrift1Writer(server.port('thrift'), HTTP),
  thrift2framed: (server) => new Thrift2Writer(server.port('thrift'), FRAMED),
  thrift2compact: (server) => new Thrift2Writer(server.port('thrift'), { ...COMPACT, ...UNFRAMED }),
  rpc: (server) => new RpcWriter(server.port('rpc')),
}
