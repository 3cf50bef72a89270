import { Socket } from 'node:net'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { Handover } from '../../../src/gateway/connections/handover.ts'

const logger = pino({ level: 'silent' })

let handover: Handover
/** The thread of each connection, by its id; ids count from 1 on. */
let taken: number[]

function socketOf(remoteAddress: string | undefined): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
}

function refuse(): never {
  throw new Error('planted')
}

/** Opens connections of these clients. Returns the thread that has each; 0 is the main one. */
function opened(...addresses: readonly (string | undefined)[]): number[] {
  return addresses.map((address) => {
    const socket = socketOf(address)
    if (handover.take('thrift', socket)) return taken.at(-1)!
    handover.keep(socket)
    return 0
  })
}

beforeEach(() => {
  handover = new Handover(logger)
  taken = []
  const threads = [1, 2].map((number) => ({ take: (): void => void taken.push(number) }))
  handover.begin(threads)
})

test('the first connection of a client stays here, and further ones go where there are the fewest', () => {
  expect(opened('a', 'a', 'a', 'a', 'a', 'a')).toEqual([0, 1, 2, 1, 2, 0])
  handover.closed(1)
  handover.closed(3)
  expect(opened('a')).toEqual([1])
  expect(handover.open('thrift')).toBe(3)
  expect(handover.open('rpc')).toBe(0)
})

test('clients with one connection each are shared out once the main thread has many', () => {
  const clients = Array.from({ length: 14 }, (_, i) => `c${i}`)
  expect(opened(...clients)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1, 2, 0])
})

test('addresses of one network of IPv6 are one client', () => {
  expect(opened('2001:db8::1', '2001:db8::2', '2001:db8:1::1')).toEqual([0, 1, 0])
})

test('a client whose connections are all closed begins anew', () => {
  const first = socketOf('a')
  expect(handover.take('thrift', first)).toBe(false)
  handover.keep(first)
  expect(opened('a')).toEqual([1])
  expect(first.getMaxListeners()).toBe(11)
  first.emit('close')
  expect(opened('a')).toEqual([2])
  handover.closed(1)
  handover.closed(2)
  expect(opened('a')).toEqual([0])
})

test('a connection that cannot move, or whose client has gone, stays here and is not counted', () => {
  handover.begin([{ take: refuse }])
  expect(opened('a', 'a', undefined)).toEqual([0, 0, 0])
  expect(handover.open('thrift')).toBe(0)
})

test('without threads all stay here', () => {
  handover.end()
  expect(opened('a', 'a')).toEqual([0, 0])
})
