/** Fields that idl/rpc does not have take no memory, as each one of two bytes would be an object. */

import { expect, test } from 'vitest'
import { decodeConnectionHeader } from '../../../src/wire/rpc/connection-preamble.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'

/** Field 55 with the number 1, again and again. */
const UNKNOWN = Buffer.from('b80301'.repeat(1000), 'hex')

test('answers of servers are read without them', () => {
  const answer = rpcMethod(MasterService.method.getTableDescriptors).decode(UNKNOWN, 0, UNKNOWN.length)
  expect(answer.$unknown).toBeUndefined()
})

test('the header of a connection is read without them', () => {
  expect(decodeConnectionHeader(UNKNOWN).$unknown).toBeUndefined()
})
