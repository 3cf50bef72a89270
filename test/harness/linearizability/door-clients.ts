import type { ChildServer } from '../child-server.ts'
import { RestWriter } from '../kill/rest-writer.ts'
import { RpcWriter } from '../kill/rpc-writer.ts'
import { FRAMED, Thrift1Writer, Thrift2Writer } from '../kill/thrift-writers.ts'
import type { WritingDoor } from '../kill/writing-door.ts'
import { type RowReader, restReader, rpcReader, thrift1Reader, thrift2Reader } from './door-readers.ts'
import type { DoorClient } from './round.ts'

type OpenClient = (server: ChildServer, table: string) => DoorClient

/** A client of each door, by the door's name. */
export const CLIENTS: Readonly<Record<string, OpenClient>> = {
  rest: (server, table) =>
    joined(restReader(server.port('rest'), table), new RestWriter(server.port('rest'), table)),
  thrift1: (server, table) =>
    joined(
      thrift1Reader(server.port('thrift'), table),
      new Thrift1Writer(server.port('thrift'), FRAMED, table),
    ),
  thrift2: (server, table) =>
    joined(
      thrift2Reader(server.port('thrift'), table),
      new Thrift2Writer(server.port('thrift'), FRAMED, table),
    ),
  rpc: (server, table) =>
    joined(rpcReader(server.port('rpc'), table), new RpcWriter(server.port('rpc'), table)),
}

function joined(reader: RowReader, writer: WritingDoor): DoorClient {
  return {
    read: (row) => reader.read(row),
    scan: (prefix) => reader.scan(prefix),
    writer,
    close: () => {
      reader.close()
      writer.close()
    },
  }
}

/** A fault to be found: a client in front of which a cache answers some reads, as they were answered before. */
export function behindStaleCache(client: DoorClient, random: () => number): DoorClient {
  const cached = new Map<string, Awaited<ReturnType<DoorClient['read']>>>()
  return {
    ...client,
    read: async (row) => {
      const known = cached.get(row)
      if (known !== undefined && random() < 0.5) return known
      const rows = await client.read(row)
      cached.set(row, rows)
      return rows
    },
  }
}
