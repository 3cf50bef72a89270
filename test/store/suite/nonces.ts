import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  DEFAULT_MUTATION_OPTIONS,
  type RowMutation,
  type RowOperation,
  valueCondition,
} from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { append, hex, increment, put } from './row-operations.ts'
import { bytes, failure, resultTexts, type Session } from './store-under-test.ts'

const HALF_AN_HOUR_MS = 30 * 60 * 1000

async function changed(
  session: Session,
  operation: RowOperation,
  options: Partial<RowMutation> = {},
): Promise<string[]> {
  const { applied, results } = await session.store.rows.mutateRow(
    session.table,
    { row: bytes('r'), operations: [operation], options: DEFAULT_MUTATION_OPTIONS, ...options },
    OWN_CALL,
  )
  return applied ? resultTexts(results) : ['not applied']
}

/** A store remembers nonces for longer than a case takes: each case is a client of its own. */
function client(): (nonce: bigint) => Partial<RowMutation> {
  const group = randomBytes(8).readBigInt64BE()
  return (nonce) => ({ nonce: { group, nonce } })
}

/** Without the timestamp, which is the present time. */
function value(texts: readonly string[]): string {
  return texts.join().replace(/^.*@\d+=/, '')
}

/** Repeated changes, and the answers to them. */
export function describeNonces(start: () => Promise<Session>): void {
  describe('changes that come again', () => {
    test('an increment is made once, and answered with what it came to then', async () => {
      const session = await start()
      const withNonce = client()
      await session.create()
      const one = increment('r', 'f:n', 1n)
      expect(value(await changed(session, one, withNonce(1n)))).toBe(hex(1n))
      expect(value(await changed(session, one, withNonce(1n)))).toBe(hex(1n))
      expect(value(await changed(session, one, withNonce(2n)))).toBe(hex(2n))
      expect(value(await changed(session, one, withNonce(1n)))).toBe(hex(1n))
      expect(value(await changed(session, one, client()(1n)))).toBe(hex(3n))
      expect(value(await changed(session, one))).toBe(hex(4n))
      expect(value(await changed(session, one))).toBe(hex(5n))
      expect(value(await session.get('r'))).toBe(hex(5n))
    })

    test('an append is made once, and answered with what it came to then', async () => {
      const session = await start()
      const withNonce = client()
      await session.create()
      const x = append('r', 'f:q', 'x')
      expect(value(await changed(session, x, withNonce(1n)))).toBe('x')
      expect(value(await changed(session, append('r', 'f:q', 'y'), withNonce(2n)))).toBe('xy')
      expect(value(await changed(session, x, withNonce(1n)))).toBe('x')
      expect(value(await session.get('r'))).toBe('xy')
    })

    test('a nonce of 0 is none', async () => {
      const session = await start()
      const withNonce = client()
      await session.create()
      for (const count of [1n, 2n, 3n]) {
        expect(value(await changed(session, increment('r', 'f:n', 1n), withNonce(0n)))).toBe(hex(count))
      }
    })

    test('a put is made once', async () => {
      const session = await start()
      const withNonce = client()
      session.needs('noncesOfPuts')
      await session.create()
      await changed(session, put('r', 'f:q', 'first', 5n), withNonce(1n))
      expect(await changed(session, put('r', 'f:q', 'again', 6n), withNonce(1n))).toEqual([''])
      expect(await session.get('r')).toEqual(['r/f:q@5=first'])
    })

    test('what was refused was not made', async () => {
      const session = await start()
      const withNonce = client()
      session.needs('noncesOfPuts')
      await session.create()
      await session.put('r', 'f:n', 'none', 5n)
      const refused = changed(session, increment('r', 'f:n', 1n), withNonce(1n))
      expect(await failure(refused)).toMatch(/^DO_NOT_RETRY/)
      const condition = valueCondition(bytes('f'), bytes('q'), 'EQUAL', bytes('v'))
      const guarded = { ...withNonce(2n), condition }
      expect(await changed(session, put('r', 'f:p', 'x', 5n), guarded)).toEqual(['not applied'])
      await session.put('r', 'f:q', 'v', 5n)
      expect(await changed(session, put('r', 'f:p', 'x', 5n), guarded)).toEqual([''])
      expect(value(await changed(session, increment('r', 'f:m', 1n), withNonce(1n)))).toBe(hex(1n))
    })

    test('one that was made stays so, though its condition holds no more', async () => {
      const session = await start()
      const withNonce = client()
      session.needs('noncesOfPuts')
      await session.create()
      const condition = valueCondition(bytes('f'), bytes('q'), 'EQUAL', undefined)
      const guarded = { ...withNonce(1n), condition }
      expect(await changed(session, put('r', 'f:q', 'x', 5n), guarded)).toEqual([''])
      expect(await changed(session, put('r', 'f:q', 'x', 5n), guarded)).toEqual([''])
      expect(await changed(session, put('r', 'f:q', 'x', 5n), { condition })).toEqual(['not applied'])
    })

    test('after half an hour it is another change', async () => {
      const session = await start()
      const withNonce = client()
      await session.create()
      const one = increment('r', 'f:n', 1n)
      await changed(session, one, withNonce(1n))
      session.clock.time += HALF_AN_HOUR_MS - 1
      expect(value(await changed(session, one, withNonce(1n)))).toBe(hex(1n))
      session.clock.time += 2
      expect(value(await changed(session, one, withNonce(1n)))).toBe(hex(2n))
    })
  })

  describe('changes whose answer nobody wants', () => {
    test('are made, and answered without cells', async () => {
      const session = await start()
      const withNonce = client()
      await session.create()
      const silent = { returnResults: false }
      expect(await changed(session, increment('r', 'f:n', 3n), silent)).toEqual([''])
      expect(await changed(session, append('r', 'f:q', 'x'), silent)).toEqual([''])
      expect(await changed(session, put('r', 'f:p', 'v', 5n), silent)).toEqual([''])
      expect(await changed(session, increment('r', 'f:n', 1n), { ...silent, ...withNonce(1n) })).toEqual([''])
      expect(await changed(session, increment('r', 'f:n', 1n), { ...silent, ...withNonce(1n) })).toEqual([''])
      expect(value(await changed(session, increment('r', 'f:n', 1n), { returnResults: true }))).toBe(hex(5n))
      expect((await session.get('r')).map((text) => text.split('@')[0])).toEqual(['r/f:n', 'r/f:p', 'r/f:q'])
    })
  })
}
