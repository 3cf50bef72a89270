import { expect, test } from 'vitest'
import { mutationOptions } from '../../../../src/doors/thrift/service/mutation-arguments.ts'

const TTL = Buffer.alloc(8)
TTL.writeBigInt64BE(3_600_000n)

function optionsOf(attributes: Readonly<Record<string, Buffer>>): unknown {
  const pairs = Object.entries(attributes).map(([name, value]) => [Buffer.from(name), value] as const)
  return mutationOptions('SYNC_WAL', pairs)
}

test('attributes are passed on; _ttl becomes the time to live', () => {
  const color = Buffer.from('red')
  expect(mutationOptions('SKIP_WAL', undefined)).toEqual({ durability: 'SKIP_WAL' })
  expect(optionsOf({})).toEqual({ durability: 'SYNC_WAL' })
  expect(optionsOf({ _ttl: TTL })).toEqual({ durability: 'SYNC_WAL', ttlMs: 3_600_000 })
  expect(optionsOf({ color })).toEqual({ durability: 'SYNC_WAL', attributes: new Map([['color', color]]) })
  expect(optionsOf({ color, _ttl: TTL })).toEqual({
    durability: 'SYNC_WAL',
    ttlMs: 3_600_000,
    attributes: new Map([['color', color]]),
  })
  expect(() => optionsOf({ color, _ttl: color })).toThrow('8 bytes')
})
