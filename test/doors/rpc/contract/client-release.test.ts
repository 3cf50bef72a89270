/** The abilities of older clients, by hand-made connection headers. */

import { create, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { readIdentity } from '../../../../src/doors/rpc/connection/connection-start.ts'
import { clientRelease } from '../../../../src/doors/rpc/contract/client-release.ts'
import { VersionInfoSchema } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { ConnectionHeaderSchema } from '../../../../src/wire/rpc/gen/rpc_pb.ts'

interface Stated {
  readonly version: string
  readonly versionMajor?: number
  readonly versionMinor?: number
}

const WORDS = { url: '', revision: '', user: '', date: '', srcChecksum: '' }

/** One mark for each ability: since 1.1, 1.2, 1.3 (twice), 1.4, 2.0. */
function gatesOf(stated: Stated | undefined): string {
  const header = create(ConnectionHeaderSchema, {
    serviceName: 'ClientService',
    ...(stated && { versionInfo: create(VersionInfoSchema, { ...WORDS, ...stated }) }),
  })
  const { release } = readIdentity(Buffer.from(toBinary(ConnectionHeaderSchema, header)))
  const { asksForResults, takesFullAnswers, takesBlocksOfGets, knowsTooBig, knowsScannerReset } = release
  const gates = [asksForResults, takesFullAnswers, takesBlocksOfGets, knowsTooBig, knowsScannerReset]
  return [...gates, release.asksForResultsOfPeers].map((isOpen) => (isOpen ? 'x' : '.')).join('')
}

test.each([
  ['0.98.24-hadoop2', '......'],
  ['1.0.3', '......'],
  ['1.1.13', 'x.....'],
  ['1.2.12', 'xx....'],
  ['1.3.6', 'xxxx..'],
  ['1.4.14', 'xxxxx.'],
  ['1.7.2', 'xxxxx.'],
  ['2.0.0', 'xxxxxx'],
  ['3.0.0-beta-2', 'xxxxxx'],
  ['1.4-SNAPSHOT', 'xxxxx.'],
  ['1', '......'],
  ['2', 'xxxxxx'],
  ['2.x', 'xxxxx.'],
  ['1.x', '......'],
  ['1.2147483648', '......'],
  ['2147483648', '......'],
  ['', '......'],
  ['.', '......'],
  ['unknown', '......'],
])('a client of release %j', (version, gates) => {
  expect(gatesOf({ version })).toBe(gates)
})

test('a client without a version has none of the abilities', () => {
  expect(gatesOf(undefined)).toBe('......')
  expect(Object.values(clientRelease(undefined))).not.toContain(true)
})

test('both numbers of the header are believed before its text, one alone is not', () => {
  expect(gatesOf({ version: '1.0.0', versionMajor: 1, versionMinor: 4 })).toBe('xxxxx.')
  expect(gatesOf({ version: '2.6.1', versionMajor: 1, versionMinor: 2 })).toBe('xx....')
  expect(gatesOf({ version: 'unknown', versionMajor: 2, versionMinor: 0 })).toBe('xxxxxx')
  expect(gatesOf({ version: '1.2.0', versionMajor: 2 })).toBe('xx....')
  expect(gatesOf({ version: '2.6.1', versionMajor: 0xffff_ffff, versionMinor: 6 })).toBe('......')
})
