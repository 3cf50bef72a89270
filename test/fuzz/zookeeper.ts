import { OP_CODE } from '../../src/wire/zookeeper/codes.ts'
import { encodeFrame, FrameCutter, part, readLast } from '../../src/wire/zookeeper/frames.ts'
import { JuteReader } from '../../src/wire/zookeeper/jute-reader.ts'
import type { JuteRecord } from '../../src/wire/zookeeper/jute-type.ts'
import * as clientRecords from '../../src/wire/zookeeper/records.ts'
import * as serverRecords from '../../src/wire/zookeeper/server-records.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'

type AnyRecord = JuteRecord<object>

const TYPES = Object.values({ ...clientRecords, ...serverRecords }) as unknown as readonly AnyRecord[]
/** What operations are asked with. */
const REQUESTS = TYPES.filter(({ name }) => /Request$|^SyncPath$|^AuthPacket$|^SetWatches2?$/.test(name))
const PIECE_BYTES = 100
/** Each is read as every record, and most reads make an error, with its stack. */
const FRAMES_MAX = 100
const VALUES: Readonly<Record<string, unknown>> = {
  boolean: true,
  int: 3,
  long: 7n,
  ustring: '/hbase/meta-region-server',
  buffer: Buffer.from('PBUF'),
  'vector<ustring>': ['a', 'b'],
  'vector<ACL>': [{ perms: 31, id: { scheme: 'world', id: 'anyone' } }],
  'vector<ClientInfo>': [{ authScheme: 'ip', user: '::1' }],
}

/** A record with a usual value in each field. */
function example({ fields }: AnyRecord): object {
  const entries = Object.entries(fields as Record<string, AnyRecord>)
  return Object.fromEntries(entries.map(([key, type]) => [key, VALUES[type.name] ?? example(type)]))
}

function readFrames(input: Buffer): unknown[] {
  const cutter = new FrameCutter(input.length)
  const read: unknown[] = []
  for (let at = 0; at < input.length; at += PIECE_BYTES) {
    for (const frame of cutter.push(input.subarray(at, at + PIECE_BYTES))) {
      if (read.length === FRAMES_MAX) break
      const decoders = TYPES.map((type) => (bytes: Buffer) => readLast(new JuteReader(bytes), type))
      read.push(tryEach(frame, [...decoders, (bytes) => bytes]))
    }
  }
  return read
}

/** Requests of each operation, with and without a watch, in a session of their own. */
export function zooKeeperConversations(): readonly Buffer[] {
  const connect = encodeFrame(
    part(clientRecords.CONNECT_REQUEST, {
      protocolVersion: 0,
      lastZxidSeen: 0n,
      timeOut: 4000,
      sessionId: 0n,
      passwd: Buffer.alloc(16),
      readOnly: true,
    }),
  )
  const requests = Object.values(OP_CODE).flatMap((type) =>
    REQUESTS.map((request) =>
      encodeFrame(part(clientRecords.REQUEST_HEADER, { xid: type, type }), part(request, example(request))),
    ),
  )
  const words = ['ruok', 'srvr', 'stat', 'mntr'].map((word) => Buffer.from(word))
  return [...words, connect, ...requests.map((request) => Buffer.concat([connect, request]))]
}

export const zookeeper: FuzzTarget = {
  name: 'zookeeper',
  seeds: () => TYPES.map((type) => encodeFrame(part(type, example(type)))),
  run: readFrames,
}
