/** Answers with very many parts, written by the generated code in steps. */

import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { generatedAnswer } from '../../../../src/doors/rpc/messages/generated-answer.ts'
import { loadMessage } from '../../../../src/doors/rpc/messages/region-message.ts'
import type { RegionLoad } from '../../../../src/store/upkeep.ts'
import { GetRegionLoadResponseSchema } from '../../../../src/wire/rpc/gen/admin_pb.ts'
import { GetClusterStatusResponseSchema } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'

const REGIONS = 600

function loadOf(index: number): RegionLoad {
  return {
    name: Buffer.from(`t,r${index},1.0123456789abcdef0123456789abcdef.`),
    stores: 1,
    storeFiles: index,
    storeFileSizeMB: 2,
    memStoreSizeMB: 3,
    storeFileIndexSizeKB: 4,
    rootIndexSizeKB: 5,
    staticIndexSizeKB: 6,
    staticBloomSizeKB: 7,
    readRequests: 8,
    writeRequests: 9,
    compactingCells: 10,
    compactedCells: 11,
    completedSequenceId: index,
    storeSequenceIds: [{ family: Buffer.from('f'), sequenceId: index }],
    lastMajorCompaction: 12,
  }
}

function statusOf(count: number): MessageInitShape<typeof GetClusterStatusResponseSchema> {
  const server = { hostName: 'one', port: 1, startCode: 2n }
  const serverLoad = {
    numberOfRequests: 1n,
    coprocessors: [{ name: 'some' }],
    regionLoads: Array.from({ length: count }, (_, index) => loadMessage(loadOf(index))),
    reportEndTime: 4n,
  }
  const quiet = { server: { ...server, port: 2 }, serverLoad: { numberOfRequests: 2n } }
  return {
    clusterStatus: {
      hbaseVersion: { version: '2.6.1' },
      liveServers: [{ server, serverLoad }, quiet, { server, serverLoad }],
      master: server,
      balancerOn: true,
    },
  }
}

test('lists within messages of a list have all their parts', () => {
  const init = statusOf(REGIONS)
  const answer = generatedAnswer(GetClusterStatusResponseSchema, init)
  const writer = new MessageWriter()
  let steps = 0
  for (const _ of answer.writeInSteps!(writer)) steps++
  expect(steps).toBeGreaterThan(REGIONS / 64)
  const read = fromBinary(GetClusterStatusResponseSchema, new Uint8Array(writer.take()))
  expect(read).toEqual(
    fromBinary(
      GetClusterStatusResponseSchema,
      toBinary(GetClusterStatusResponseSchema, create(GetClusterStatusResponseSchema, init)),
    ),
  )
})

test('a list of the message itself is written as it is at once', () => {
  const init = { regionLoads: Array.from({ length: REGIONS }, (_, index) => loadMessage(loadOf(index))) }
  const answer = generatedAnswer(GetRegionLoadResponseSchema, init)
  const [atOnce, inSteps] = [new MessageWriter(), new MessageWriter()]
  answer.write(atOnce)
  let steps = 0
  for (const _ of answer.writeInSteps!(inSteps)) steps++
  expect(steps).toBeGreaterThan(REGIONS / 100)
  const whole = Buffer.from(toBinary(GetRegionLoadResponseSchema, create(GetRegionLoadResponseSchema, init)))
  expect(Buffer.from(inSteps.take()).equals(whole)).toBe(true)
  expect(Buffer.from(atOnce.take()).equals(whole)).toBe(true)
})

test('a short message takes no steps', () => {
  expect(generatedAnswer(GetClusterStatusResponseSchema, statusOf(5)).writeInSteps).toBeUndefined()
})
