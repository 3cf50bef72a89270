/** The doors of a built server, behind their sockets: the recorded requests, in every framing of Thrift. */

import { gzipSync } from 'node:zlib'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { type WatchedDoor, WatchedServer } from '../harness/fuzz/watched-server.ts'
import { LIMITS } from './limits.ts'
import { httpRequests, restBodies, someOf, thriftMessages } from './recorded-seeds.ts'
import { rpcConversations } from './rpc-conversations.ts'
import { zooKeeperConversations } from './zookeeper.ts'

const SERVER_LIMITS = [
  `--batch-max=${LIMITS.batchMax}`,
  `--elements-max=${LIMITS.elementsMax}`,
  `--request-bytes-max=${LIMITS.requestBytesMax}`,
]
const SEEDS_EACH = 300

function doorTarget(door: WatchedDoor, seeds: () => readonly Buffer[]): FuzzTarget {
  let server: WatchedServer | undefined
  return {
    name: `${door}-door`,
    seeds,
    start: async () => {
      server = await WatchedServer.start(...SERVER_LIMITS)
    },
    run: (input) => server!.take(door, input),
    stop: async () => server?.stop(),
  }
}

function post(path: string, headers: string, body: Buffer): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}content-length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(message.length)
  return Buffer.concat([length, message])
}

export const restDoor: FuzzTarget = doorTarget('rest', () => [
  ...someOf(httpRequests(), SEEDS_EACH),
  ...someOf(restBodies('protobuf'), SEEDS_EACH).map((body) =>
    post('/healthy/r', 'content-type: application/x-protobuf\r\ncontent-encoding: gzip\r\n', gzipSync(body)),
  ),
])

export const thriftDoor: FuzzTarget = doorTarget('thrift', () => {
  const messages = [
    ...someOf(thriftMessages('binary'), SEEDS_EACH),
    ...someOf(thriftMessages('compact'), SEEDS_EACH),
  ]
  return messages.flatMap((message, i) => {
    if (i % 3 === 0) return [message]
    return [i % 3 === 1 ? framed(message) : post('/', 'content-type: application/x-thrift\r\n', message)]
  })
})

export const zooKeeperDoor: FuzzTarget = doorTarget('zookeeper', zooKeeperConversations)

export const rpcDoor: FuzzTarget = doorTarget('rpc', rpcConversations)
